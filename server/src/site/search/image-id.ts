// The id of an image in URLs. The detail page looks it up in the results again, because a page that took the image's
// address from its URL would sign any address for the image proxy.
import { hash } from 'node:crypto'
import type { ImageHit } from '@bowerbird/engines/engine.ts'

export const imageId = ({ url, thumbnailUrl }: ImageHit): string =>
  hash('sha256', `${url} ${thumbnailUrl}`, 'base64url').slice(0, 12)
