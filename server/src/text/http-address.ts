// Which addresses of a provider's we pass on, and the host we show for them. An address is passed on exactly as it came
// or not at all. Most are plain enough to be judged by a scan; the URL parser sees only the odd ones.
import { characterKind, isAsciiLetter } from './character-kind.ts'

const LONGEST_ADDRESS = 2048

/** Where the host begins, or 0 when the scheme is not http or https. */
const hostStart = (address: string): number => {
  if (address.startsWith('https://')) return 8
  if (address.startsWith('http://')) return 7
  const scheme = address.slice(0, 8).toLowerCase()
  return scheme === 'https://' ? 8 : scheme.startsWith('http://') ? 7 : 0
}

/** Where host and port end: at the path, the query, the fragment or the end. */
const authorityEnd = (address: string, start: number): number => {
  for (let end = start; end < address.length; end++) {
    const character = address.charCodeAt(end)
    if (character === 0x2f || character === 0x3f || character === 0x23) return end
  }
  return address.length
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

/** Letters, digits, dots and hyphens with a last label that cannot be a number, and no encoded label: always valid. */
const isPlainHost = (address: string, start: number, end: number): boolean => {
  let labelStart = start
  for (let at = start; at < end; at++) {
    const code = address.charCodeAt(at)
    if (code === 0x2e) labelStart = at + 1
    else if (code === 0x2d) {
      if (address.charCodeAt(at + 1) === 0x2d) return false
    } else if (!isAsciiLetter(code) && !isDigit(code)) return false
  }
  return isAsciiLetter(address.charCodeAt(labelStart))
}

/** The address unchanged if it is absolute http(s) with a host, no credentials and nothing invisible in it; else ''. */
export const httpAddress = (value: unknown): string => {
  if (typeof value !== 'string' || value.length > LONGEST_ADDRESS) return ''
  const start = hostStart(value)
  const end = authorityEnd(value, start)
  if (start === 0 || end === start) return ''
  let isAscii = true
  for (let at = start; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (code <= 0x20 || code > 0x7e) {
      if (characterKind(code) !== 'ordinary') return ''
      isAscii = false
    }
    // A backslash or an at sign here is how one host is made to look like another.
    if (at < end && (code === 0x40 || code === 0x5c)) return ''
  }
  if (isAscii && isPlainHost(value, start, end)) return value
  return value.isWellFormed() && URL.canParse(value) ? value : ''
}

/** The lower-case host of an http(s) address, without port and `www.`; '' for anything else. */
export const hostOf = (address: string): string => {
  const start = hostStart(address)
  if (start === 0) return ''
  const end = authorityEnd(address, start)
  const portAt = address.indexOf(':', address.charAt(start) === '[' ? address.indexOf(']', start) : start)
  const host = address.slice(start, portAt === -1 || portAt > end ? end : portAt).toLowerCase()
  return host.startsWith('www.') && host.includes('.', 4) ? host.slice(4) : host
}
