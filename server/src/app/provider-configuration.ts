// What every provider reads from the environment: its own settings, plus the rate limit and budget that the operator
// gives it. A provider with a missing setting is hidden everywhere; the names of the missing settings are kept for the
// operator.
import type { EnvironmentReader } from '../config/environment-reader.ts'
import { mapped, mistaken, type Reading, together, understood } from '../config/reading.ts'
import { type SettingValues, setting } from '../config/setting.ts'
import { parseRate } from '../limits/rate.ts'
import type { Engine, EngineSettings } from '../providers/engine.ts'
import { ALL_ENGINES } from '../providers/engines/all.ts'
import type { Source, SourceSettings } from '../providers/source.ts'
import { ALL_SOURCES } from '../providers/sources/all.ts'

/** A provider that has every setting it needs. */
interface ConfiguredProvider {
  /** The operator set this base URL, so it may be a private address. */
  isTrustedAddress: boolean
  /** The provider's documented rate, unless the operator has set one. */
  rateLimit: { calls: number; perSeconds: number } | undefined
  budget: ProviderBudget
}

/** An engine that is bound to a slot. */
export interface ConfiguredEngine extends ConfiguredProvider {
  engine: Engine
  /** The most calls in 24 hours; undefined: no limit, or the operator has set a rate instead. */
  dailyCalls: number | undefined
  settings: SettingValues<EngineSettings>
}

export interface ConfiguredSource extends ConfiguredProvider {
  source: Source
  settings: SettingValues<SourceSettings>
}

/** The most that a UTC month may cost; undefined: no cap. */
export interface ProviderBudget {
  pricePerCallMicros: number
  callsPerMonth: number | undefined
  microsPerMonth: number | undefined
}

/** A provider that cannot be used, and the settings it lacks. */
export interface HiddenProvider {
  slug: string
  /** Empty if the operator has turned it off. */
  missing: string[]
}

export const RATE_HINT = 'must be a rate such as 60/min or 5000/day (units: s, min, h, day).'

export const readDecimal =
  (min: number, max: number) =>
  (text: string): number | undefined => {
    const value = /^\d{1,12}(?:\.\d{1,12})?$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : undefined
  }

/** Those that are usable, or every mistake in their settings; and in either case those that lack one. */
interface ReadProviders<Configured> {
  providers: Reading<Map<string, Configured>>
  hidden: HiddenProvider[]
}

export function readEngines(reader: EnvironmentReader, bound: readonly string[]): ReadProviders<ConfiguredEngine> {
  const readings: Record<string, Reading<ConfiguredEngine | undefined>> = {}
  const hidden: HiddenProvider[] = []
  for (const engine of ALL_ENGINES.filter(({ slug }) => bound.includes(slug))) {
    const group = reader.group(engine.settings)
    if (!group.ok) hidden.push({ slug: engine.slug, missing: group.missing })
    const common = readCommon(reader, engine, engine.terms.rateLimit)
    readings[engine.slug] = mapped(common, (read) =>
      group.ok ? { engine, settings: group.values, dailyCalls: dailyCallsOf(reader, engine), ...read } : undefined,
    )
  }
  return { providers: usable(readings), hidden }
}

/** A rate of the operator's own replaces both of the provider's. */
const dailyCallsOf = (reader: EnvironmentReader, { slug, terms }: Engine): number | undefined =>
  reader.isWritten(paceOf(slug)) ? undefined : terms.dailyCalls

const paceOf = (slug: string): string => `${slug.toUpperCase()}_PACE`

export function readSources(reader: EnvironmentReader, operatorContact: string): ReadProviders<ConfiguredSource> {
  const readings: Record<string, Reading<ConfiguredSource | undefined>> = {}
  const hidden: HiddenProvider[] = []
  for (const source of ALL_SOURCES) {
    const { slug, settings, terms, identifiedUrl } = source
    // A public server that is only for those who say who they are.
    const instead = operatorContact !== '' && identifiedUrl !== undefined ? { baseUrl: identifiedUrl } : {}
    const group = reader.group(settings, instead)
    const baseUrl = reader.text(settings.baseUrl) ?? instead.baseUrl ?? ''
    if (baseUrl.toLowerCase() === 'off') {
      hidden.push({ slug, missing: [] })
      continue
    }
    if (!group.ok) hidden.push({ slug, missing: group.missing })
    const isRateLimited = terms.rateLimitedHost === undefined || hostOf(baseUrl) === terms.rateLimitedHost
    const common = readCommon(reader, source, isRateLimited ? terms.rateLimit : undefined)
    readings[slug] = mapped(common, (read) => (group.ok ? { source, settings: group.values, ...read } : undefined))
  }
  return { providers: usable(readings), hidden }
}

const usable = <Configured>(
  readings: Record<string, Reading<Configured | undefined>>,
): Reading<Map<string, Configured>> =>
  mapped(
    together(readings),
    (read) =>
      new Map(Object.entries(read).flatMap(([slug, provider]) => (provider ? [[slug, provider] as const] : []))),
  )

/** What engines and sources have alike. */
const readCommon = (
  reader: EnvironmentReader,
  provider: Engine | Source,
  ownRate: UpstreamRate,
): Reading<ConfiguredProvider> => {
  const { baseUrl } = provider.settings
  const address = reader.text(baseUrl)
  return mapped(
    together({
      address:
        address === undefined || ADDRESS.test(address) ? understood(address) : mistaken(baseUrl.env, ADDRESS_HINT),
      rateLimit: readUpstreamRate(reader, provider, ownRate),
      budget: readBudget(reader, provider),
    }),
    (read) => ({ isTrustedAddress: reader.isWritten(baseUrl.env), rateLimit: read.rateLimit, budget: read.budget }),
  )
}

const ADDRESS = /^https?:\/\/[^/@?#]+(?:\/[^?#]*)?$/
const ADDRESS_HINT = 'must be a URL that starts with http:// or https://, without a username or a query.'

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).hostname : '')

/** As much of an engine or a source as has a price and a rate. */
interface Priced {
  slug: string
  terms: { pricePerCallMicros: number }
}

type UpstreamRate = ConfiguredProvider['rateLimit']

function readUpstreamRate(reader: EnvironmentReader, { slug }: Priced, own: UpstreamRate): Reading<UpstreamRate> {
  const env = paceOf(slug)
  if (!reader.isWritten(env)) return understood(own)
  const read = (text: string) => (text.toLowerCase() === 'off' ? 'off' : parseRate(text))
  return mapped(reader.parsed(setting(env), read, `${RATE_HINT} Use off for no limit.`), (rate) =>
    rate === 'off' || !rate ? undefined : { calls: rate.count, perSeconds: rate.windowMs / 1000 },
  )
}

const MICROS = 1_000_000

function readBudget(reader: EnvironmentReader, { slug, terms }: Priced): Reading<ProviderBudget> {
  const name = slug.toUpperCase()
  // Dozens of providers have three such settings each, and hardly any are ever set: only those that are set are read
  // and shown.
  const dollars = (env: string, hint: string) =>
    reader.isWritten(env) ? reader.parsed(setting(env), readDecimal(0, 1e9), hint) : understood(undefined)
  const calls = `${name}_MONTHLY_CALLS`
  const read = together({
    price: dollars(`${name}_PRICE_PER_CALL`, 'must be the price of one call in US dollars, such as 0.005.'),
    cap: dollars(`${name}_MONTHLY_USD`, 'must be an amount in US dollars, such as 20 or 12.50.'),
    calls: reader.isWritten(calls) ? reader.integer(setting(calls), { min: 0, max: 1e12 }) : understood(undefined),
  })
  return mapped(read, ({ price, cap, calls: callsPerMonth }) => ({
    pricePerCallMicros: price === undefined ? terms.pricePerCallMicros : Math.round(price * MICROS),
    callsPerMonth,
    microsPerMonth: cap === undefined ? undefined : Math.round(cap * MICROS),
  }))
}
