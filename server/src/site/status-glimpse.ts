// How many providers are down, for the dot that every page has in its footer. No page waits for it: a page shows what
// was known last, and the first one after a while asks again.
import type { ProviderStatusBoard } from '../health/provider-status.ts'

const FRESH_MS = 15_000

export function createStatusGlimpse(
  status: Pick<ProviderStatusBoard, 'list'>,
  clock: () => number,
): () => number | undefined {
  let down: number | undefined
  let askedAt = Number.NEGATIVE_INFINITY
  const look = async () => {
    try {
      const providers = await status.list()
      down = providers.filter(({ health }) => health?.state === 'down').length
    } catch {
      // Unknown is an answer as well: the dot goes away.
      down = undefined
    }
  }
  return () => {
    const now = clock()
    if (Math.abs(now - askedAt) >= FRESH_MS) {
      askedAt = now
      void look()
    }
    return down
  }
}
