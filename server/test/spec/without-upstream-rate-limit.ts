// Settings under which no provider has a rate limit: tests ask more often than the terms of the real ones allow, and
// only the sandbox hears of it.
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'

export const WITHOUT_PACE: Record<string, string> = Object.fromEntries(
  ALL_ENGINES.map(({ slug }) => [`${slug.toUpperCase()}_PACE`, '10000/s']),
)
