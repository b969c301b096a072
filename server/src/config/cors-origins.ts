// CORS_ORIGINS: the origins whose pages may call the API from a browser.

/** `*`: every origin. */
export type AllowedOrigins = '*' | ReadonlySet<string>

export const ORIGINS_HINT = 'must be * or a list of origins, such as https://app.example.org.'

/** `*`, or origins separated by comma or space; undefined if one of them is none. */
export function readOrigins(text: string): AllowedOrigins | undefined {
  const given = text.split(/[\s,]+/).filter(Boolean)
  if (given.includes('*')) return given.length === 1 ? '*' : undefined
  const origins = given.map(originIn)
  return origins.every((origin) => origin !== undefined) ? new Set(origins) : undefined
}

/** As a browser would write it. Extensions have a scheme of their own, of which URL knows no origin. */
function originIn(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || url.host === '' || url.host.includes('*') || url.username !== '' || url.search !== '' || url.hash !== '')
    return undefined
  if (url.pathname !== '/' && url.pathname !== '') return undefined
  return url.origin === 'null' ? `${url.protocol}//${url.host}` : url.origin
}
