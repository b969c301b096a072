// The URL of a picture that a browser can load. Providers also send `//host/…`, which takes the scheme of the page and
// so means https here, and `data:` URLs, which hold the whole picture and are dropped.
import { httpAddress } from './http-address.ts'

export const pictureAddress = (value: unknown): string =>
  httpAddress(typeof value === 'string' && value.startsWith('//') ? `https:${value}` : value)
