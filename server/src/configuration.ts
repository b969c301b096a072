// The whole configuration of an instance, from the environment alone. Everything is read and judged before anything
// starts; a mistake anywhere means no start, and all mistakes are told at once.
import ipaddr from 'ipaddr.js'
import { EnvironmentReader, type Mistake, type ShownSetting } from './config/environment-reader.ts'
import { type SettingValues, secret, setting } from './config/setting.ts'
import { ALL_ENGINES } from './engines/all.ts'
import type { Engine, EngineSettings } from './engines/engine.ts'
import { LOG_LEVELS, type LogLevel } from './log.ts'
import { readBinding, type SlotBinding, SPECIFIED_SLOTS } from './search/slots.ts'
import type { Limits } from './state/meter.ts'
import { parseRate } from './state/rate.ts'

/** An engine that is bound to a slot and has every setting it needs. */
export interface ConfiguredEngine {
  engine: Engine
  settings: SettingValues<EngineSettings>
  /** The operator wrote this base URL, so it may be a private address. */
  isTrustedAddress: boolean
  /** The provider's own rate unless the operator knows his plan better. */
  pace: { calls: number; perSeconds: number } | undefined
  budget: EngineBudget
}

/** What a UTC month may cost at most; undefined: no cap. */
export interface EngineBudget {
  pricePerCallMicros: number
  callsPerMonth: number | undefined
  microsPerMonth: number | undefined
}

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
}

/** An engine that is bound but not usable, and what would make it so. */
export interface HiddenEngine {
  slug: string
  missing: string[]
}

export interface ReadConfiguration {
  configuration: Configuration
  mistakes: Mistake[]
  shown: ShownSetting[]
  hidden: HiddenEngine[]
}

const DEFAULT_SLOTS: Record<string, string> = {
  ENGINE_A: 'brave',
  ENGINE_B: 'mojeek',
  ENGINE_C: 'marginalia images:openverse news:hackernews videos:sepiasearch',
}
const RATE_HINT = 'must be a rate such as 60/min or 5000/day (units: s, min, h, day).'

export function readConfiguration(env: NodeJS.ProcessEnv): ReadConfiguration {
  const reader = new EnvironmentReader(env)
  const slots = readSlots(reader)
  const suggesters = readSuggesters(reader)
  const { engines, hidden } = readEngines(reader, [
    ...[...slots.values()].flatMap((slot) => Object.values(slot).flat()),
    ...suggesters,
  ])
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
    operatorContact: reader.text(setting('OPERATOR_CONTACT', '')) ?? '',
    metricsPort: reader.integer(setting('METRICS_PORT'), { min: 0, max: 65_535 }),
    metricsToken: reader.text(secret('METRICS_TOKEN')),
    logLevel: reader.choice(setting('LOG_LEVEL', 'info'), LOG_LEVELS) ?? 'info',
    cacheSeconds: reader.integer(setting('SEARCH_CACHE_SECONDS', '86400'), { min: 0, max: 86_400 }) ?? 0,
    slots,
    weights: readWeights(reader, [...slots.keys()]),
    suggesters,
    engines,
  }
  return { configuration, mistakes: reader.mistakes, shown: reader.shown, hidden }
}

function readLimits(reader: EnvironmentReader): Limits {
  const none = { count: 1, windowMs: 1 }
  return {
    burst: reader.parsed(setting('API_THROTTLE_BURST', '60/min'), parseRate, RATE_HINT) ?? none,
    sustained: reader.parsed(setting('API_THROTTLE_SUSTAINED', '5000/day'), parseRate, RATE_HINT) ?? none,
    monthlyCap: reader.integer(setting('API_MONTHLY_CAP'), { min: 1, max: 1e12 }),
  }
}

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

function readSuggesters(reader: EnvironmentReader): string[] {
  const able = ALL_ENGINES.filter(({ suggest }) => suggest).map(({ slug }) => slug)
  const read = (text: string) => {
    const slugs = [
      ...new Set(
        text
          .toLowerCase()
          .split(/[\s,]+/)
          .filter(Boolean),
      ),
    ]
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

const readDecimal =
  (min: number, max: number) =>
  (text: string): number | undefined => {
    const value = /^\d{1,12}(?:\.\d{1,12})?$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : undefined
  }

function readEngines(reader: EnvironmentReader, bound: readonly string[]) {
  const engines = new Map<string, ConfiguredEngine>()
  const hidden: HiddenEngine[] = []
  for (const engine of ALL_ENGINES.filter(({ slug }) => bound.includes(slug))) {
    const { values, missing } = reader.group(engine.settings)
    const { env } = engine.settings.baseUrl
    if (!/^https?:\/\/[^/@?#]+(?:\/[^?#]*)?$/.test(values.baseUrl) && !missing.includes(env)) {
      reader.mistake(env, 'must be an address that begins with http:// or https://, without a user name or a query.')
    }
    const extras = { pace: readPace(reader, engine), budget: readBudget(reader, engine) }
    if (missing.length > 0) hidden.push({ slug: engine.slug, missing })
    else engines.set(engine.slug, { engine, settings: values, isTrustedAddress: reader.isWritten(env), ...extras })
  }
  return { engines, hidden }
}

function readPace(reader: EnvironmentReader, { slug, terms }: Engine): ConfiguredEngine['pace'] {
  const env = `${slug.toUpperCase()}_PACE`
  if (!reader.isWritten(env)) return terms.pace
  const read = (text: string) => (text.toLowerCase() === 'off' ? 'off' : parseRate(text))
  const rate = reader.parsed(setting(env), read, `${RATE_HINT} Or off.`)
  return rate === 'off' || !rate ? undefined : { calls: rate.count, perSeconds: rate.windowMs / 1000 }
}

const MICROS = 1_000_000

function readBudget(reader: EnvironmentReader, { slug, terms }: Engine): EngineBudget {
  const name = slug.toUpperCase()
  // Fifteen engines with three settings each that hardly anybody writes: only those that are written are read and shown.
  const dollars = (env: string, hint: string) =>
    reader.isWritten(env) ? reader.parsed(setting(env), readDecimal(0, 1e9), hint) : undefined
  const calls = `${name}_MONTHLY_CALLS`
  const price = dollars(`${name}_PRICE_PER_CALL`, 'must be US dollars for one call, such as 0.005.')
  const cap = dollars(`${name}_MONTHLY_USD`, 'must be US dollars, such as 20 or 12.50.')
  return {
    pricePerCallMicros: price === undefined ? terms.pricePerCallMicros : Math.round(price * MICROS),
    callsPerMonth: reader.isWritten(calls) ? reader.integer(setting(calls), { min: 0, max: 1e12 }) : undefined,
    microsPerMonth: cap === undefined ? undefined : Math.round(cap * MICROS),
  }
}
