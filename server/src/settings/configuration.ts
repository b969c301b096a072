// The whole configuration of an instance, read from the environment and, for some settings that it doesn't set, from the
// database. Everything is validated before anything starts. Any mistake prevents the start, and all mistakes are reported
// together.
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import type { Engine } from '@bowerbird/engines/engine.ts'
import { z } from 'zod'
import { addStored, type Mistake, readWritten, type WrittenSettings } from '../config/environment.ts'
import { isSecret, type ShownSetting, showSetting } from '../config/setting-types.ts'
import { Refusal } from '../errors.ts'
import { findTileFile, type TileFile } from '../maps/map-tiles.ts'
import type { IdentityProvider } from '../oidc/identity-provider.ts'
import type { UserLimits } from '../rate-limit/rate-limiter.ts'
import type { ThinRule } from '../search/plan.ts'
import type { SlotBinding } from '../search/slots.ts'
import { appearanceOf, LONG_SETTINGS } from './appearance.ts'
import { INSTANCE_SETTINGS, type InstanceSettings } from './instance-settings.ts'
import type { KeylessChoice } from './keyless-setting.ts'
import { operationOf } from './operation-configuration.ts'
import { documentSettingOf, isDocumentSetting, readOwnEngines, readStoredEngines } from './own-engines.ts'
import {
  type ConfiguredEngine,
  type ConfiguredSource,
  type HiddenProvider,
  isCapSetting,
  PROVIDER_SETTINGS,
  readEngines,
  readSources,
  settingsOf,
} from './provider-configuration.ts'
import { isNamedProviderSetting, readIdentityProviders, trustedHeaderOf } from './sign-in-configuration.ts'
import { isSlotSetting, privateMistakes, readMine, readSlots } from './slot-configuration.ts'

/** All settings of the schema. */
const showSettings = (written: WrittenSettings): ShownSetting[] =>
  Object.entries(INSTANCE_SETTINGS.shape).map(([env, schema]) => {
    const fallback = schema instanceof z.ZodPrefault ? schema.def.defaultValue : undefined
    // What is long is no secret, but isn't listed either.
    return showSetting(written, { env, isSecret: isSecret(schema) || LONG_SETTINGS.has(env), fallback })
  })

/** Off by default: each key has its own limits. */
function userLimitsOf(settings: InstanceSettings): UserLimits | undefined {
  const { USER_RATE_LIMIT_BURST: burst, USER_RATE_LIMIT_SUSTAINED: sustained, USER_MONTHLY_CAP: monthlyCap } = settings
  return burst || sustained || monthlyCap !== undefined ? { burst, sustained, monthlyCap } : undefined
}

const configurationOf = (settings: InstanceSettings) => ({
  host: settings.HOST,
  port: settings.PORT,
  /** '': use the address that the client used. */
  publicUrl: settings.PUBLIC_URL ?? '',
  /** undefined: no page on another origin may call the API. */
  corsOrigins: settings.CORS_ORIGINS,
  databaseUrl: settings.DATABASE_URL,
  redisUrl: settings.REDIS_URL,
  /** For cached responses; undefined: they are in `redisUrl` too. */
  redisCacheUrl: settings.REDIS_CACHE_URL,
  /** Whether the instance starts even if Redis refuses it. */
  redisOptional: settings.REDIS_OPTIONAL,
  dataFolder: settings.DATA_DIR,
  limits: {
    burst: settings.API_THROTTLE_BURST,
    sustained: settings.API_THROTTLE_SUSTAINED,
    monthlyCap: settings.API_MONTHLY_CAP,
  },
  /** For all keys of a user together; undefined if none is set. */
  userLimits: userLimitsOf(settings),
  trustedProxies: settings.TRUSTED_PROXIES ?? [],
  searchTimeoutMs: settings.SEARCH_TIMEOUT_MS,
  maxReplyBytes: settings.UPSTREAM_MAX_BYTES,
  operatorContact: settings.OPERATOR_CONTACT,
  /** The proxy for all outgoing connections to others; undefined: none. */
  outgoingProxy: settings.OUTGOING_PROXY,
  /** What the website calls itself. */
  instanceName: settings.INSTANCE_NAME,
  /** What else makes it the operator's own. */
  appearance: appearanceOf(settings),
  /** What happens to queries that hold a secret. */
  queryGuard: { site: settings.QUERY_GUARD ?? 'warn', keys: settings.QUERY_GUARD ?? 'off' },
  /** Who may search on the website: signed-in users, or everyone. */
  siteAccess: settings.SITE_ACCESS,
  site: {
    /** How much of a provider's caps visitors may spend together. */
    visitorShare: settings.VISITOR_BUDGET_SHARE,
    /** Who gets suggestions while typing on the website. */
    suggestionsFor: settings.SITE_SUGGESTIONS,
    /** Whether results on the website show site icons, which this server fetches. */
    showsIcons: settings.RESULT_ICONS,
    /** Host names that clients may use, on the website and in the API; undefined: any. */
    allowedHosts: settings.ALLOWED_HOSTS,
    /** Whether keys that allow it may be sent in the URL path. */
    areUrlKeysOn: settings.URL_KEYS,
    /** Which clients people may connect by OAuth. */
    oauthClients: settings.MCP_OAUTH_CLIENTS,
  },
  /** An image proxy that fetches pictures for the website. */
  imageProxyUrl: settings.IMAGE_PROXY_URL,
  /** Whether keys with the read scope can read pages. */
  isReaderOn: settings.READER,
  /** A proxy that fetches the pages to read. */
  readerProxyUrl: settings.READER_PROXY_URL,
  /** undefined: one is generated and kept in the database. */
  instanceSecret: settings.INSTANCE_SECRET,
  accounts: {
    policy: {
      sessionMaxDays: settings.SESSION_MAX_DAYS,
      temporaryPasswordDays: settings.TEMPORARY_PASSWORD_DAYS,
      requireSecondFactor: settings.REQUIRE_SECOND_FACTOR,
      isPasswordSignInOn: settings.PASSWORD_SIGN_IN,
    },
    /** undefined: no header says who someone is. */
    trustedHeader: trustedHeaderOf(settings),
    auditRetentionDays: settings.AUDIT_RETENTION_DAYS,
    maxKeysPerUser: settings.MAX_KEYS_PER_USER,
    /** undefined: new keys don't expire unless their creator says so. */
    defaultKeyDays: settings.KEY_EXPIRY_DAYS,
  },
  operation: operationOf(settings),
  logLevel: settings.LOG_LEVEL,
  /** Caps how long any reply is cached, even if the provider's terms allow more; 0 turns caching off. */
  cacheSeconds: settings.SEARCH_CACHE_SECONDS,
  /** From calibrations. */
  calibratedWeights: settings.CALIBRATED_WEIGHTS,
  /** The private engines, in order. */
  mine: settings.MINE,
  /** The engines that provide suggestions. */
  suggesters: settings.SUGGEST,
  /** The interval between health checks of data sources. */
  probeSeconds: settings.PROBE_SECONDS,
  /** Longest text to translate, in characters. */
  translateMaxCharacters: settings.TRANSLATE_MAX_CHARACTERS,
  translateTimeoutMs: settings.TRANSLATE_TIMEOUT_MS,
  /** Instant answers that are turned off. */
  disabledAnswers: settings.INSTANT_DISABLED,
  /** Kinds of cards that are turned off. */
  disabledCards: settings.CARDS_DISABLED,
})

/** The settings above, and those of slots and providers. */
export interface Configuration extends ReturnType<typeof configurationOf> {
  keyless: KeylessConfiguration
  /** By slot name, in slot order. */
  slots: Map<string, SlotBinding>
  /** Each slot's weight in the merge. */
  weights: Map<string, number>
  /** When each slot is queried, if not always. */
  askConditions: Map<string, ThinRule>
  engines: Map<string, ConfiguredEngine>
  /** Every engine that could be bound: those of the program, and the operator's own. */
  allEngines: readonly Engine[]
  /** The documents in the database, by slug. */
  documents: ReadonlyMap<string, string>
  sources: Map<string, ConfiguredSource>
  /** undefined: the website has no map of its own. */
  mapTiles: TileFile | undefined
  /** Whom people can sign in with. */
  identityProviders: readonly IdentityProvider[]
  /** Whether the environment sets it, and so overrides the database. */
  isFixed: (setting: string) => boolean
  /** What the environment or the database sets, of settings that are no secrets; undefined: its default counts. */
  writtenValue: (setting: string) => string | undefined
  /** The configuration with these settings from the database. */
  withStored: (values: Readonly<Record<string, string>>) => ReadConfiguration
}

/** Which of the keyless engines are bound by default. */
interface KeylessConfiguration {
  current: KeylessChoice
  /** Whether the environment sets KEYLESS_ENGINES, which overrides the choice on the website. */
  isFixed: boolean
}

export interface ReadConfiguration {
  /** The configuration, or every mistake in it. */
  verdict: { ok: true; value: Configuration } | { ok: false; mistakes: readonly Mistake[] }
  /** For the command line: available even with mistakes. */
  dataFolder: string
  publicUrl: string | undefined
  slots: ReadonlyMap<string, SlotBinding>
  mine: readonly string[]
  allEngines: readonly Engine[]
  shown: ShownSetting[]
  hidden: HiddenProvider[]
}

export const isInstanceSetting = (name: string): boolean =>
  name in INSTANCE_SETTINGS.shape || isSlotSetting(name) || isDocumentSetting(name) || isNamedProviderSetting(name)
/** Whether the environment may set it. A document there is a file. */
const isSetting = (name: string): boolean =>
  (isInstanceSetting(name) && !isDocumentSetting(name)) || PROVIDER_SETTINGS.has(name)

/** Whether a page may show its value. */
function isPublicSetting(name: string): boolean {
  if (isSlotSetting(name) || isCapSetting(name)) return true
  const schema = Object.entries(INSTANCE_SETTINGS.shape).find(([env]) => env === name)?.[1]
  return schema !== undefined && !isSecret(schema)
}

/** `earlier` holds the mistakes found while reading the env file. */
export function readConfiguration(env: NodeJS.ProcessEnv, earlier: readonly Mistake[] = []): ReadConfiguration {
  const folder = readWritten(env, (name) => name === 'ENGINES_DIR').values['ENGINES_DIR']
  const own = readOwnEngines(folder, isInstanceSetting)
  const ownSettings = settingsOf(own.engines)
  const written = readWritten(env, (name) => isSetting(name) || ownSettings.has(name))
  written.mistakes.unshift(...earlier, ...own.mistakes)
  return configure(written, [...ALL_ENGINES, ...own.engines], {})
}

/** `known` are the engines without those whose documents are stored. */
function configure(
  environment: WrittenSettings,
  known: readonly Engine[],
  stored: Readonly<Record<string, string>>,
): ReadConfiguration {
  const written = addStored(environment, stored)
  const { values, mistakes } = written
  const isFixed = (name: string) => environment.values[name] !== undefined
  const storedEngines = readStoredEngines(stored, known, isInstanceSetting)
  mistakes.push(...storedEngines.mistakes)
  const allEngines = [...known, ...storedEngines.engines]
  const settings = INSTANCE_SETTINGS.safeParse(values)
  for (const { path, message } of settings.error?.issues ?? []) mistakes.push({ env: String(path[0]), message })
  const documents = new Map(storedEngines.engines.map(({ slug }) => [slug, stored[documentSettingOf(slug)] ?? '']))

  const choice: KeylessConfiguration = {
    current: readAlone('KEYLESS_ENGINES', values) ?? 'foundations',
    isFixed: isFixed('KEYLESS_ENGINES'),
  }
  const bound = bindEngines(written, allEngines, choice.current)
  const sources = readSources(written, values['OPERATOR_CONTACT'] ?? '')
  const identities = readIdentityProviders(written)
  const mapTiles = readMapTiles(written)
  const shown = [
    ...bound.shownSlots,
    ...storedEngines.engines.map(({ slug }) => shownDocument(slug)),
    ...bound.engines.shown,
    ...sources.shown,
    ...showSettings(written),
    ...identities.shown,
  ]
  const read = {
    dataFolder: dataFolderOf(values),
    publicUrl: readAlone('PUBLIC_URL', values),
    slots: bound.slots,
    mine: bound.mine,
    allEngines,
    // An engine and a data source of the same provider share settings.
    shown: [...new Map(shown.map((setting) => [setting.env, setting])).values()],
    hidden: [...bound.engines.hidden, ...sources.hidden],
  }
  if (!settings.success || mistakes.length > 0) return { ...read, verdict: { ok: false, mistakes } }
  const value: Configuration = {
    ...configurationOf(settings.data),
    keyless: choice,
    slots: bound.slots,
    weights: bound.weights,
    askConditions: bound.askConditions,
    engines: bound.engines.providers,
    allEngines,
    documents,
    sources: sources.providers,
    mapTiles,
    identityProviders: identities.providers,
    isFixed,
    writtenValue: (name) => (isPublicSetting(name) ? values[name] : undefined),
    withStored: (newer) => configure(environment, known, newer),
  }
  return { ...read, verdict: { ok: true, value } }
}

/** One setting's valid value; undefined if it has a mistake, which the whole schema reports. */
const readAlone = <Name extends keyof InstanceSettings>(
  name: Name,
  values: WrittenSettings['values'],
): InstanceSettings[Name] | undefined =>
  // The shape's schema of a name makes the value of that name.
  INSTANCE_SETTINGS.shape[name].safeParse(values[name]).data as InstanceSettings[Name] | undefined

/**
 * Binds engines to slots, to Mine and to suggestions, and reads the settings of those that are bound. What has a mistake
 * is left out, so that the rest is checked as well.
 */
function bindEngines(written: WrittenSettings, allEngines: readonly Engine[], keyless: KeylessChoice) {
  const { values } = written
  const off = readAlone('ENGINES_OFF', values) ?? []
  const { slots, weights, askConditions, shown: shownSlots } = readSlots(written, { keyless, off }, allEngines)
  const mine = readMine(written, readAlone('MINE', values) ?? [], allEngines)
  const suggesting = readSuggesters(written, readAlone('SUGGEST', values) ?? [], allEngines)
  const boundSlugs = new Set([...mine, ...[...slots.values()].flatMap((slot) => Object.values(slot).flat())])
  const isUsed = (engine: Engine) => boundSlugs.has(engine.slug) || suggesting.includes(engine)
  const engines = readEngines(written, allEngines.filter(isUsed))
  return { slots, weights, askConditions, shownSlots, mine, engines }
}

function readSuggesters(written: WrittenSettings, slugs: readonly string[], engines: readonly Engine[]): Engine[] {
  const known = engines.filter(({ suggest }) => suggest)
  const named = known.filter(({ slug }) => slugs.includes(slug))
  const message = `must be none, or only contain: ${known.map(({ slug }) => slug).join(', ')}.`
  if (named.length < slugs.length) written.mistakes.push({ env: 'SUGGEST', message })
  written.mistakes.push(...privateMistakes('SUGGEST', named))
  return named
}

const dataFolderOf = (values: WrittenSettings['values']): string => values['DATA_DIR'] ?? './data'

function readMapTiles({ values, mistakes }: WrittenSettings): TileFile | undefined {
  const found = findTileFile(values['MAP_TILES'], dataFolderOf(values))
  if (found && 'problem' in found) mistakes.push({ env: 'MAP_TILES', message: found.problem })
  return found && 'file' in found ? found.file : undefined
}

const shownDocument = (slug: string): ShownSetting => ({
  env: documentSettingOf(slug),
  shown: 'set',
  origin: 'database',
})

/** Returns the configuration, or throws a refusal that names every mistake. `advice` follows them. */
export function requireConfiguration({ verdict }: Pick<ReadConfiguration, 'verdict'>, advice = ''): Configuration {
  if (verdict.ok) return verdict.value
  const list = verdict.mistakes.map(({ env, message }) => `  ${env} ${message}`).join('\n')
  throw new Refusal('parameter_invalid', `The configuration has mistakes:\n${list}${advice && `\n${advice}`}`)
}
