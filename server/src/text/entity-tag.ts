// ETags, with which a client asks whether its copy of a document is still current. They are weak, because one document
// is sent in several encodings.
import { createHash } from 'node:crypto'

export const entityTag = (content: string | Buffer): string =>
  `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`

/** Evaluates If-None-Match (RFC 9110, 13.1.2): a weak comparison with each tag in the list; `*` matches any. */
export function isKnownTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((known) => opaque(known.trim()) === opaque(tag))
}

const opaque = (tag: string): string => tag.replace(/^W\//, '')
