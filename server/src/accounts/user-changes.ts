// How nodes that remember who is signed in learn that something about a user has changed: over the bus of the keys. No
// prefix of a key has a colon in it, so whoever listens for keys finds nothing to forget in such a message. It may be
// lost: what is remembered of a session is seconds old at most.
import type { KeyChanges } from '../keys/key-changes.ts'

const MARK = 'user:'

/** To be called after the commit. */
export const announceUserChange = (changes: KeyChanges, userId: string): void => changes.publish(MARK + userId)

export function hearUserChanges(changes: KeyChanges, onChange: (userId: string) => void): void {
  changes.subscribe((message) => {
    if (message.startsWith(MARK)) onChange(message.slice(MARK.length))
  })
}
