// The settings that administrators change on the website: what the database has of them, what is in force, and how a change
// comes into force on this node, wherever it was made.
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import type { Log } from '../log.ts'
import { type Configuration, requireConfiguration } from '../settings/configuration.ts'
import { followSettings } from '../settings/follow-settings.ts'
import { editsForService, editsToRemove, listServiceEngines, type ServiceEngines } from '../settings/service-engines.ts'
import { createSettingsDesk } from '../settings/settings-desk.ts'
import type { SettingsContext, StoredSettings } from '../settings/stored-settings.ts'

const STORED_ADVICE =
  'Some of these settings are in the database: bowerbird config says which, and bowerbird config unset removes one.'

const SHIPPED_SLUGS: ReadonlySet<string> = new Set(ALL_ENGINES.map(({ slug }) => slug))

export async function composeSettings(environment: Configuration, access: SettingsContext, log: Log) {
  const { settings: store, changes } = access
  let stored = await store.read()
  let configuration = toConfiguration(stored)

  function toConfiguration({ values, unreadable }: StoredSettings): Configuration {
    if (unreadable.length > 0)
      log.warn({ settings: unreadable }, 'these keys were encrypted with another INSTANCE_SECRET; set them again')
    return requireConfiguration(environment.withStored(values), STORED_ADVICE)
  }

  let follower: ReturnType<typeof followSettings> | undefined
  /** Resolves when a change that was stored before the call is in force. */
  const catchUp = async (): Promise<void> => await follower?.catchUp()

  const slugsFromFolder = new Set(environment.allEngines.map(({ slug }) => slug)).difference(SHIPPED_SLUGS)
  const known = () => ({
    configuration,
    stored: stored.values,
    secrets: stored.secrets,
    isFromFolder: (slug: string) => slugsFromFolder.has(slug),
  })
  const serviceEngines: ServiceEngines = {
    canStore: store.takesSecrets,
    list: () => listServiceEngines(known()),
    editsFor: (engine, values) => editsForService(engine, values, known()),
    remove: (engine) => editsToRemove(engine, known()),
    async save(edits, by) {
      await store.change(by, edits)
      await catchUp()
    },
  }
  return {
    configuration: () => configuration,
    desk: createSettingsDesk({ store, configuration: () => configuration, stored: () => stored, catchUp }),
    serviceEngines,
    /** Follows changes from now on. `apply` puts a newer configuration in force, or throws, and the one before stays. */
    follow(apply: (configuration: Configuration) => void): () => Promise<void> {
      follower = followSettings({
        store,
        changes,
        version: stored.version,
        apply(newer) {
          const next = toConfiguration(newer)
          apply(next)
          stored = newer
          configuration = next
        },
        log,
      })
      return follower.stop
    },
  }
}

export type StoredSettingsParts = Awaited<ReturnType<typeof composeSettings>>
