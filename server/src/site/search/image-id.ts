// The name of one picture in an address. The page of a picture looks it up among the results again, because a page that
// took the picture's own address from its reader would sign anybody's address for the image proxy.
import { hash } from 'node:crypto'
import type { ImageHit } from '../../providers/engine.ts'

export const imageId = ({ url, thumbnailUrl }: ImageHit): string =>
  hash('sha256', `${url} ${thumbnailUrl}`, 'base64url').slice(0, 12)
