import type { PasswordCost } from '../../src/keys/admin-context.ts'

/** The lowest argon2id parameters, for tests in which the cost of guessing doesn't matter. */
export const CHEAP_PASSWORDS: PasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 }
