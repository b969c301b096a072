// Settings without provider rate limits: tests call more often than the real terms allow, but only the sandbox.
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'

export const WITHOUT_RATE_LIMIT: Record<string, string> = Object.fromEntries(
  ALL_ENGINES.map(({ slug }) => [`${slug.toUpperCase()}_RATE_LIMIT`, '10000/s']),
)
