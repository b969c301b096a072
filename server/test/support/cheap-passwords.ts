import type { PasswordCost } from '../../src/keys/admin-context.ts'

/** The least that argon2id takes: for tests that are not about the time it takes to guess. */
export const CHEAP_PASSWORDS: PasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 }
