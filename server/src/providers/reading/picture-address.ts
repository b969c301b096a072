// The address of a picture that a browser can load by itself. Providers also write `//host/…`, which takes the scheme
// of the page it stands on and so means https here, and `data:`, which is a whole picture in an address and is dropped.
import { httpAddress } from '../../text/http-address.ts'

export const pictureAddress = (value: unknown): string =>
  httpAddress(typeof value === 'string' && value.startsWith('//') ? `https:${value}` : value)
