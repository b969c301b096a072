// CORS_ORIGINS: the origins whose pages may call the API from a browser.

/** `*`: every origin. */
export type AllowedOrigins = '*' | ReadonlySet<string>

export const ORIGINS_HINT = 'must be * or a list of origins, such as https://app.example.org.'

/** Parses `*`, or origins separated by commas or spaces; undefined if one of them isn't an origin. */
export function readOrigins(text: string): AllowedOrigins | undefined {
  const given = text.split(/[\s,]+/).filter(Boolean)
  if (given.includes('*')) return given.length === 1 ? '*' : undefined
  const origins = given.map(originIn)
  return origins.every((origin) => origin !== undefined) ? new Set(origins) : undefined
}

/** Returns an origin as a browser sends it. For extensions' own schemes, URL reports the origin as `null`. */
function originIn(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || url.host === '' || url.host.includes('*') || url.username !== '' || url.search !== '' || url.hash !== '')
    return undefined
  if (url.pathname !== '/' && url.pathname !== '') return undefined
  return url.origin === 'null' ? `${url.protocol}//${url.host}` : url.origin
}
