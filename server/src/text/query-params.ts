// Parses a query string as the client meant it: as UTF-8 if it is valid UTF-8, otherwise as Windows-1252 (Latin-1 and a
// little more), which old programs and some libraries still send. A percent sign that starts no escape stands for
// itself. A repeated parameter becomes a list. Also parses the numbers that parameters hold.
import { isUtf8 } from 'node:buffer'

type QueryParams = Record<string, string | string[]>

/** No real request has more; parsing them would only cost time. */
export const MAX_PARAMS = 100

/** Checks a request's URL. The router parses the query where it can't refuse the request, so check before that. */
export function hasTooManyParams(url: string): boolean {
  let at = url.indexOf('?')
  for (let count = 0; at !== -1; count++) {
    if (count === MAX_PARAMS) return true
    at = url.indexOf('&', at + 1)
  }
  return false
}

/** Ignores everything after the first hundred. */
export function parseQueryParams(text: string): QueryParams {
  const params: QueryParams = Object.create(null)
  if (text === '') return params
  for (const pair of text.split('&', MAX_PARAMS)) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const name = decode(at === -1 ? pair : pair.slice(0, at))
    const value = at === -1 ? '' : decode(pair.slice(at + 1))
    const known = params[name]
    if (known === undefined) params[name] = value
    else if (Array.isArray(known)) known.push(value)
    else params[name] = [known, value]
  }
  return params
}

function decode(written: string): string {
  const text = written.includes('+') ? written.replaceAll('+', ' ') : written
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text.replace(/(?:%[\da-f]{2})+/gi, decodeBytes)
    throw error
  }
}

/** The character of each byte. */
const WINDOWS_1252 = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))

/** A URL has room for five thousand of these. A decoder for each, or an exception, would take tens of milliseconds. */
function decodeBytes(escapes: string): string {
  // A single byte is the same in ASCII, and is no UTF-8 beyond it.
  if (escapes.length === 3) return WINDOWS_1252.charAt(Number.parseInt(escapes.slice(1), 16))
  const bytes = Buffer.from(escapes.replaceAll('%', ''), 'hex')
  if (isUtf8(bytes)) return bytes.toString()
  let text = ''
  for (const byte of bytes) text += WINDOWS_1252.charAt(byte)
  return text
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i
const MAX_NUMBER_LENGTH = 64

/**
 * Parses a number as programming languages write it: `48.85`, `.5`, `1.`, `+3`, `5e-7`. Nothing else counts: no
 * separators, no hexadecimal, no Infinity.
 */
export const readDecimal = (text: string): number | undefined =>
  text.length <= MAX_NUMBER_LENGTH && DECIMAL.test(text) ? Number(text) : undefined

/** Also `3.0`, as languages without integers write it, but never with an exponent. */
const WHOLE_NUMBER = /^[+-]?\d{1,15}(?:\.0*)?$/

export const readWholeNumber = (text: string): number | undefined =>
  text.length <= MAX_NUMBER_LENGTH && WHOLE_NUMBER.test(text) ? Number(text) : undefined
