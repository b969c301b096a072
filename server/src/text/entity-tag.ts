// ETags: what a client that has a document sends back, to learn whether it is still the same. They are weak, because one
// document is sent in several encodings.
import { createHash } from 'node:crypto'

export const entityTag = (content: string | Buffer): string =>
  `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`

/** Compares as If-None-Match does (RFC 9110, 13.1.2): weakly, with any of a list, or with whatever there is. */
export function isKnownTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((known) => opaque(known.trim()) === opaque(tag))
}

const opaque = (tag: string): string => tag.replace(/^W\//, '')
