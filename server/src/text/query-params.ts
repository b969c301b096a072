// The parameters of a query string, as the caller meant them: UTF-8 where it is UTF-8, and Windows-1252 (Latin-1 and a
// little more) where it cannot be, which is what old programs and some libraries still send. A percent sign that begins
// nothing stands for itself. A parameter that comes several times is a list.

export type QueryParams = Record<string, string | string[]>

export function parseQueryParams(text: string): QueryParams {
  const params: QueryParams = Object.create(null)
  if (text === '') return params
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const name = decoded(at === -1 ? pair : pair.slice(0, at))
    const value = at === -1 ? '' : decoded(pair.slice(at + 1))
    const known = params[name]
    params[name] = known === undefined ? value : [...(Array.isArray(known) ? known : [known]), value]
  }
  return params
}

function decoded(written: string): string {
  const text = written.includes('+') ? written.replaceAll('+', ' ') : written
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text.replace(/(?:%[\da-f]{2})+/gi, decodedBytes)
    throw error
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const windows1252 = new TextDecoder('windows-1252')

function decodedBytes(escapes: string): string {
  const bytes = Buffer.from(escapes.replaceAll('%', ''), 'hex')
  try {
    return utf8.decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return windows1252.decode(bytes)
    throw error
  }
}
