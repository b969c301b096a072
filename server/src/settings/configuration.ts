// The whole configuration of an instance, read from the environment and, for some settings that it doesn't set, from the
// database. Everything is validated before anything starts. Any mistake prevents the start, and all mistakes are reported
// together: the readers of each subject get `report`, and leave out what has a mistake so that the rest is read as well.
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import type { Engine } from '@bowerbird/engines/engine.ts'
import { z } from 'zod'
import type { AccountPolicy } from '../accounts/account-parts.ts'
import {
  addStored,
  type EnvironmentSettings,
  type Mistake,
  type ReportMistakes,
  readWritten,
  type WrittenSettings,
} from '../config/environment.ts'
import { type AllowedOrigins, isSecret, type ShownSetting, showSetting } from '../config/setting-types.ts'
import { Refusal } from '../errors.ts'
import type { LogLevel } from '../log.ts'
import { findTileFile, type TileFile } from '../maps/map-tiles.ts'
import type { IdentityProvider } from '../oidc/identity-provider.ts'
import type { Limits, UserLimits } from '../rate-limit/rate-limiter.ts'
import type { CalibratedWeights } from '../search/calibration/calibrated-weights.ts'
import type { GuardMode } from '../search/query-guard.ts'
import type { SlotBinding } from '../search/slots.ts'
import type { ThinRule } from '../search/thin.ts'
import type { OutgoingProxy } from '../upstream/outgoing-proxy.ts'
import { type Appearance, buildAppearance, LONG_SETTINGS } from './appearance.ts'
import { INSTANCE_SETTINGS, type InstanceSettings } from './instance-settings.ts'
import type { KeylessChoice } from './keyless-setting.ts'
import { buildOperation, type OperationConfiguration } from './operation-configuration.ts'
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
import {
  buildTrustedHeader,
  isNamedProviderSetting,
  readIdentityProviders,
  type TrustedHeaderSettings,
} from './sign-in-configuration.ts'
import { isSlotSetting, privateMistakes, readMine, readSlots } from './slot-configuration.ts'

/** What INSTANCE_SETTINGS say. */
interface InstanceConfiguration {
  host: string
  port: number
  /** '': each request says it. */
  publicUrl: string
  /** undefined: no page on another origin may call the API. */
  corsOrigins: AllowedOrigins | undefined
  databaseUrl: string | undefined
  redisUrl: string | undefined
  /** undefined: cached responses are in `redisUrl` too. */
  redisCacheUrl: string | undefined
  /** The instance starts even if Redis refuses it. */
  redisOptional: boolean
  /** undefined: one is generated and kept in the database. */
  instanceSecret: string | undefined
  dataFolder: string
  limits: Limits
  userLimits: UserLimits | undefined
  trustedProxies: string[]
  searchTimeoutMs: number
  maxReplyBytes: number
  operatorContact: string
  outgoingProxy: OutgoingProxy | undefined
  instanceName: string
  appearance: Appearance
  queryGuard: { site: GuardMode; keys: GuardMode }
  siteAccess: 'users' | 'public'
  site: {
    /** Visitors together may spend this part of a provider's caps. */
    visitorShare: number
    suggestionsFor: 'users' | 'all' | 'off'
    showsIcons: boolean
    /** Clients may use these host names, for the API too; undefined: any. */
    allowedHosts: string[] | undefined
    areUrlKeysOn: boolean
    oauthClients: 'any' | 'known' | 'off'
  }
  imageProxyUrl: string | undefined
  isReaderOn: boolean
  readerProxyUrl: string | undefined
  accounts: {
    policy: AccountPolicy
    trustedHeader: TrustedHeaderSettings | undefined
    auditRetentionDays: number
    maxKeysPerUser: number
    /** undefined: new keys don't expire unless their creator says so. */
    defaultKeyDays: number | undefined
  }
  operation: OperationConfiguration
  logLevel: LogLevel
  /** Replies are cached at most this long, even if the provider's terms allow more; 0 turns the cache off. */
  cacheSeconds: number
  calibratedWeights: CalibratedWeights
  /** The slugs of the private engines, in order. */
  mine: string[]
  suggesters: string[]
  /** The interval between health checks of data sources. */
  probeSeconds: number
  translateMaxCharacters: number
  translateTimeoutMs: number
  disabledAnswers: string[]
  disabledCards: string[]
}

export interface Configuration extends InstanceConfiguration {
  /** The keyless engines that are bound by default. The environment may fix the choice. */
  keyless: { current: KeylessChoice; isFixed: boolean }
  /** By slot name, in slot order. */
  slots: Map<string, SlotBinding>
  /** Each slot's weight in the merge. */
  weights: Map<string, number>
  /** A slot without a condition is always asked. */
  askConditions: Map<string, ThinRule>
  engines: Map<string, ConfiguredEngine>
  /** Every engine that could be bound: those of the program, and the operator's own. */
  allEngines: readonly Engine[]
  /** The documents in the database, by slug. */
  documents: ReadonlyMap<string, string>
  sources: Map<string, ConfiguredSource>
  /** undefined: the website has no map of its own. */
  mapTiles: TileFile | undefined
  identityProviders: readonly IdentityProvider[]
  /** Whether the environment sets it, and so overrides the database. */
  isFixed: (setting: string) => boolean
  /** The text in the environment or the database; undefined if a page may not show it, or if it isn't set. */
  writtenValue: (setting: string) => string | undefined
  /** Reads the configuration again, with these settings from the database. */
  withStored: (storedValues: Readonly<Record<string, string>>) => ConfigurationResult
}

/** The command line shows all but the verdict even if there are mistakes. */
export interface ConfigurationResult {
  verdict: { ok: true; value: Configuration } | { ok: false; mistakes: readonly Mistake[] }
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
const isEnvironmentSetting = (name: string): boolean =>
  (isInstanceSetting(name) && !isDocumentSetting(name)) || PROVIDER_SETTINGS.has(name)

/** Whether a page may show its value. */
function isPublicSetting(name: string): boolean {
  if (isSlotSetting(name) || isCapSetting(name)) return true
  const schema = Object.entries(INSTANCE_SETTINGS.shape).find(([env]) => env === name)?.[1]
  return schema !== undefined && !isSecret(schema)
}

/** `envFileMistakes` come first among the mistakes. */
export function readConfiguration(
  env: NodeJS.ProcessEnv,
  envFileMistakes: readonly Mistake[] = [],
): ConfigurationResult {
  const folder = readWritten(env, (name) => name === 'ENGINES_DIR').values['ENGINES_DIR']
  const operatorEngines = readOwnEngines(folder, isInstanceSetting)
  const operatorSettings = settingsOf(operatorEngines.engines)
  const environment = readWritten(env, (name) => isEnvironmentSetting(name) || operatorSettings.has(name))
  const mistakes = [...envFileMistakes, ...operatorEngines.mistakes, ...environment.mistakes]
  return readWithStored({ ...environment, mistakes }, [...ALL_ENGINES, ...operatorEngines.engines], {})
}

/** `knownEngines` are all but those whose documents are in the database. */
function readWithStored(
  environment: EnvironmentSettings,
  knownEngines: readonly Engine[],
  storedValues: Readonly<Record<string, string>>,
): ConfigurationResult {
  const storedEngines = readStoredEngines(storedValues, knownEngines, isInstanceSetting)
  const mistakes = [...environment.mistakes, ...storedEngines.mistakes]
  const report: ReportMistakes = (...found) => void mistakes.push(...found)

  const written = addStored(environment, storedValues)
  const { values } = written
  const settings = INSTANCE_SETTINGS.safeParse(values)
  for (const { path, message } of settings.error?.issues ?? []) report({ env: String(path[0]), message })

  const isFixed = (name: string) => environment.values[name] !== undefined
  const keyless = { current: readAlone('KEYLESS_ENGINES', values), isFixed: isFixed('KEYLESS_ENGINES') }
  const allEngines = [...knownEngines, ...storedEngines.engines]
  const bound = bindEngines(written, allEngines, keyless.current, report)
  const sources = readSources(written, readAlone('OPERATOR_CONTACT', values), report)
  const identities = readIdentityProviders(written, report)
  const dataFolder = readAlone('DATA_DIR', values)
  const mapTiles = readMapTiles(values['MAP_TILES'], dataFolder, report)

  const shown = [
    ...bound.shownSlots,
    ...storedEngines.engines.map(({ slug }) => showDocument(slug)),
    ...bound.engines.shown,
    ...sources.shown,
    ...showInstanceSettings(written),
    ...identities.shown,
  ]
  const result = {
    dataFolder,
    publicUrl: readAlone('PUBLIC_URL', values),
    slots: bound.slots,
    mine: bound.mine,
    allEngines,
    // An engine and a data source of the same provider share settings.
    shown: [...new Map(shown.map((setting) => [setting.env, setting])).values()],
    hidden: [...bound.engines.hidden, ...sources.hidden],
  }
  if (!settings.success || mistakes.length > 0) return { ...result, verdict: { ok: false, mistakes } }
  const configuration: Configuration = {
    ...buildInstanceConfiguration(settings.data),
    keyless,
    slots: bound.slots,
    weights: bound.weights,
    askConditions: bound.askConditions,
    engines: bound.engines.providers,
    allEngines,
    documents: new Map(storedEngines.engines.map(({ slug }) => [slug, storedValues[documentSettingOf(slug)] ?? ''])),
    sources: sources.providers,
    mapTiles,
    identityProviders: identities.providers,
    isFixed,
    writtenValue: (name) => (isPublicSetting(name) ? values[name] : undefined),
    withStored: (newValues) => readWithStored(environment, knownEngines, newValues),
  }
  return { ...result, verdict: { ok: true, value: configuration } }
}

/** One setting's value; its default if it has a mistake, which the whole schema reports. */
function readAlone<Name extends keyof InstanceSettings>(
  name: Name,
  values: WrittenSettings['values'],
): InstanceSettings[Name] {
  const schema = INSTANCE_SETTINGS.shape[name]
  const { success, data } = schema.safeParse(values[name])
  // The shape's schema of a name makes the value of that name.
  return (success ? data : schema.parse(undefined)) as InstanceSettings[Name]
}

/** Binds engines to slots, to Mine and to suggestions, and reads the settings of those that are bound. */
function bindEngines(
  written: WrittenSettings,
  allEngines: readonly Engine[],
  keyless: KeylessChoice,
  report: ReportMistakes,
) {
  const { values } = written
  const off = readAlone('ENGINES_OFF', values)
  const { shown: shownSlots, ...bound } = readSlots(written, { keyless, off }, allEngines, report)
  const mine = readMine(readAlone('MINE', values), allEngines, report)
  const suggestingEngines = readSuggesters(readAlone('SUGGEST', values), allEngines, report)
  const slugsInSlots = [...bound.slots.values()].flatMap((binding) => Object.values(binding).flat())
  const boundSlugs = new Set([...slugsInSlots, ...mine])
  const boundEngines = allEngines.filter((engine) => boundSlugs.has(engine.slug) || suggestingEngines.includes(engine))
  return { ...bound, shownSlots, mine, engines: readEngines(written, boundEngines, report) }
}

function readSuggesters(slugs: readonly string[], engines: readonly Engine[], report: ReportMistakes): Engine[] {
  const possible = engines.filter(({ suggest }) => suggest)
  const suggesters = possible.filter(({ slug }) => slugs.includes(slug))
  const message = `must be none, or only contain: ${possible.map(({ slug }) => slug).join(', ')}.`
  if (suggesters.length < slugs.length) report({ env: 'SUGGEST', message })
  report(...privateMistakes('SUGGEST', suggesters))
  return suggesters
}

function readMapTiles(path: string | undefined, dataFolder: string, report: ReportMistakes): TileFile | undefined {
  const found = findTileFile(path, dataFolder)
  if (!found) return undefined
  if ('file' in found) return found.file
  report({ env: 'MAP_TILES', message: found.problem })
  return undefined
}

const showInstanceSettings = (written: WrittenSettings): ShownSetting[] =>
  Object.entries(INSTANCE_SETTINGS.shape).map(([env, schema]) => {
    const fallback = schema instanceof z.ZodPrefault ? schema.def.defaultValue : undefined
    return showSetting(written, { env, fallback, hidesValue: isSecret(schema) || LONG_SETTINGS.has(env) })
  })

const showDocument = (slug: string): ShownSetting => ({
  env: documentSettingOf(slug),
  shown: 'set',
  origin: 'database',
})

const buildInstanceConfiguration = (settings: InstanceSettings): InstanceConfiguration => ({
  host: settings.HOST,
  port: settings.PORT,
  publicUrl: settings.PUBLIC_URL ?? '',
  corsOrigins: settings.CORS_ORIGINS,
  databaseUrl: settings.DATABASE_URL,
  redisUrl: settings.REDIS_URL,
  redisCacheUrl: settings.REDIS_CACHE_URL,
  redisOptional: settings.REDIS_OPTIONAL,
  instanceSecret: settings.INSTANCE_SECRET,
  dataFolder: settings.DATA_DIR,
  limits: {
    burst: settings.API_THROTTLE_BURST,
    sustained: settings.API_THROTTLE_SUSTAINED,
    monthlyCap: settings.API_MONTHLY_CAP,
  },
  userLimits: buildUserLimits(settings),
  trustedProxies: settings.TRUSTED_PROXIES ?? [],
  searchTimeoutMs: settings.SEARCH_TIMEOUT_MS,
  maxReplyBytes: settings.UPSTREAM_MAX_BYTES,
  operatorContact: settings.OPERATOR_CONTACT,
  outgoingProxy: settings.OUTGOING_PROXY,
  instanceName: settings.INSTANCE_NAME,
  appearance: buildAppearance(settings),
  queryGuard: { site: settings.QUERY_GUARD ?? 'warn', keys: settings.QUERY_GUARD ?? 'off' },
  siteAccess: settings.SITE_ACCESS,
  site: {
    visitorShare: settings.VISITOR_BUDGET_SHARE,
    suggestionsFor: settings.SITE_SUGGESTIONS,
    showsIcons: settings.RESULT_ICONS,
    allowedHosts: settings.ALLOWED_HOSTS,
    areUrlKeysOn: settings.URL_KEYS,
    oauthClients: settings.MCP_OAUTH_CLIENTS,
  },
  imageProxyUrl: settings.IMAGE_PROXY_URL,
  isReaderOn: settings.READER,
  readerProxyUrl: settings.READER_PROXY_URL,
  accounts: {
    policy: {
      sessionMaxDays: settings.SESSION_MAX_DAYS,
      temporaryPasswordDays: settings.TEMPORARY_PASSWORD_DAYS,
      requireSecondFactor: settings.REQUIRE_SECOND_FACTOR,
      isPasswordSignInOn: settings.PASSWORD_SIGN_IN,
    },
    trustedHeader: buildTrustedHeader(settings),
    auditRetentionDays: settings.AUDIT_RETENTION_DAYS,
    maxKeysPerUser: settings.MAX_KEYS_PER_USER,
    defaultKeyDays: settings.KEY_EXPIRY_DAYS,
  },
  operation: buildOperation(settings),
  logLevel: settings.LOG_LEVEL,
  cacheSeconds: settings.SEARCH_CACHE_SECONDS,
  calibratedWeights: settings.CALIBRATED_WEIGHTS,
  mine: settings.MINE,
  suggesters: settings.SUGGEST,
  probeSeconds: settings.PROBE_SECONDS,
  translateMaxCharacters: settings.TRANSLATE_MAX_CHARACTERS,
  translateTimeoutMs: settings.TRANSLATE_TIMEOUT_MS,
  disabledAnswers: settings.INSTANT_DISABLED,
  disabledCards: settings.CARDS_DISABLED,
})

/** Users have no limits of their own by default: each key has its own. */
function buildUserLimits(settings: InstanceSettings): UserLimits | undefined {
  const { USER_RATE_LIMIT_BURST: burst, USER_RATE_LIMIT_SUSTAINED: sustained, USER_MONTHLY_CAP: monthlyCap } = settings
  const isLimited = burst !== undefined || sustained !== undefined || monthlyCap !== undefined
  return isLimited ? { burst, sustained, monthlyCap } : undefined
}

/** Returns the configuration, or throws a refusal that names every mistake. `advice` follows them. */
export function requireConfiguration({ verdict }: Pick<ConfigurationResult, 'verdict'>, advice = ''): Configuration {
  if (verdict.ok) return verdict.value
  const list = verdict.mistakes.map(({ env, message }) => `  ${env} ${message}`).join('\n')
  throw new Refusal('parameter_invalid', `The configuration has mistakes:\n${list}${advice && `\n${advice}`}`)
}
