// An address in a cached answer. What comes back from Redis is untrusted input, and whoever can write there must not be
// able to send readers to a `javascript:` address.
import { z } from 'zod'
import { httpAddress } from '../../text/http-address.ts'

export const HttpUrl = z.string().refine((text) => httpAddress(text) !== '')
