// Keys of providers that administrators paste on the website: which there are, where each comes from, and what has to
// change besides the key itself. Addresses are not among them: who sets one also decides who receives the key. So private
// engines have none here either: each needs an address first, which is entered together with its key (`service-engines.ts`).
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import type { Setting } from '@bowerbird/engines/setting.ts'
import { ALL_SOURCES } from '@bowerbird/engines/sources/all.ts'
import type { AdminContext } from '../keys/admin-context.ts'
import type { Configuration } from './configuration.ts'
import { freeSlot } from './slot-configuration.ts'

export interface ProviderKey {
  /** The name of the setting. */
  setting: string
  /** The display name of the provider. */
  provider: string
  /** undefined: it isn't set. */
  origin: 'environment' | 'database' | undefined
}

export interface ProviderKeys {
  /** Whether a key can be kept in the database: see `stored-settings.ts`. */
  canStore: boolean
  list: () => ProviderKey[]
  /** Stores a key, or removes it if it is undefined. On this node it is in force when this resolves. */
  save: (setting: string, value: string | undefined, by: AdminContext) => Promise<void>
}

const ENGINES = ALL_ENGINES.filter(({ isPrivate }) => !isPrivate)

/** An engine and a data source of the same provider share their key. */
const KEYS: ReadonlyMap<string, string> = new Map(
  [...ALL_SOURCES, ...ENGINES].flatMap(({ name, settings }) =>
    Object.values<Setting>(settings).flatMap(({ env, isSecret }): [string, string][] =>
      isSecret ? [[env, name]] : [],
    ),
  ),
)

export const listProviderKeys = (
  { isFixed }: Pick<Configuration, 'isFixed'>,
  stored: Readonly<Record<string, string>>,
): ProviderKey[] =>
  [...KEYS]
    .map(([setting, provider]) => ({
      setting,
      provider,
      origin: isFixed(setting) ? ('environment' as const) : setting in stored ? ('database' as const) : undefined,
    }))
    .toSorted((one, other) => one.provider.localeCompare(other.provider, 'en'))

/** With its first key, an engine that is in no slot gets the first free one: otherwise the key would do nothing. */
export function editsForKey(
  setting: string,
  value: string | undefined,
  { slots, isFixed }: Pick<Configuration, 'slots' | 'isFixed'>,
): Record<string, string | undefined> {
  const engine = ENGINES.find(({ settings }) => Object.values<Setting>(settings).some(({ env }) => env === setting))
  const bound = new Set([...slots.values()].flatMap((binding) => Object.values(binding).flat()))
  const free = freeSlot(slots, isFixed)
  const isUseless = value === undefined || !engine || bound.has(engine.slug) || free === undefined
  return { [setting]: value, ...(!isUseless && { [free]: engine.slug }) }
}
