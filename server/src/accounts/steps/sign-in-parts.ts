// Dependencies of every way of signing in.
import type { AccountParts } from '../account-parts.ts'
import type { Passkeys } from '../passkeys/passkeys.ts'
import type { SecondFactor } from '../second-factor.ts'

export interface SignInParts extends AccountParts {
  secondFactor: SecondFactor
  passkeys: Passkeys
}
