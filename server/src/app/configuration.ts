// The whole configuration of an instance, read from the environment alone. Everything is read and validated before
// anything starts. Any mistake prevents the start, and all mistakes are reported at once.
import ipaddr from 'ipaddr.js'
import { ALL_ANSWERS } from '../answers/all.ts'
import { ALL_CARDS } from '../cards/all.ts'
import { type AllowedOrigins, ORIGINS_HINT, readOrigins } from '../config/cors-origins.ts'
import { EnvironmentReader, type ShownSetting } from '../config/environment-reader.ts'
import { type Mistake, mapped, type Reading, together, understood, withMistakes } from '../config/reading.ts'
import { secret, setting } from '../config/setting.ts'
import { Refusal } from '../errors.ts'
import { parseRate } from '../limits/rate.ts'
import type { Limits, UserLimits } from '../limits/rate-limiter.ts'
import { LOG_LEVELS, type LogLevel } from '../log.ts'
import { ALL_ENGINES } from '../providers/engines/all.ts'
import type { Keyless } from '../search/keyless-choice.ts'
import type { SlotBinding } from '../search/slots.ts'
import { parseRedisAddress, REDIS_URL_HINT } from '../storage/redis-address.ts'
import { type AccountConfiguration, readAccountConfiguration } from './account-configuration.ts'
import { type OperationConfiguration, readOperationConfiguration } from './operation-configuration.ts'
import {
  type ConfiguredEngine,
  type ConfiguredSource,
  type HiddenProvider,
  RATE_HINT,
  readDecimal,
  readEngines,
  readSources,
} from './provider-configuration.ts'
import { readSiteConfiguration, type SiteConfiguration } from './site-configuration.ts'
import { readSlots } from './slot-configuration.ts'

export interface Configuration {
  host: string
  port: number
  /** '': use the address that the client used. */
  publicUrl: string
  /** undefined: no page on another origin may call the API. */
  corsOrigins: AllowedOrigins | undefined
  databaseUrl: string | undefined
  redisUrl: string | undefined
  /** For cached responses; undefined: the same as for everything else. */
  redisCacheUrl: string | undefined
  /** Whether an instance starts with a Redis that refuses it. */
  redisOptional: boolean
  dataFolder: string
  limits: Limits
  /** Of all keys of a user together; undefined if none is set. */
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
  /** Whether keys with the scope can read pages. */
  isReaderOn: boolean
  /** A proxy that fetches the pages to read. */
  readProxyUrl: string | undefined
  operation: OperationConfiguration
  logLevel: LogLevel
  /** The longest that any reply is cached, whatever the provider's terms allow; 0 turns caching off. */
  cacheSeconds: number
  keyless: KeylessConfiguration
  /** By slot name, in slot order. */
  slots: Map<string, SlotBinding>
  /** How much each slot counts in the merge. */
  weights: Map<string, number>
  /** The engines that provide suggestions. */
  suggesters: string[]
  engines: Map<string, ConfiguredEngine>
  sources: Map<string, ConfiguredSource>
  /** How often data sources are health-checked. */
  probeSeconds: number
  /** Longest text to translate, in characters. */
  translateMaxCharacters: number
  translateTimeoutMs: number
  /** Instant answers that are turned off. */
  answersOff: string[]
  /** Kinds of cards that are turned off. */
  cardsOff: string[]
}

/** Which engines are bound that need no key. */
interface KeylessConfiguration {
  current: Keyless
  /** KEYLESS is set. */
  isFixed: boolean
  /** The same configuration with another choice. */
  instead: (choice: Keyless) => Configuration
}

export interface ReadConfiguration {
  /** What an instance starts with, or everything that is wrong. */
  verdict: Reading<Configuration>
  /** What the command line needs and can say whatever is wrong elsewhere. */
  dataFolder: string
  publicUrl: string | undefined
  slots: ReadonlyMap<string, SlotBinding>
  shown: ShownSetting[]
  hidden: HiddenProvider[]
}

const DATA_DIR = setting('DATA_DIR', './data')
const PUBLIC_URL = setting('PUBLIC_URL')

/** `earlier` mistakes were found on the way to the environment. */
export function readConfiguration(env: NodeJS.ProcessEnv, earlier: readonly Mistake[] = []): ReadConfiguration {
  const reader = new EnvironmentReader(env)
  const { slots, mistakes, keyless } = readSlots(reader)
  const suggesters = readSuggesters(reader)
  const engines = readEngines(reader, [
    ...[...slots.values()].flatMap((slot) => Object.values(slot).flat()),
    ...(suggesters.ok ? suggesters.value : []),
  ])
  const operatorContact = reader.text(setting('OPERATOR_CONTACT', ''))
  const sources = readSources(reader, operatorContact)
  const verdict = together<Configuration>({
    slots: mistakes.length > 0 ? { ok: false, mistakes } : understood(slots),
    keyless: understood({
      current: keyless,
      isFixed: reader.isWritten('KEYLESS'),
      instead: (choice) => requireConfiguration(readConfiguration({ ...env, KEYLESS: choice })),
    }),
    suggesters,
    engines: engines.providers,
    sources: sources.providers,
    host: understood(reader.text(setting('HOST', '127.0.0.1'))),
    port: reader.integer(setting('PORT', '8080'), { min: 0, max: 65_535 }),
    publicUrl: mapped(reader.address(PUBLIC_URL), (url) => url ?? ''),
    corsOrigins: reader.parsed(setting('CORS_ORIGINS'), readOrigins, ORIGINS_HINT),
    databaseUrl: reader.parsed(secret('DATABASE_URL'), readDatabaseUrl, DATABASE_HINT),
    ...redisReadings(reader),
    dataFolder: understood(reader.text(DATA_DIR)),
    limits: readLimits(reader),
    userLimits: readUserLimits(reader),
    trustedProxies: readTrustedProxies(reader),
    searchTimeoutMs: reader.integer(setting('SEARCH_TIMEOUT_MS', '2000'), { min: 100, max: 30_000 }),
    maxReplyBytes: reader.integer(setting('UPSTREAM_MAX_BYTES', '2000000'), { min: 10_000, max: 50_000_000 }),
    operatorContact: understood(operatorContact),
    siteAccess: reader.choice(setting('SITE_ACCESS', 'users'), ['users', 'public']),
    site: readSiteConfiguration(reader),
    pictureProxyUrl: reader.address(setting('PICTURE_PROXY_URL')),
    ...readerReadings(reader),
    instanceSecret: readSecret(reader),
    accounts: readAccountConfiguration(reader),
    operation: readOperationConfiguration(reader),
    logLevel: reader.choice(setting('LOG_LEVEL', 'info'), LOG_LEVELS),
    cacheSeconds: reader.integer(setting('SEARCH_CACHE_SECONDS', '86400'), { min: 0, max: 86_400 }),
    weights: readWeights(reader, [...slots.keys()]),
    probeSeconds: reader.integer(setting('PROBE_SECONDS', '60'), { min: 1, max: 86_400 }),
    ...dataReadings(reader),
  })
  const publicUrl = reader.address(PUBLIC_URL)
  return {
    verdict: withMistakes(verdict, [...earlier, ...reader.mistakes]),
    dataFolder: reader.text(DATA_DIR),
    publicUrl: publicUrl.ok ? publicUrl.value : undefined,
    slots,
    shown: reader.shown,
    hidden: [...engines.hidden, ...sources.hidden],
  }
}

/** What an instance starts with. Throws a refusal that names every mistake. */
export function requireConfiguration({ verdict }: Pick<ReadConfiguration, 'verdict'>): Configuration {
  if (verdict.ok) return verdict.value
  const list = verdict.mistakes.map(({ env, message }) => `  ${env} ${message}`).join('\n')
  throw new Refusal(400, `The configuration has mistakes:\n${list}`)
}

const redisReadings = (reader: EnvironmentReader) => {
  const read = (text: string) => (parseRedisAddress(text) ? text : undefined)
  return {
    redisUrl: reader.parsed(secret('REDIS_URL'), read, REDIS_URL_HINT),
    redisCacheUrl: reader.parsed(secret('REDIS_CACHE_URL'), read, REDIS_URL_HINT),
    redisOptional: mapped(
      reader.choice(setting('REDIS_OPTIONAL', 'false'), ['true', 'false']),
      (choice) => choice === 'true',
    ),
  }
}

const readerReadings = (reader: EnvironmentReader) => ({
  isReaderOn: mapped(reader.choice(setting('READER', 'on'), ['on', 'off']), (choice) => choice === 'on'),
  readProxyUrl: reader.address(setting('READ_PROXY_URL')),
})

/** Of what data sources are for. */
const dataReadings = (reader: EnvironmentReader) => ({
  translateMaxCharacters: reader.integer(setting('TRANSLATE_MAX_CHARACTERS', '10000'), { min: 100, max: 100_000 }),
  translateTimeoutMs: reader.integer(setting('TRANSLATE_TIMEOUT_MS', '10000'), { min: 100, max: 60_000 }),
  answersOff: readNames(
    reader,
    'INSTANT_OFF',
    ALL_ANSWERS.map(({ slug }) => slug),
  ),
  cardsOff: readNames(
    reader,
    'CARDS_OFF',
    ALL_CARDS.map(({ kind }) => kind),
  ),
})

const readLimits = (reader: EnvironmentReader): Reading<Limits> =>
  together<Limits>({
    burst: reader.parsed(setting('API_THROTTLE_BURST', '60/min'), parseRate, RATE_HINT),
    sustained: reader.parsed(setting('API_THROTTLE_SUSTAINED', '5000/day'), parseRate, RATE_HINT),
    monthlyCap: reader.integer(setting('API_MONTHLY_CAP'), { min: 1, max: 1e12 }),
  })

/** Off by default: the specification gives each key its own budget. */
const readUserLimits = (reader: EnvironmentReader): Reading<UserLimits | undefined> =>
  mapped(
    together<UserLimits>({
      burst: reader.parsed(setting('USER_THROTTLE_BURST'), parseRate, RATE_HINT),
      sustained: reader.parsed(setting('USER_THROTTLE_SUSTAINED'), parseRate, RATE_HINT),
      monthlyCap: reader.integer(setting('USER_MONTHLY_CAP'), { min: 1, max: 1e12 }),
    }),
    (limits) => (limits.burst || limits.sustained || limits.monthlyCap !== undefined ? limits : undefined),
  )

const DATABASE_HINT =
  'must be a URL of one host that starts with postgres:// or postgresql://. Of several hosts, only what is in front of ' +
  'them knows which takes writes: name PgBouncer, HAProxy or the endpoint of Patroni.'

function readDatabaseUrl(text: string): string | undefined {
  const url = URL.parse(text)
  const isOneHost = url !== null && url.hostname !== '' && !url.hostname.includes(',')
  return isOneHost && /^postgres(?:ql)?:$/.test(url.protocol) ? text.replace(/\/+$/, '') : undefined
}

const SHORTEST_SECRET = 32

const readSecret = (reader: EnvironmentReader): Reading<string | undefined> =>
  reader.parsed(
    secret('INSTANCE_SECRET'),
    (text) => (text.length >= SHORTEST_SECRET ? text : undefined),
    `must be at least ${SHORTEST_SECRET} characters long. To generate one, run: openssl rand -base64 32.`,
  )

function readTrustedProxies(reader: EnvironmentReader): Reading<string[]> {
  const isRange = (text: string) => ipaddr.isValid(text) || ipaddr.isValidCIDR(text)
  const read = (text: string) => {
    const ranges = text.split(/[\s,]+/).filter(Boolean)
    return ranges.every(isRange) ? ranges : undefined
  }
  const given = reader.parsed(setting('TRUSTED_PROXIES'), read, 'must be IP addresses or ranges, such as 10.0.0.0/8.')
  return mapped(given, (ranges) => ranges ?? [])
}

const namesIn = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)

function readNames(reader: EnvironmentReader, env: string, known: readonly string[]): Reading<string[]> {
  const read = (text: string) => {
    const names = namesIn(text)
    return names.every((name) => known.includes(name)) ? names : undefined
  }
  return reader.parsed(setting(env, ''), read, `must only contain: ${known.join(', ')}.`)
}

function readSuggesters(reader: EnvironmentReader): Reading<string[]> {
  const able = ALL_ENGINES.filter(({ suggest }) => suggest).map(({ slug }) => slug)
  const read = (text: string) => {
    const slugs = [...new Set(namesIn(text))]
    return slugs.every((slug) => slug === 'none' || able.includes(slug))
      ? slugs.filter((slug) => slug !== 'none')
      : undefined
  }
  const message = `must be none, or only contain: ${able.join(', ')}.`
  return reader.parsed(setting('SUGGEST', 'wikipedia duckduckgo'), read, message)
}

function readWeights(reader: EnvironmentReader, slotNames: readonly string[]): Reading<Map<string, number>> {
  const weights: Record<string, Reading<number>> = {}
  for (const slot of slotNames) {
    const env = `${slot.toUpperCase()}_WEIGHT`
    weights[slot] = reader.parsed(setting(env, '1'), readDecimal(0.01, 100), 'must be a number from 0.01 to 100.')
  }
  return mapped(together(weights), (read) => new Map(Object.entries(read)))
}
