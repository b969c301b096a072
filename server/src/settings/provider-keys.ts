// Keys of providers that administrators paste on the website: which there are, and where each comes from. Addresses are
// not among them: who sets one also decides who receives the key. So private engines have none here either: each needs an
// address first, which is entered together with its key (`service-engines.ts`).
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import type { Setting } from '@bowerbird/engines/setting.ts'
import { ALL_SOURCES } from '@bowerbird/engines/sources/all.ts'
import type { Configuration } from './configuration.ts'

export interface ProviderKey {
  /** The name of the setting. */
  setting: string
  /** The display name of the provider. */
  provider: string
  /** The slug of the engine that takes it; undefined: a data source alone. */
  engine: string | undefined
  /** undefined: it isn't set. */
  origin: 'environment' | 'database' | undefined
}

const keysOf = (settings: Readonly<Record<string, Setting>>): string[] =>
  Object.values(settings).flatMap(({ env, isSecret }) => (isSecret ? [env] : []))

/** An engine and a data source of the same provider share their key. */
const KEYS: ReadonlyMap<string, Omit<ProviderKey, 'origin'>> = new Map(
  [
    ...ALL_SOURCES.flatMap(({ name, settings }) =>
      keysOf(settings).map((setting) => ({ setting, provider: name, engine: undefined })),
    ),
    ...ALL_ENGINES.filter(({ isPrivate }) => !isPrivate).flatMap(({ slug, name, settings }) =>
      keysOf(settings).map((setting) => ({ setting, provider: name, engine: slug })),
    ),
  ].map((key) => [key.setting, key]),
)

const SORTED_KEYS = [...KEYS.values()].toSorted((one, other) => one.provider.localeCompare(other.provider, 'en'))

export const listProviderKeys = (
  { isFixed }: Pick<Configuration, 'isFixed'>,
  stored: Readonly<Record<string, string>>,
): ProviderKey[] =>
  SORTED_KEYS.map((key) => ({
    ...key,
    origin: isFixed(key.setting) ? 'environment' : key.setting in stored ? 'database' : undefined,
  }))
