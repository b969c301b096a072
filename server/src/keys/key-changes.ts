// Announces changed keys, users, settings and site rules to all nodes. A message contains either the prefixes of keys or a
// user's id, and every node drops those keys, or that user's sessions, from its cache; or it makes every node read the
// settings or the rules.
// Messages may be lost, so every change to a key also sets its `updated_at` in the same transaction, and the change feed
// in `key-cache.ts` reads that.

/** The bus: Redis between nodes, function calls within a process. Publishing never fails, and nothing waits for it. */
export interface ChangeBus {
  publish: (message: string) => void
  subscribe: (onMessage: (message: string) => void) => void
}

const PREFIXES_PER_MESSAGE = 1_000

/** Call it after the commit: a node notified earlier would read the old state again. */
export function announceKeyChange(changes: ChangeBus, prefixes: readonly string[]): void {
  for (let from = 0; from < prefixes.length; from += PREFIXES_PER_MESSAGE) {
    changes.publish(prefixes.slice(from, from + PREFIXES_PER_MESSAGE).join(' '))
  }
}

/** The prefixes in a message. In a message about a user, the only "prefix" is one that no key has. */
export const prefixesIn = (message: string): string[] => message.split(' ')

/** A message bus within a single process. */
export function createLocalChangeBus(): ChangeBus {
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

/** Key prefixes contain no colon, so the key cache finds nothing to drop in a message about a user. */
const USER_LABEL = 'user:'

/**
 * Makes every node drop its cached sessions of the user. Call it after the commit. If the message is lost, the cached
 * sessions expire within seconds anyway.
 */
export const announceUserChange = (changes: ChangeBus, userId: string): void => changes.publish(USER_LABEL + userId)

export function subscribeToUserChanges(changes: ChangeBus, onChange: (userId: string) => void): void {
  changes.subscribe((message) => {
    if (message.startsWith(USER_LABEL)) onChange(message.slice(USER_LABEL.length))
  })
}

/** Like a user's, it names no key. */
const SETTINGS = 'settings:'

/** Makes every node read the settings in the database. Call it after the commit. */
export const announceSettingsChange = (changes: ChangeBus): void => changes.publish(SETTINGS)

export function subscribeToSettingsChanges(changes: Pick<ChangeBus, 'subscribe'>, onChange: () => void): void {
  changes.subscribe((message) => {
    if (message === SETTINGS) onChange()
  })
}

/** Like a user's, it names no key. */
const RULES = 'rules:'

/** Makes every node read the site rules that have changed. Call it after the commit. */
export const announceRulesChange = (changes: ChangeBus): void => changes.publish(RULES)

export function subscribeToRulesChanges(changes: Pick<ChangeBus, 'subscribe'>, onChange: () => void): void {
  changes.subscribe((message) => {
    if (message === RULES) onChange()
  })
}
