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
  /** By slot name, in slot order. */
  slots: Map<string, SlotBinding>
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
  const { engines, hidden } = readEngines(reader, slots)
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
    slots,
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

function readEngines(reader: EnvironmentReader, slots: Map<string, SlotBinding>) {
  const bound = new Set([...slots.values()].flatMap((binding) => Object.values(binding).flat()))
  const engines = new Map<string, ConfiguredEngine>()
  const hidden: HiddenEngine[] = []
  for (const engine of ALL_ENGINES.filter(({ slug }) => bound.has(slug))) {
    const { values, missing } = reader.group(engine.settings)
    const { env } = engine.settings.baseUrl
    if (!/^https?:\/\/[^/]/.test(values.baseUrl) && !missing.includes(env)) {
      reader.mistake(env, 'must be an address that begins with http:// or https://.')
    }
    if (missing.length > 0) hidden.push({ slug: engine.slug, missing })
    else engines.set(engine.slug, { engine, settings: values, isTrustedAddress: reader.isWritten(env) })
  }
  return { engines, hidden }
}
