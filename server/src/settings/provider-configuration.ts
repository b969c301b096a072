// Reads each provider's settings from the environment: its own, plus the operator's rate limit and budget for it. A
// provider with a missing setting is hidden everywhere; the names of the missing settings are kept for the operator.

import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { type Engine, type EngineSettings, MICROS_PER_DOLLAR } from '@bowerbird/engines/engine.ts'
import { type Setting, type SettingValues, setting } from '@bowerbird/engines/setting.ts'
import type { Source, SourceSettings } from '@bowerbird/engines/source.ts'
import { ALL_SOURCES } from '@bowerbird/engines/sources/all.ts'
import type { z } from 'zod'
import type { ReportMistakes, WrittenSettings } from '../config/environment.ts'
import {
  choice,
  decimal,
  integer,
  parsed,
  readSetting,
  type ShownSetting,
  showSetting,
} from '../config/setting-types.ts'
import { parseRate } from '../rate-limit/rate.ts'
import { type OutgoingProxy, parseOutgoingProxy } from '../upstream/outgoing-proxy.ts'

/** A provider that has every setting it needs. */
interface ConfiguredProvider {
  /** Whether the operator set the base URL, which may then be a private address. */
  isTrustedAddress: boolean
  /** The provider's own proxy, or none, whatever OUTGOING_PROXY is; undefined: as OUTGOING_PROXY says. */
  proxy: OutgoingProxy | 'direct' | undefined
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

interface ReadProviders<Configured> {
  /** Fully configured providers, by slug. */
  providers: Map<string, Configured>
  hidden: HiddenProvider[]
  shown: ShownSetting[]
}

export function readEngines(
  written: WrittenSettings,
  bound: readonly Engine[],
  report: ReportMistakes,
): ReadProviders<ConfiguredEngine> {
  const read: ReadProviders<ConfiguredEngine> = { providers: new Map(), hidden: [], shown: [] }
  for (const engine of bound) {
    const { slug, terms } = engine
    read.shown.push(...shownSettingsOf(written, engine))
    readOwnSettings(written, engine.settings, report)
    const { values, missing } = valuesOf(written, engine.settings)
    const isLimited = terms.rateLimitedKey === undefined || values['apiKey'] === terms.rateLimitedKey
    const common = readCommon(written, engine, isLimited ? terms.rateLimit : undefined, report)
    // A rate that the operator sets replaces both of the provider's.
    const isOwnRate = written.values[envOf(slug, 'RATE_LIMIT')] !== undefined
    const dailyCalls = isLimited && !isOwnRate ? terms.dailyCalls : undefined
    if (missing.length > 0) read.hidden.push({ slug, missing })
    else read.providers.set(slug, { engine, settings: values, dailyCalls, ...common })
  }
  return read
}

export function readSources(
  written: WrittenSettings,
  operatorContact: string,
  report: ReportMistakes,
): ReadProviders<ConfiguredSource> {
  const read: ReadProviders<ConfiguredSource> = { providers: new Map(), hidden: [], shown: [] }
  for (const source of ALL_SOURCES) {
    const { slug, terms, identifiedUrl } = source
    read.shown.push(...shownSettingsOf(written, source))
    // This public server is only for operators who identify themselves.
    const instead = operatorContact !== '' && identifiedUrl !== undefined ? { baseUrl: identifiedUrl } : {}
    const { values, missing } = valuesOf(written, source.settings, instead)
    const { env, fallback } = source.settings.baseUrl
    const baseUrl = written.values[env] ?? fallback ?? instead.baseUrl ?? ''
    if (baseUrl.toLowerCase() === 'off') {
      read.hidden.push({ slug, missing: [] })
      continue
    }
    const isRateLimited = terms.rateLimitedHost === undefined || hostOf(baseUrl) === terms.rateLimitedHost
    const common = readCommon(written, source, isRateLimited ? terms.rateLimit : undefined, report)
    if (missing.length > 0) read.hidden.push({ slug, missing })
    else read.providers.set(slug, { source, settings: values, ...common })
  }
  return read
}

/** The values of a provider's own settings, and the names of those that are missing. */
function valuesOf<Settings extends Record<string, Setting>>(
  { values: written }: WrittenSettings,
  settings: Settings,
  instead: Partial<SettingValues<Settings>> = {},
): { values: SettingValues<Settings>; missing: string[] } {
  const entries = Object.entries(settings).map(([name, { env, fallback }]) => ({
    name,
    env,
    value: written[env] ?? fallback ?? instead[name],
  }))
  const values = Object.fromEntries(entries.map(({ name, value }) => [name, value]))
  const missing = entries.filter(({ value }) => value === undefined).map(({ env }) => env)
  // Used only if nothing is missing: then each name has its value.
  return { values: values as SettingValues<Settings>, missing }
}

/** Checks the settings that only some engines have: the address for readers, and choices. */
function readOwnSettings(written: WrittenSettings, settings: EngineSettings, report: ReportMistakes): void {
  for (const [name, { env, oneOf }] of Object.entries(settings)) {
    if (name === 'linkUrl') readSetting(written, env, linkAddress, report)
    if (oneOf) readSetting(written, env, choice(oneOf), report)
  }
}

/** Reads what engines and sources have in common. */
function readCommon(
  written: WrittenSettings,
  { slug, settings, terms }: Engine | Source,
  documentedRate: ConfiguredProvider['rateLimit'],
  report: ReportMistakes,
): ConfiguredProvider {
  const read = <Value>(name: ProviderSettingName, schema: z.ZodType<Value, string>): Value | undefined =>
    readSetting(written, envOf(slug, name), schema, report)
  readSetting(written, settings.baseUrl.env, address, report)
  const limit = read('RATE_LIMIT', rateOrOff)
  const price = read('PRICE_PER_CALL', dollars('the price of one call', '0.005'))
  const cap = read('MONTHLY_USD', dollars('an amount', '20 or 12.50'))
  if (cap !== undefined && price === undefined && 'isPriceUnknown' in terms && terms.isPriceUnknown) {
    const message = `needs ${envOf(slug, 'PRICE_PER_CALL')}, because Bowerbird does not know the price of this provider.`
    report({ env: envOf(slug, 'MONTHLY_USD'), message })
  }
  return {
    isTrustedAddress: written.values[settings.baseUrl.env] !== undefined,
    proxy: read('PROXY', proxyOrDirect),
    rateLimit:
      limit === undefined
        ? documentedRate
        : limit === 'off'
          ? undefined
          : { calls: limit.count, perSeconds: limit.windowMs / 1000 },
    budget: {
      pricePerCallMicros: price === undefined ? terms.pricePerCallMicros : Math.round(price * MICROS_PER_DOLLAR),
      callsPerMonth: read('MONTHLY_CALLS', integer(0, 1e12)),
      microsPerMonth: cap === undefined ? undefined : Math.round(cap * MICROS_PER_DOLLAR),
    },
  }
}

/** Hardly any of the dozens of providers has a rate or a budget set, so only those that are set are shown. */
function shownSettingsOf(written: WrittenSettings, { slug, settings }: Engine | Source): ShownSetting[] {
  const general = SETTINGS_OF_EVERY_PROVIDER.map((name) => ({
    ...setting(envOf(slug, name)),
    isSecret: name === 'PROXY' && !isDirect(written.values[envOf(slug, name)]),
  }))
  const set = general.filter(({ env }) => written.values[env] !== undefined)
  return [...Object.values<Setting>(settings), ...set].map(({ env, fallback, isSecret }) =>
    showSetting(written, { env, fallback, hidesValue: isSecret }),
  )
}

/** Settings that every provider has. */
export const SETTINGS_OF_EVERY_PROVIDER = [
  'RATE_LIMIT',
  'PRICE_PER_CALL',
  'MONTHLY_USD',
  'MONTHLY_CALLS',
  'PROXY',
] as const
type ProviderSettingName = (typeof SETTINGS_OF_EVERY_PROVIDER)[number]
export const envOf = (slug: string, name: ProviderSettingName): string => `${slug.toUpperCase()}_${name}`

export const isCapSetting = (name: string): boolean => /_MONTHLY_(?:USD|CALLS)$/.test(name)

/** The names of the settings of these providers. */
export const settingsOf = (providers: readonly (Engine | Source)[]): ReadonlySet<string> =>
  new Set(
    providers.flatMap(({ slug, settings }) => [
      ...Object.values<Setting>(settings).map(({ env }) => env),
      ...SETTINGS_OF_EVERY_PROVIDER.map((name) => envOf(slug, name)),
    ]),
  )

export const PROVIDER_SETTINGS = settingsOf([...ALL_ENGINES, ...ALL_SOURCES])

/** The names of those among them that are secret. */
export const secretsOf = (providers: readonly (Engine | Source)[]): ReadonlySet<string> =>
  new Set(
    providers.flatMap(({ slug, settings }) => [
      ...Object.values<Setting>(settings).flatMap(({ env, isSecret }) => (isSecret ? [env] : [])),
      // The URL of a proxy may contain a password.
      envOf(slug, 'PROXY'),
    ]),
  )

const SECRETS = secretsOf([...ALL_ENGINES, ...ALL_SOURCES])

/** Who doesn't know the operator's own engines goes by the name: a document calls every secret by one of these words. */
export const isProviderSecret = (name: string): boolean =>
  SECRETS.has(name) ||
  (!PROVIDER_SETTINGS.has(name) && /KEY|TOKEN|SECRET|PASSWORD|PROXY/.test(name.slice(name.indexOf('_'))))

const ADDRESS = /^https?:\/\/[^/@?#]+(?:\/[^?#]*)?$/i

const address = parsed(
  (text) => (/^off$/i.test(text) || (ADDRESS.test(text) && URL.canParse(text)) ? text : undefined),
  'must be a URL that starts with http:// or https://, without a username or a query.',
)

const linkAddress = address.refine((text) => text.toLowerCase() !== 'off', 'must be a URL, or not set.')

export const isServiceAddress = (text: string): boolean => linkAddress.safeParse(text).success

export const RATE_HINT = 'must be a rate such as 60/min or 5000/day (units: s, min, h, day).'
const rateOrOff = parsed(
  (text) => (text.toLowerCase() === 'off' ? ('off' as const) : parseRate(text)),
  `${RATE_HINT} Use off for no limit.`,
)

const isDirect = (text = ''): boolean => text.toLowerCase() === 'direct'

export const PROXY_HINT = 'must be the URL of an HTTP proxy, such as http://user:password@proxy.example.org:3128.'
export const proxyOrDirect = parsed(
  (text) => (isDirect(text) ? ('direct' as const) : parseOutgoingProxy(text)),
  `${PROXY_HINT} Use direct for no proxy.`,
)

const dollars = (what: string, example: string) =>
  parsed((text) => decimal(0, 1e9).safeParse(text).data, `must be ${what} in US dollars, such as ${example}.`)

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).hostname : '')
