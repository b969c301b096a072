// Every tab and every completion of every engine, as the cases over which the engine rules run, and the exceptions that
// providers force on those rules. An exception is declared here with its reason, or it does not exist.

import { ALL_ENGINES } from '../src/all.ts'
import { DOCUMENTS } from '../src/documents/all.ts'
import {
  type Engine,
  type EngineQuery,
  type EngineSettings,
  type EngineTab,
  type Hit,
  type ProviderReply,
  type ProviderRequest,
  TABS,
  type Tab,
} from '../src/engine.ts'
import type { SettingValues } from '../src/setting.ts'
import type { UpstreamErrorKind } from '../src/upstream-error.ts'

/** Providers that take the key nowhere but in the query string. */
export const KEY_IN_ADDRESS: ReadonlySet<string> = new Set([
  'mojeek',
  'openalex',
  'serpapi',
  'stackexchange',
  ...DOCUMENTS.filter(({ auth }) => auth && 'query' in auth).map(({ slug }) => slug),
])

/** Engines without a default address: the operator points them at a server of their own. */
export const OWN_SERVER: ReadonlySet<string> = new Set([
  'searxng',
  'peertube',
  'yacy',
  ...DOCUMENTS.filter(({ baseUrl }) => baseUrl === undefined).map(({ slug }) => slug),
])

/** Parts of a query are commands there, so it is sent with those parts disarmed and cannot be read back whole. */
export const DISARMS_QUERY: ReadonlySet<string> = new Set(['arxiv', 'searxng', 'gdelt', 'gnews', 'wikipedia'])

/** Sites with one licence for all of their pictures. */
export const SITE_LICENCES: ReadonlySet<string> = new Set(['pexels', 'pixabay', 'unsplash'])

/** One newspaper. */
export const SITE_PUBLISHERS: ReadonlySet<string> = new Set(['guardian'])

/** They have photos and nothing else, and need not be asked for them. */
export const PHOTOS_ALONE: ReadonlySet<string> = new Set(['pexels', 'unsplash'])

/** They find things by their text and return nothing of it. */
export const WITHOUT_DESCRIPTIONS: ReadonlySet<string> = new Set(['trilium'])

/** Bodies besides the fixture `-empty` that say something by the provider's contract, where elsewhere they are malformed. */
export const MEANINGFUL_BODIES: Readonly<Record<string, Readonly<Record<string, UpstreamErrorKind | 'empty'>>>> = {
  // Nothing found is an empty body or an empty object.
  'gdelt-news': { '': 'empty', ' \n': 'empty', '{}': 'empty' },
}

export const QUERY: EngineQuery = {
  text: 'c++ & "50 % off" naïve 鳥',
  page: 1,
  safe: true,
  date: undefined,
  lang: '',
  now: Date.UTC(2026, 10, 14, 12),
}

export const CANARY_KEY = 'canary-key'
export const BASE_URL = 'https://provider.example'

export const settingsOf = ({ settings }: Engine): SettingValues<EngineSettings> => {
  const values: Record<string, string> = {}
  for (const [name, { isSecret, fallback }] of Object.entries(settings)) {
    values[name] = isSecret ? CANARY_KEY : (fallback ?? 'somevalue')
  }
  return { ...values, baseUrl: BASE_URL }
}

/** The query with changes, as a request. */
type RequestFor = (change: Partial<EngineQuery>) => ProviderRequest

interface TabCase {
  engine: Engine
  name: Tab
  /** How its fixtures begin: `brave-web`. Two tiers of one vendor share them, and so do two tabs with one reader. */
  fixture: string
  tab: EngineTab<Hit, SettingValues<EngineSettings>>
  requestFor: RequestFor
}

interface SuggestCase {
  engine: Engine
  fixture: string
  requestFor: RequestFor
  parse: (reply: ProviderReply) => string[]
}

/** How the fixtures of a tab begin. */
export const fixtureOf = (engine: Engine, name: Tab): string =>
  `${engine.tierOf ?? engine.slug}-${TABS.find((other) => engine.tabs[other]?.parse === engine.tabs[name]?.parse) ?? name}`

const tabCase = (engine: Engine, name: Tab): TabCase[] => {
  const tab = engine.tabs[name]
  if (tab === undefined) return []
  const settings = settingsOf(engine)
  const requestFor: RequestFor = (change) => tab.request({ ...QUERY, ...change }, settings)
  const parse: TabCase['tab']['parse'] = (reply, query) => tab.parse(reply, query, settings)
  return [{ engine, name, tab: { ...tab, parse }, fixture: fixtureOf(engine, name), requestFor }]
}

export const EVERY_TAB: readonly TabCase[] = ALL_ENGINES.flatMap((engine) =>
  TABS.flatMap((name) => tabCase(engine, name)),
)

export const EVERY_SUGGEST: readonly SuggestCase[] = ALL_ENGINES.flatMap((engine) => {
  const { suggest } = engine
  if (suggest === undefined) return []
  const settings = settingsOf(engine)
  const requestFor: RequestFor = ({ text = QUERY.text, lang = '' }) => suggest.request({ text, lang }, settings)
  return [
    { engine, fixture: `${engine.tierOf ?? engine.slug}-suggest`, requestFor, parse: (reply) => suggest.parse(reply) },
  ]
})

const engineOf = (slug: string | undefined) => ALL_ENGINES.find((engine) => engine.slug === slug)

/** Every tab but those that another tier of the vendor, or an earlier tab, reads with the very same function. */
export const EVERY_READING: readonly TabCase[] = EVERY_TAB.filter(
  ({ engine, name, fixture }) =>
    engineOf(engine.tierOf)?.tabs[name]?.parse !== engine.tabs[name]?.parse && fixture.endsWith(`-${name}`),
)
