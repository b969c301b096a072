// Which addresses of a provider's we pass on, and the host we show for them. An address is passed on exactly as it came
// or not at all. Most are plain enough to be judged by one expression; the URL parser sees only the odd ones.
import { EXTRAORDINARY } from './character-kind.ts'

const LONGEST_ADDRESS = 2048

/**
 * A host of letters, digits, dots and single hyphens whose last label cannot be a number, and printable ASCII after it:
 * always valid.
 */
const PLAIN = /^https?:\/\/(?:(?:[a-z\d.]|-(?!-))*\.)?[a-z](?:[a-z\d]|-(?!-))*(?:[/?#][!-~]*)?$/i

/** A backslash or an at sign in the authority is how one host is made to look like another. */
const HONEST_AUTHORITY = /^https?:\/\/[^/?#@\\]+(?:[/?#]|$)/i

/** The address unchanged if it is absolute http(s) with a host, no credentials and nothing invisible in it; else ''. */
export const httpAddress = (value: unknown): string => {
  if (typeof value !== 'string' || value.length > LONGEST_ADDRESS) return ''
  if (PLAIN.test(value)) return value
  if (!HONEST_AUTHORITY.test(value) || EXTRAORDINARY.test(value) || value.includes(' ')) return ''
  return value.isWellFormed() && URL.canParse(value) ? value : ''
}

const HOST = /^https?:\/\/(\[[^\]]*\]|[^/?#:]*)/i

/** The lower-case host of an http(s) address, without port and `www.`; '' for anything else. */
export const hostOf = (address: string): string => {
  const host = HOST.exec(address)?.[1]?.toLowerCase() ?? ''
  return host.startsWith('www.') && host.includes('.', 4) ? host.slice(4) : host
}
