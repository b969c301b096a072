// What a browser carries while its person is at an identity provider, in a cookie of ten minutes: the secrets that the
// provider's answer must match, and what the person is about to do. It is encrypted for one provider, so neither the
// browser nor another provider can read or change it, and nothing about it is stored here.
import { z } from 'zod'
import { createEncryption } from '../text/cryptography.ts'

const Intent = z.discriminatedUnion('purpose', [
  z.object({
    purpose: z.literal('sign-in'),
    next: z.string(),
    /** With which they create an account, under this name. */
    invitation: z.object({ token: z.string(), username: z.string() }).optional(),
  }),
  z.object({ purpose: z.literal('connect'), userId: z.string(), sessionId: z.string() }),
  z.object({ purpose: z.literal('confirm'), userId: z.string(), sessionId: z.string(), next: z.string() }),
])

const Pending = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  expiresAt: z.number(),
  intent: Intent,
})

/** What the person is about to do, and for what is only theirs to do, who it is. */
export type SignInIntent = z.output<typeof Intent>
export type PendingSignIn = z.output<typeof Pending>

interface PendingParts {
  instanceSecret: string
  randomBytes: (size: number) => Uint8Array
  clock: () => number
}

export const PENDING_SECONDS = 600
/** What browsers keep of a cookie. */
const MAX_LENGTH = 4_000

export function createPendingSignIns({ instanceSecret, randomBytes, clock }: PendingParts) {
  const encryption = createEncryption(instanceSecret, 'bowerbird pending sign-ins', randomBytes)
  return {
    seal(provider: string, pending: Omit<PendingSignIn, 'expiresAt'>): string {
      const plain = JSON.stringify({ ...pending, expiresAt: clock() + PENDING_SECONDS * 1_000 })
      return encryption.encrypt(Buffer.from(plain), provider).toString('base64url')
    },
    /** Undefined unless it was sealed here, for this provider, in the last ten minutes. */
    open(provider: string, sealed: string): PendingSignIn | undefined {
      if (sealed === '' || sealed.length > MAX_LENGTH) return undefined
      const plain = encryption.decrypt(Buffer.from(sealed, 'base64url'), provider)
      if (!plain) return undefined
      const pending = Pending.parse(JSON.parse(plain.toString()))
      return pending.expiresAt > clock() ? pending : undefined
    },
  }
}
