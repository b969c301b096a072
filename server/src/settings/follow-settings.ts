// Keeps a node on the newest settings of the database: it reads them when a change is announced, and looks for itself
// every few seconds, because an announcement may be lost, or the database may have been away.
import { Refusal } from '../errors.ts'
import { type ChangeBus, subscribeToSettingsChanges } from '../keys/key-changes.ts'
import type { Log } from '../log.ts'
import { repeat } from '../repeat.ts'
import type { SettingsStore, StoredSettings } from './stored-settings.ts'

interface FollowParts {
  store: Pick<SettingsStore, 'read' | 'readVersion'>
  changes: Pick<ChangeBus, 'subscribe'>
  /** The version that is in force already. */
  version: number
  /** Puts a newer set in force, or throws, and the set before stays. */
  apply: (settings: StoredSettings) => void
  log: Log
  everyMs?: number
}

const LOOK_EVERY_MS = 3_000

export function followSettings({ store, changes, apply, log, everyMs = LOOK_EVERY_MS, ...start }: FollowParts) {
  let { version } = start
  let underWay: Promise<void> | undefined
  let isOutdated = false

  async function readNewer(): Promise<void> {
    do {
      isOutdated = false
      const settings = await store.read()
      // A restored backup has an older version, which is in force all the same.
      if (settings.version === version) continue
      version = settings.version
      try {
        apply(settings)
        log.info({ version }, 'settings changed')
      } catch (error) {
        // A mistake never quotes a value.
        const reason = error instanceof Refusal ? error.body['detail'] : undefined
        log.error({ err: error, version, reason }, 'the stored settings have mistakes here; keeping the ones before')
      }
    } while (isOutdated)
  }

  /** Resolves when a change that was stored before the call is in force. */
  function catchUp(): Promise<void> {
    isOutdated = true
    underWay ??= readNewer().finally(() => {
      underWay = undefined
    })
    return underWay
  }

  // The metrics report a database that is away, and the next look catches up.
  const catchUpLater = () => catchUp().catch(() => undefined)
  subscribeToSettingsChanges(changes, () => void catchUpLater())
  const stop = repeat({
    everyMs,
    async work() {
      const newest = await store.readVersion().catch(() => version)
      if (newest !== version) await catchUpLater()
    },
  })
  return { catchUp, stop }
}
