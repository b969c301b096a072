// Counts the providers that are down, for the dot in the footer of every page. No page waits for it: a page shows the
// last known count, and the first page after 15 seconds refreshes it.
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
      // The footer then shows the state as unknown.
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
