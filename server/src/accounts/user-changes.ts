// Tells nodes that cache sessions that a user has changed, over the same bus as key changes. Key prefixes contain no
// colon, so key listeners find nothing to drop in such a message. If a message is lost, cached sessions are only
// seconds old anyway.
import type { KeyChanges } from '../keys/key-changes.ts'

const MARK = 'user:'

/** Call after the commit. */
export const announceUserChange = (changes: KeyChanges, userId: string): void => changes.publish(MARK + userId)

export function hearUserChanges(changes: KeyChanges, onChange: (userId: string) => void): void {
  changes.subscribe((message) => {
    if (message.startsWith(MARK)) onChange(message.slice(MARK.length))
  })
}
