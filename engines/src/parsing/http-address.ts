// Decides which of a provider's URLs we pass on, and the host we show for them. A URL is passed on exactly as it came,
// with invisible characters percent-encoded, or not at all. Most are plain enough for one regular expression; only the
// odd ones go to the URL parser.

import { escapeInvisible, hasInvisible } from '@bowerbird/reader/visible-text.ts'
import { z } from 'zod'

const MAX_ADDRESS_LENGTH = 2048

/**
 * A host of letters, digits, dots and single hyphens whose last label can't be a number, followed by printable ASCII:
 * always valid.
 */
const PLAIN_URL = /^https?:\/\/(?:(?:[a-z\d.]|-(?!-))*\.)?[a-z](?:[a-z\d]|-(?!-))*(?:[/?#][!-~]*)?$/i

/** A backslash or an at sign in the authority can make one host look like another. */
const HONEST_AUTHORITY = /^https?:\/\/[^/?#@\\]+(?:[/?#]|$)/i
const SPACE_OR_CONTROL = /[\s\p{Cc}]/u

/** The URL if it is absolute http(s) with a host, no credentials, no white space, and nothing invisible in its host; else ''. */
export const httpAddress = (value: unknown): string => {
  if (typeof value !== 'string' || value.length > MAX_ADDRESS_LENGTH) return ''
  if (PLAIN_URL.test(value)) return value
  const authority = HONEST_AUTHORITY.exec(value)?.[0]
  if (authority === undefined || hasInvisible(authority) || SPACE_OR_CONTROL.test(value)) return ''
  return value.isWellFormed() && URL.canParse(value) ? escapeInvisible(value) : ''
}

const HOST = /^https?:\/\/(\[[^\]]*\]|[^/?#:]*)/i

/** The lower-case host of an http(s) URL, without port and `www.`; '' for anything else. */
export const hostOf = (address: string): string => {
  const host = HOST.exec(address)?.[1]?.toLowerCase() ?? ''
  return host.startsWith('www.') && host.includes('.', 4) ? host.slice(4) : host
}

/**
 * The URL of a picture that a browser can load, or ''. Providers also send `//host/…`, which takes the scheme of the page
 * and so means https here, and `data:` URLs, which hold the whole picture and are dropped.
 */
export const pictureAddress = (value: unknown): string =>
  httpAddress(typeof value === 'string' && value.startsWith('//') ? `https:${value}` : value)

/**
 * A URL in a cached answer. Data from Redis is untrusted input: an attacker who can write there must not be able to send
 * users to a `javascript:` URL.
 */
export const HttpUrl = z.string().refine((text) => httpAddress(text) !== '')
