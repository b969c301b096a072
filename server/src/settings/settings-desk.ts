// The settings as administrators see and change them on the website: each with where it comes from, one change for one
// form, and what is stored as an env file.
import type { AdminContext } from '../keys/admin-context.ts'
import type { Configuration } from './configuration.ts'
import { type EnginePlace, type EngineWish, editsForEngine, freeSlots, placeOf } from './engine-settings.ts'
import { envFileOf } from './env-file.ts'
import { listProviderKeys, type ProviderKey } from './provider-keys.ts'
import type { SettingsStore, StoredSettings } from './stored-settings.ts'

export interface SettingsDesk {
  /** Whether a key can be kept in the database: see `stored-settings.ts`. */
  takesSecrets: boolean
  /** The number of changes so far. */
  readonly version: number
  /** undefined: it isn't set, so its default counts. */
  originOf: (setting: string) => 'environment' | 'database' | undefined
  /** What is set; undefined for a secret, and if its default counts. */
  writtenValue: (setting: string) => string | undefined
  /** The keys of all providers but the private ones. */
  keys: () => ProviderKey[]
  placeOf: (engine: string) => EnginePlace
  /** The letters of the slots without an engine. */
  freeSlots: () => string[]
  /** The weight of a slot, by its letter. */
  weightOf: (letter: string) => number
  /** `always`, or `thin` with or without its figures. */
  whenOf: (letter: string) => string
  /** Each returns the names of what has changed. On this node it is in force when it resolves. */
  change: (by: AdminContext, edits: Readonly<Record<string, string | undefined>>) => Promise<string[]>
  changeEngine: (by: AdminContext, engine: string, wish: EngineWish) => Promise<string[]>
  /** What is stored, without secrets. */
  exportFile: () => string
}

interface DeskParts {
  store: Pick<SettingsStore, 'takesSecrets' | 'change'>
  /** What is in force now. */
  configuration: () => Configuration
  stored: () => StoredSettings
  /** Puts what was stored into force. */
  catchUp: () => Promise<void>
}

export function createSettingsDesk({ store, configuration, stored, catchUp }: DeskParts): SettingsDesk {
  const desk: SettingsDesk = {
    takesSecrets: store.takesSecrets,
    get version() {
      return stored().version
    },
    originOf: (setting) =>
      configuration().isFixed(setting) ? 'environment' : setting in stored().values ? 'database' : undefined,
    writtenValue: (setting) => configuration().writtenValue(setting),
    keys: () => listProviderKeys(configuration(), stored().values),
    placeOf: (engine) => placeOf(engine, configuration()),
    freeSlots: () => freeSlots(configuration()),
    whenOf: (letter) => configuration().writtenValue(`ENGINE_${letter}_WHEN`) ?? 'always',
    weightOf: (letter) => configuration().weights.get(`engine_${letter.toLowerCase()}`) ?? 1,
    async change(by, edits) {
      const changed = await store.change(by, edits)
      await catchUp()
      return changed
    },
    changeEngine: (by, engine, wish) =>
      desk.change(by, editsForEngine(engine, wish, { configuration: configuration(), stored: stored().values })),
    exportFile() {
      const { values, secrets } = stored()
      const shown = Object.entries(values).filter(([name]) => !secrets.includes(name))
      return envFileOf(
        Object.fromEntries(shown.toSorted(([one], [other]) => (one < other ? -1 : 1))),
        secrets.toSorted(),
      )
    },
  }
  return desk
}
