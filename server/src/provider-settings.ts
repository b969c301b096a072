// What every provider reads from the environment: its own settings, and the pace and budget the operator gives it. A
// provider that lacks a setting it needs is hidden everywhere; which setting that is, is remembered for the operator.
import type { EnvironmentReader } from './config/environment-reader.ts'
import { type SettingValues, setting } from './config/setting.ts'
import { ALL_ENGINES } from './engines/all.ts'
import type { Engine, EngineSettings } from './providers/engine.ts'
import { ALL_SOURCES } from './providers/sources/all.ts'
import type { Source, SourceSettings } from './providers/source.ts'
import { parseRate } from './limits/rate.ts'

/** A provider that has every setting it needs. */
interface ConfiguredProvider {
  /** The operator wrote this base URL, so it may be a private address. */
  isTrustedAddress: boolean
  /** The provider's own rate unless the operator knows his plan better. */
  pace: { calls: number; perSeconds: number } | undefined
  budget: ProviderBudget
}

/** An engine that is bound to a slot. */
export interface ConfiguredEngine extends ConfiguredProvider {
  engine: Engine
  settings: SettingValues<EngineSettings>
}

export interface ConfiguredSource extends ConfiguredProvider {
  source: Source
  settings: SettingValues<SourceSettings>
}

/** What a UTC month may cost at most; undefined: no cap. */
export interface ProviderBudget {
  pricePerCallMicros: number
  callsPerMonth: number | undefined
  microsPerMonth: number | undefined
}

/** A provider that is not usable, and what would make it so. */
export interface HiddenProvider {
  slug: string
  /** Empty when the operator has turned it off himself. */
  missing: string[]
}

export const RATE_HINT = 'must be a rate such as 60/min or 5000/day (units: s, min, h, day).'

export const readDecimal =
  (min: number, max: number) =>
  (text: string): number | undefined => {
    const value = /^\d{1,12}(?:\.\d{1,12})?$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : undefined
  }

export function readEngines(reader: EnvironmentReader, bound: readonly string[]) {
  const engines = new Map<string, ConfiguredEngine>()
  const hidden: HiddenProvider[] = []
  for (const engine of ALL_ENGINES.filter(({ slug }) => bound.includes(slug))) {
    const { values, missing } = reader.group(engine.settings)
    const { env } = engine.settings.baseUrl
    if (!missing.includes(env)) requireAddress(reader, env, values.baseUrl)
    const extras = { pace: readPace(reader, engine, engine.terms.pace), budget: readBudget(reader, engine) }
    if (missing.length > 0) hidden.push({ slug: engine.slug, missing })
    else engines.set(engine.slug, { engine, settings: values, isTrustedAddress: reader.isWritten(env), ...extras })
  }
  return { engines, hidden }
}

export function readSources(reader: EnvironmentReader, operatorContact: string) {
  const sources = new Map<string, ConfiguredSource>()
  const hidden: HiddenProvider[] = []
  for (const source of ALL_SOURCES) {
    const { slug } = source
    const { values, missing } = reader.group(source.settings)
    const { env } = source.settings.baseUrl
    if (values.baseUrl.toLowerCase() === 'off') {
      hidden.push({ slug, missing: [] })
      continue
    }
    const isIdentified = operatorContact !== '' && source.identifiedUrl !== undefined && missing.includes(env)
    const settings = isIdentified ? { ...values, baseUrl: source.identifiedUrl ?? '' } : values
    const stillMissing = isIdentified ? missing.filter((name) => name !== env) : missing
    if (!stillMissing.includes(env)) requireAddress(reader, env, settings.baseUrl)
    const { pace, pacedHost } = source.terms
    const isPaced = pacedHost === undefined || hostOf(settings.baseUrl) === pacedHost
    const extras = { pace: readPace(reader, source, isPaced ? pace : undefined), budget: readBudget(reader, source) }
    if (stillMissing.length > 0) hidden.push({ slug, missing: stillMissing })
    else sources.set(slug, { source, settings, isTrustedAddress: reader.isWritten(env), ...extras })
  }
  return { sources, hidden }
}

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).hostname : '')

function requireAddress(reader: EnvironmentReader, env: string, address: string): void {
  if (/^https?:\/\/[^/@?#]+(?:\/[^?#]*)?$/.test(address)) return
  reader.mistake(env, 'must be an address that begins with http:// or https://, without a user name or a query.')
}

/** As much of an engine or a source as has a price and a rate. */
interface Priced {
  slug: string
  terms: { pricePerCallMicros: number }
}

type PaceRate = ConfiguredProvider['pace']

function readPace(reader: EnvironmentReader, { slug }: Priced, own: PaceRate): PaceRate {
  const env = `${slug.toUpperCase()}_PACE`
  if (!reader.isWritten(env)) return own
  const read = (text: string) => (text.toLowerCase() === 'off' ? 'off' : parseRate(text))
  const rate = reader.parsed(setting(env), read, `${RATE_HINT} Or off.`)
  return rate === 'off' || !rate ? undefined : { calls: rate.count, perSeconds: rate.windowMs / 1000 }
}

const MICROS = 1_000_000

function readBudget(reader: EnvironmentReader, { slug, terms }: Priced): ProviderBudget {
  const name = slug.toUpperCase()
  // Dozens of providers with three settings each that hardly anybody writes: only those that are written are read and shown.
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
