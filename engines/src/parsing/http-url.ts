// A URL in a cached answer. Data from Redis is untrusted input: an attacker who can write there must not be able to
// send users to a `javascript:` URL.
import { z } from 'zod'
import { httpAddress } from './http-address.ts'

export const HttpUrl = z.string().refine((text) => httpAddress(text) !== '')
