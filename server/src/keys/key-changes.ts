// Notifies nodes that cache keys and sessions of changes: a message names a user, or the prefixes of keys, and every
// node drops them from its cache. Messages may be lost, so a key's `updated_at` is set in the same transaction, and the
// change feed in `key-cache.ts` reads it.
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

/** Key prefixes contain no colon, so key listeners find nothing to drop in a message about a user. */
const USER_LABEL = 'user:'

/**
 * Tells nodes that cache sessions. Call it after the commit. If the message is lost, they are only seconds old anyway.
 */
export const announceUserChange = (changes: KeyChanges, userId: string): void => changes.publish(USER_LABEL + userId)

export function hearUserChanges(changes: KeyChanges, onChange: (userId: string) => void): void {
  changes.subscribe((message) => {
    if (message.startsWith(USER_LABEL)) onChange(message.slice(USER_LABEL.length))
  })
}
