// Notifies nodes that cache keys of changes: a message names the prefixes that changed, and every node drops them from
// its cache. Messages may be lost, so `updated_at` is set in the same transaction, and `change-feed.ts` reads it.
import { sql } from 'kysely'

/** Redis between nodes, a plain function call within a process. Publishing never fails, and nothing waits for it. */
export interface KeyChanges {
  publish: (message: string) => void
  subscribe: (onMessage: (message: string) => void) => void
}

const PREFIXES_IN_A_MESSAGE = 1_000

/** Call it after the commit: a node notified earlier would read the old state again. */
export function announceChange(changes: KeyChanges, prefixes: readonly string[]): void {
  for (let from = 0; from < prefixes.length; from += PREFIXES_IN_A_MESSAGE) {
    changes.publish(prefixes.slice(from, from + PREFIXES_IN_A_MESSAGE).join(' '))
  }
}

export const readChange = (message: string): string[] => message.split(' ')

/** The database's clock, but never the same value twice for a key, so that every change gets a new version. */
export const nextUpdatedAt = sql<Date>`greatest(clock_timestamp(), updated_at + interval '1 microsecond')`

/** A message bus within a single process. */
export function createLocalChanges(): KeyChanges {
  const listeners: ((message: string) => void)[] = []
  return {
    publish: (message) => {
      for (const listener of listeners) listener(message)
    },
    subscribe: (onMessage) => {
      listeners.push(onMessage)
    },
  }
}
