// The whole configuration of an instance, from the environment alone. Everything is read and judged before anything
// starts; a mistake anywhere means no start, and all mistakes are told at once.
import ipaddr from 'ipaddr.js'
import { ALL_ANSWERS } from './answers/all.ts'
import { ALL_CARDS } from './cards/all.ts'
import { EnvironmentReader, type Mistake, type ShownSetting } from './config/environment-reader.ts'
import { secret, setting } from './config/setting.ts'
import { ALL_ENGINES } from './engines/all.ts'
import { LOG_LEVELS, type LogLevel } from './log.ts'
import {
  type ConfiguredEngine,
  type ConfiguredSource,
  type HiddenProvider,
  RATE_HINT,
  readDecimal,
  readEngines,
  readSources,
} from './provider-settings.ts'
import { readBinding, type SlotBinding, SPECIFIED_SLOTS } from './search/slots.ts'
import type { Limits } from './state/meter.ts'
import { parseRate } from './limits/rate.ts'

export interface Configuration {
  host: string
  port: number
  /** '' : take the address the client used. */
  publicUrl: string
  databaseUrl: string | undefined
  redisUrl: string | undefined
  dataFolder: string
  limits: Limits
  trustedProxies: string[]
  searchTimeoutMs: number
  maxReplyBytes: number
  operatorContact: string
  /** Who may search on the website: those who have signed in, or everybody. */
  siteAccess: 'users' | 'public'
  /** undefined: one is made and kept in the database. */
  instanceSecret: string | undefined
  /** An image proxy that fetches pictures for the website. */
  pictureProxyUrl: string | undefined
  metricsPort: number | undefined
  metricsToken: string | undefined
  logLevel: LogLevel
  /** No reply is kept longer, whatever the provider's terms allow; 0: none is kept. */
  cacheSeconds: number
  /** By slot name, in slot order. */
  slots: Map<string, SlotBinding>
  /** How much each slot counts in the merge. */
  weights: Map<string, number>
  /** The engines that are asked for suggestions. */
  suggesters: string[]
  engines: Map<string, ConfiguredEngine>
  sources: Map<string, ConfiguredSource>
  /** How often the sources that can be checked are checked. */
  probeSeconds: number
  /** Longest text to translate, in characters. */
  translateMaxCharacters: number
  translateTimeoutMs: number
  /** Instant answers that are not given here. */
  answersOff: string[]
  /** Kinds of cards that are not given here. */
  cardsOff: string[]
}

export interface ReadConfiguration {
  configuration: Configuration
  mistakes: Mistake[]
  shown: ShownSetting[]
  hidden: HiddenProvider[]
}

const DEFAULT_SLOTS: Record<string, string> = {
  ENGINE_A: 'brave',
  ENGINE_B: 'mojeek',
  ENGINE_C: 'marginalia images:openverse news:hackernews videos:sepiasearch',
}

export function readConfiguration(env: NodeJS.ProcessEnv): ReadConfiguration {
  const reader = new EnvironmentReader(env)
  const slots = readSlots(reader)
  const suggesters = readSuggesters(reader)
  const { engines, hidden } = readEngines(reader, [
    ...[...slots.values()].flatMap((slot) => Object.values(slot).flat()),
    ...suggesters,
  ])
  const operatorContact = reader.text(setting('OPERATOR_CONTACT', '')) ?? ''
  const sources = readSources(reader, operatorContact)
  const configuration: Configuration = {
    host: reader.text(setting('HOST', '127.0.0.1')) ?? '',
    port: reader.integer(setting('PORT', '8080'), { min: 0, max: 65_535 }) ?? 0,
    publicUrl: reader.address(setting('PUBLIC_URL')) ?? '',
    databaseUrl: reader.address(secret('DATABASE_URL'), ['postgres', 'postgresql']),
    redisUrl: reader.address(secret('REDIS_URL'), ['redis', 'rediss']),
    dataFolder: reader.text(setting('DATA_DIR', './data')) ?? '',
    limits: readLimits(reader),
    trustedProxies: readTrustedProxies(reader),
    searchTimeoutMs: reader.integer(setting('SEARCH_TIMEOUT_MS', '2000'), { min: 100, max: 30_000 }) ?? 0,
    maxReplyBytes: reader.integer(setting('UPSTREAM_MAX_BYTES', '2000000'), { min: 10_000, max: 50_000_000 }) ?? 0,
    operatorContact,
    siteAccess: reader.choice(setting('SITE_ACCESS', 'users'), ['users', 'public']) ?? 'users',
    instanceSecret: readSecret(reader),
    pictureProxyUrl: reader.address(setting('PICTURE_PROXY_URL')),
    metricsPort: reader.integer(setting('METRICS_PORT'), { min: 0, max: 65_535 }),
    metricsToken: reader.text(secret('METRICS_TOKEN')),
    logLevel: reader.choice(setting('LOG_LEVEL', 'info'), LOG_LEVELS) ?? 'info',
    cacheSeconds: reader.integer(setting('SEARCH_CACHE_SECONDS', '86400'), { min: 0, max: 86_400 }) ?? 0,
    slots,
    weights: readWeights(reader, [...slots.keys()]),
    suggesters,
    engines,
    sources: sources.sources,
    probeSeconds: reader.integer(setting('PROBE_SECONDS', '60'), { min: 1, max: 86_400 }) ?? 0,
    translateMaxCharacters:
      reader.integer(setting('TRANSLATE_MAX_CHARACTERS', '10000'), { min: 100, max: 100_000 }) ?? 0,
    translateTimeoutMs: reader.integer(setting('TRANSLATE_TIMEOUT_MS', '10000'), { min: 100, max: 60_000 }) ?? 0,
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
  }
  return { configuration, mistakes: reader.mistakes, shown: reader.shown, hidden: [...hidden, ...sources.hidden] }
}

function readLimits(reader: EnvironmentReader): Limits {
  const none = { count: 1, windowMs: 1 }
  return {
    burst: reader.parsed(setting('API_THROTTLE_BURST', '60/min'), parseRate, RATE_HINT) ?? none,
    sustained: reader.parsed(setting('API_THROTTLE_SUSTAINED', '5000/day'), parseRate, RATE_HINT) ?? none,
    monthlyCap: reader.integer(setting('API_MONTHLY_CAP'), { min: 1, max: 1e12 }),
  }
}

const SHORTEST_SECRET = 32

const readSecret = (reader: EnvironmentReader): string | undefined =>
  reader.parsed(
    secret('INSTANCE_SECRET'),
    (text) => (text.length >= SHORTEST_SECRET ? text : undefined),
    `must have at least ${SHORTEST_SECRET} characters, such as the output of: openssl rand -base64 32.`,
  )

function readTrustedProxies(reader: EnvironmentReader): string[] {
  const isRange = (text: string) => ipaddr.isValid(text) || ipaddr.isValidCIDR(text)
  const read = (text: string) => {
    const ranges = text.split(/[\s,]+/).filter(Boolean)
    return ranges.every(isRange) ? ranges : undefined
  }
  return reader.parsed(setting('TRUSTED_PROXIES'), read, 'must be addresses or ranges such as 10.0.0.0/8.') ?? []
}

function readSlots(reader: EnvironmentReader): Map<string, SlotBinding> {
  const names = new Set([...Object.keys(DEFAULT_SLOTS), ...reader.namesLike(/^ENGINE_[A-Z]$/)])
  const slots = new Map<string, SlotBinding>(SPECIFIED_SLOTS.map((slot) => [slot, {}]))
  const owners = new Map<string, string>()
  for (const env of [...names].sort()) {
    const binding = readBinding(reader.text(setting(env, DEFAULT_SLOTS[env])) ?? '', ALL_ENGINES)
    if ('mistake' in binding) {
      reader.mistake(env, binding.mistake)
      continue
    }
    slots.set(env.toLowerCase(), binding)
    for (const [tab, slugs] of Object.entries(binding)) {
      for (const slug of slugs) {
        const owner = owners.get(`${tab}:${slug}`)
        if (owner) reader.mistake(env, `binds ${slug} to ${tab}, which ${owner} does already.`)
        owners.set(`${tab}:${slug}`, env)
      }
    }
  }
  return slots
}

const namesIn = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)

function readNames(reader: EnvironmentReader, env: string, known: readonly string[]): string[] {
  const read = (text: string) => {
    const names = namesIn(text)
    return names.every((name) => known.includes(name)) ? names : undefined
  }
  return reader.parsed(setting(env, ''), read, `must name some of: ${known.join(', ')}.`) ?? []
}

function readSuggesters(reader: EnvironmentReader): string[] {
  const able = ALL_ENGINES.filter(({ suggest }) => suggest).map(({ slug }) => slug)
  const read = (text: string) => {
    const slugs = [...new Set(namesIn(text))]
    return slugs.every((slug) => slug === 'none' || able.includes(slug))
      ? slugs.filter((slug) => slug !== 'none')
      : undefined
  }
  const message = `must name providers of suggestions: ${able.join(', ')}, or none.`
  return reader.parsed(setting('SUGGEST', 'wikipedia duckduckgo'), read, message) ?? []
}

function readWeights(reader: EnvironmentReader, slotNames: readonly string[]): Map<string, number> {
  const weights = slotNames.map((slot): [string, number] => {
    const env = `${slot.toUpperCase()}_WEIGHT`
    return [slot, reader.parsed(setting(env, '1'), readDecimal(0.01, 100), 'must be a number from 0.01 to 100.') ?? 1]
  })
  return new Map(weights)
}
