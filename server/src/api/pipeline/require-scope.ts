import { Refusal } from '../../errors.ts'
import type { Scope } from '../../keys/scopes.ts'
import type { VerifiedKey } from '../../keys/verify-key.ts'

/** Throws the 403. */
export function requireScope(key: VerifiedKey, scope: Scope | undefined): void {
  if (scope && !key.scopes.has(scope)) throw new Refusal(403, `This API key does not have the ${scope} scope.`)
}
