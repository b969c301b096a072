// The whole configuration of an instance, read only from the environment. Everything is validated before anything
// starts. Any mistake prevents the start, and all mistakes are reported together.
import type { AccountPolicy } from '../accounts/account-parts.ts'
import type { AllowedOrigins } from '../config/cors-origins.ts'
import { type Mistake, readWritten } from '../config/environment.ts'
import type { ShownSetting } from '../config/setting.ts'
import { Refusal } from '../errors.ts'
import type { LogLevel } from '../log.ts'
import type { Limits, UserLimits } from '../rate-limit/rate-limiter.ts'
import type { Keyless } from '../search/keyless-setting.ts'
import type { SlotBinding } from '../search/slots.ts'
import type { SuggestionsFor } from '../site/site-services.ts'
import { type OperationConfiguration, operationOf, workersMistakes } from './operation-configuration.ts'
import {
  type ConfiguredEngine,
  type ConfiguredSource,
  type HiddenProvider,
  PROVIDER_SETTINGS,
  readEngines,
  readSources,
} from './provider-configuration.ts'
import { SETTINGS, type Settings, showSettings } from './settings.ts'
import { isSlotSetting, readSlots } from './slot-configuration.ts'

export interface Configuration {
  host: string
  port: number
  /** '': use the address that the client used. */
  publicUrl: string
  /** undefined: no page on another origin may call the API. */
  corsOrigins: AllowedOrigins | undefined
  databaseUrl: string | undefined
  redisUrl: string | undefined
  /** For cached responses; undefined: they are in `redisUrl` too. */
  redisCacheUrl: string | undefined
  /** Whether the instance starts even if Redis refuses it. */
  redisOptional: boolean
  dataFolder: string
  limits: Limits
  /** For all keys of a user together; undefined if none is set. */
  userLimits: UserLimits | undefined
  trustedProxies: string[]
  searchTimeoutMs: number
  maxReplyBytes: number
  operatorContact: string
  /** Who may search on the website: signed-in users, or everyone. */
  siteAccess: 'users' | 'public'
  site: SiteConfiguration
  /** undefined: one is generated and kept in the database. */
  instanceSecret: string | undefined
  accounts: AccountConfiguration
  /** An image proxy that fetches pictures for the website. */
  pictureProxyUrl: string | undefined
  /** Whether keys with the read scope can read pages. */
  isReaderOn: boolean
  /** A proxy that fetches the pages to read. */
  readProxyUrl: string | undefined
  operation: OperationConfiguration
  logLevel: LogLevel
  /** Caps how long any reply is cached, even if the provider's terms allow more; 0 turns caching off. */
  cacheSeconds: number
  keyless: KeylessConfiguration
  /** By slot name, in slot order. */
  slots: Map<string, SlotBinding>
  /** Each slot's weight in the merge. */
  weights: Map<string, number>
  /** The engines that provide suggestions. */
  suggesters: string[]
  engines: Map<string, ConfiguredEngine>
  sources: Map<string, ConfiguredSource>
  /** The interval between health checks of data sources. */
  probeSeconds: number
  /** Longest text to translate, in characters. */
  translateMaxCharacters: number
  translateTimeoutMs: number
  /** Instant answers that are turned off. */
  answersOff: string[]
  /** Kinds of cards that are turned off. */
  cardsOff: string[]
}

interface SiteConfiguration {
  /** Who gets suggestions while typing on the website. */
  suggestionsFor: SuggestionsFor
  /** Whether results on the website show site icons, which this server fetches. */
  showsIcons: boolean
  /** Host names that clients may use, on the website and in the API; undefined: any. */
  allowedHosts: string[] | undefined
  /** Whether keys that allow it may be sent in the URL path. */
  arePathKeysOn: boolean
}

interface AccountConfiguration {
  policy: AccountPolicy
  auditRetentionDays: number
  maxKeysPerUser: number
}

/** Which of the keyless engines are bound by default. */
interface KeylessConfiguration {
  current: Keyless
  /** Whether KEYLESS is set, which overrides the choice on the website. */
  isFixed: boolean
  /** The same configuration with another choice. */
  instead: (choice: Keyless) => Configuration
}

export interface ReadConfiguration {
  /** The configuration, or every mistake in it. */
  verdict: { ok: true; value: Configuration } | { ok: false; mistakes: readonly Mistake[] }
  /** For the command line: available whatever else is wrong. */
  dataFolder: string
  publicUrl: string | undefined
  slots: ReadonlyMap<string, SlotBinding>
  shown: ShownSetting[]
  hidden: HiddenProvider[]
}

const isSetting = (name: string): boolean =>
  name in SETTINGS.shape || isSlotSetting(name) || PROVIDER_SETTINGS.has(name)

/** `earlier` holds the mistakes found while reading the env file. */
export function readConfiguration(env: NodeJS.ProcessEnv, earlier: readonly Mistake[] = []): ReadConfiguration {
  const written = readWritten(env, isSetting)
  const { values, mistakes } = written
  mistakes.unshift(...earlier)
  const settings = SETTINGS.safeParse(values)
  const issues = settings.error?.issues ?? []
  mistakes.push(...issues.map(({ path, message }) => ({ env: String(path[0]), message })))
  const { KEYLESS, SUGGEST, PUBLIC_URL } = SETTINGS.shape
  const keyless: KeylessConfiguration = {
    current: KEYLESS.safeParse(values['KEYLESS']).data ?? 'foundations',
    isFixed: values['KEYLESS'] !== undefined,
    instead: (choice) => requireConfiguration(readConfiguration({ ...env, KEYLESS: choice })),
  }
  const { slots, weights, shown } = readSlots(written, keyless.current)
  const bound = [...slots.values()].flatMap((slot) => Object.values(slot).flat())
  const engines = readEngines(written, [...bound, ...(SUGGEST.safeParse(values['SUGGEST']).data ?? [])])
  const sources = readSources(written, values['OPERATOR_CONTACT'] ?? '')
  mistakes.push(...workersMistakes(values))
  const rest = {
    slots,
    weights,
    engines: engines.providers,
    sources: sources.providers,
    keyless,
  }
  return {
    verdict:
      settings.success && mistakes.length === 0
        ? {
            ok: true,
            value: { ...configurationOf(settings.data), ...rest, operation: operationOf(settings.data, values) },
          }
        : { ok: false, mistakes },
    dataFolder: values['DATA_DIR'] ?? './data',
    publicUrl: PUBLIC_URL.safeParse(values['PUBLIC_URL']).data,
    slots,
    // An engine and a data source of the same provider share settings.
    shown: withoutRepeats([...shown, ...engines.shown, ...sources.shown, ...showSettings(written)]),
    hidden: [...engines.hidden, ...sources.hidden],
  }
}

const withoutRepeats = (shown: readonly ShownSetting[]): ShownSetting[] => [
  ...new Map(shown.map((setting) => [setting.env, setting])).values(),
]

/** Returns the configuration, or throws a refusal that names every mistake. */
export function requireConfiguration({ verdict }: Pick<ReadConfiguration, 'verdict'>): Configuration {
  if (verdict.ok) return verdict.value
  const list = verdict.mistakes.map(({ env, message }) => `  ${env} ${message}`).join('\n')
  throw new Refusal(400, `The configuration has mistakes:\n${list}`)
}

/** Off by default: the specification gives each key its own limits. */
function userLimitsOf(settings: Settings): UserLimits | undefined {
  const { USER_THROTTLE_BURST: burst, USER_THROTTLE_SUSTAINED: sustained, USER_MONTHLY_CAP: monthlyCap } = settings
  return burst || sustained || monthlyCap !== undefined ? { burst, sustained, monthlyCap } : undefined
}

type ReadApart = 'slots' | 'weights' | 'engines' | 'sources' | 'keyless' | 'operation'

const configurationOf = (settings: Settings): Omit<Configuration, ReadApart> => ({
  host: settings.HOST,
  port: settings.PORT,
  publicUrl: settings.PUBLIC_URL ?? '',
  corsOrigins: settings.CORS_ORIGINS,
  databaseUrl: settings.DATABASE_URL,
  redisUrl: settings.REDIS_URL,
  redisCacheUrl: settings.REDIS_CACHE_URL,
  redisOptional: settings.REDIS_OPTIONAL === 'true',
  dataFolder: settings.DATA_DIR,
  limits: {
    burst: settings.API_THROTTLE_BURST,
    sustained: settings.API_THROTTLE_SUSTAINED,
    monthlyCap: settings.API_MONTHLY_CAP,
  },
  userLimits: userLimitsOf(settings),
  trustedProxies: settings.TRUSTED_PROXIES ?? [],
  searchTimeoutMs: settings.SEARCH_TIMEOUT_MS,
  maxReplyBytes: settings.UPSTREAM_MAX_BYTES,
  operatorContact: settings.OPERATOR_CONTACT,
  siteAccess: settings.SITE_ACCESS,
  site: {
    suggestionsFor: settings.SITE_SUGGESTIONS,
    showsIcons: settings.RESULT_ICONS,
    allowedHosts: settings.ALLOWED_HOSTS,
    arePathKeysOn: settings.DOOR_PATH_KEYS,
  },
  pictureProxyUrl: settings.PICTURE_PROXY_URL,
  isReaderOn: settings.READER,
  readProxyUrl: settings.READ_PROXY_URL,
  instanceSecret: settings.INSTANCE_SECRET,
  accounts: {
    policy: {
      sessionMaxDays: settings.SESSION_MAX_DAYS,
      temporaryPasswordDays: settings.TEMPORARY_PASSWORD_DAYS,
      requireSecondFactor: settings.REQUIRE_SECOND_FACTOR,
    },
    auditRetentionDays: settings.AUDIT_RETENTION_DAYS,
    maxKeysPerUser: settings.MAX_KEYS_PER_USER,
  },
  logLevel: settings.LOG_LEVEL,
  cacheSeconds: settings.SEARCH_CACHE_SECONDS,
  suggesters: settings.SUGGEST,
  probeSeconds: settings.PROBE_SECONDS,
  translateMaxCharacters: settings.TRANSLATE_MAX_CHARACTERS,
  translateTimeoutMs: settings.TRANSLATE_TIMEOUT_MS,
  answersOff: settings.INSTANT_OFF,
  cardsOff: settings.CARDS_OFF,
})
