// Parses an authenticator's answer as the browser sends it. Nothing in it can be trusted before the signature has been
// verified.
import { z } from 'zod'

const LONGEST = 20_000
const bytes = z.string().regex(/^[\w-]+$/)

const NewPasskey = z.object({
  id: bytes,
  rawId: bytes,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z
      .array(z.string().regex(/^[a-z-]{1,20}$/))
      .max(10)
      .catch([]),
  }),
})

const PasskeyUse = z.object({
  id: bytes,
  rawId: bytes,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: bytes.nullish().catch(undefined),
  }),
})

export const readNewPasskey = (text: string) => read(NewPasskey, text)
export const readPasskeyUse = (text: string) => read(PasskeyUse, text)

/** Undefined if it is not an answer. */
function read<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> | undefined {
  if (text.length > LONGEST) return undefined
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    // Not JSON; JSON.parse reports that only by throwing.
    return undefined
  }
}
