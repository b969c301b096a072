// Every parameter and operator of a search against every engine's declaration: the provider honours it, we filter what it
// finds, or it isn't asked; and where nothing of that is possible, the reader is told. Nothing is ignored in silence.
// `reply-rules.test.ts` and `engine-rules.test.ts` of the engines hold what they declare against what they ask for.

import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import type { Engine, EngineQuery, HitOf, Tab } from '@bowerbird/engines/engine.ts'
import { describe, expect, it } from 'vitest'
import { BASE_URL } from '../../../engines/test/engine-cases.ts'
import { createLog } from '../log.ts'
import { askEngine } from './ask-engine.ts'
import { OPERATOR } from './caller.ts'
import { createReports, engineStatusHeader } from './engine-report.ts'
import { findSkipReason, type PlannedEngine, planSearch } from './plan.ts'
import { withinBounds } from './result-bounds.ts'
import { uncheckedSlots } from './text-operators.ts'

const NOW = Date.UTC(2026, 10, 15)
const DAY_MS = 86_400_000

/** What no engine is asked to do: a plain search. */
const PLAIN: EngineQuery = { text: 'old oak', page: 1, safe: false, date: undefined, lang: '', now: NOW }

/** Each with what a search for it asks, and by what it differs from one that doesn't. */
const PARAMETERS = {
  safe: { safe: true },
  date: { date: 'd' },
  lang: { lang: 'de' },
  region: { region: 'DE' },
  date_from: { dateFrom: NOW - DAY_MS },
  date_to: { dateTo: NOW - DAY_MS },
  include_domains: { includeDomains: ['example.net'] },
  exclude_domains: { excludeDomains: ['example.org'] },
  'filetype:': { fileTypes: ['pdf'] },
  'intitle:': { titleWords: ['acorn'] },
  quotes: { text: '"old oak"', phrases: ['old oak'] },
  image_size: { image: { size: 'large' } },
  image_shape: { image: { shape: 'tall' } },
  image_licence: { image: { licence: 'commercial' } },
  image_color: { image: { color: 'teal' } },
  image_kind: { image: { kind: 'drawing' } },
} as const satisfies Record<string, Partial<EngineQuery>>

/** A hit that keeps to none of them: of another site, language, type and year, and about something else. */
const STRANGER = {
  title: 'The history of the village and of everybody who has ever lived in it',
  url: 'https://example.org/history.html',
  description: 'This is the story of a small village in the north, and of the people who have lived there since then.',
  publishedAt: NOW - 5_000 * DAY_MS,
  publisher: '',
  faviconUrl: '',
  thumbnailUrl: 'https://example.org/a.png',
  sitelinks: [],
  durationSeconds: undefined,
}

const KINDS = { web: 'web', science: 'web', code: 'web', images: 'image', news: 'news', videos: 'video' } as const

type Fate = 'not asked' | 'by the provider' | 'by nature' | 'filtered' | 'told' | 'ignored'

async function fateOf(engine: Engine, name: Tab, parameter: keyof typeof PARAMETERS): Promise<Fate> {
  const tab = engine.tabs[name]
  if (!tab) throw new Error('no such tab')
  const query: EngineQuery = { ...PLAIN, ...PARAMETERS[parameter] }
  // A hit of images and videos has no description; one that is newer than the last day can't be asked for with a date.
  const { description, publishedAt, ...rest } = STRANGER
  const hit = {
    ...rest,
    kind: KINDS[name],
    ...(name !== 'images' && { publishedAt: parameter === 'date_to' ? NOW : publishedAt }),
    ...(name !== 'images' && name !== 'videos' && { description }),
  } as HitOf[Tab]
  if (findSkipReason(engine, tab, query)) return 'not asked'
  if (tab.byNature?.some((filter) => filter === parameter)) return 'by nature'
  const asked = await ask(engine, name, { query, hit })
  const plainly = await ask(engine, name, { query: PLAIN, hit })
  // Everybody gets quotation marks; they mean something to those who declare them.
  const isAsked =
    parameter === 'quotes'
      ? tab.operators?.includes('quotes') && /%22|\\"/.test(asked.request)
      : asked.request !== plainly.request
  if (!asked.isShown) return 'filtered'
  if (isAsked) return 'by the provider'
  if (parameter === 'region') return regionIsTold(engine, name, query) ? 'told' : 'ignored'
  return uncheckedSlots(name, query, [{ slot: { name: 'engine_a' }, tab }]).length > 0 ? 'told' : 'ignored'
}

/** Whether Engine-Status says that an engine that was asked can't favour the region. */
function regionIsTold(engine: Engine, name: Tab, query: EngineQuery): boolean {
  const bound = { engine, settings: { baseUrl: BASE_URL }, ask: () => Promise.reject(new Error('not asked')) }
  const slots = [{ name: 'engine_a', weight: 1, engines: { [name]: [bound] } }]
  const plan = planSearch({ caller: OPERATOR, tab: name, request: { ...query, engines: [] } }, slots)
  const result = { response: { hits: [], correction: '' }, from: 'provider' as const, isStale: false, ageMs: 0 }
  const outcomes = plan.engines.map((planned) => ({ planned, ms: 0, calledProvider: true, result }))
  return engineStatusHeader(createReports(plan, outcomes)).includes(';region=ignored')
}

/** What an engine is asked, and whether a hit that it returns is shown. */
async function ask(engine: Engine, name: Tab, { query, hit }: { query: EngineQuery; hit: HitOf[Tab] }) {
  let request = ''
  const settings = Object.fromEntries(
    Object.entries(engine.settings).map(([setting, { fallback }]) => [setting, fallback ?? BASE_URL]),
  )
  const planned = {
    slot: { name: 'engine_a', weight: 1, engines: {} },
    tab: { ...engine.tabs[name], parse: () => ({ hits: [hit], correction: '' }) },
    bound: {
      engine,
      settings,
      ask: async (sent: object, _deadline: unknown, read: (reply: unknown) => unknown) => {
        request = JSON.stringify(sent)
        return read({ status: 200, headers: {}, body: '' })
      },
    },
  } as unknown as PlannedEngine
  const log = createLog('silent')
  const response = await askEngine({
    tabName: name,
    planned,
    query,
    deadline: createDeadline(5_000),
    isForVisitor: false,
    observe: () => undefined,
    log,
  })
  const result = { response, from: 'provider' as const, isStale: false, ageMs: 0 }
  const outcome = withinBounds({ planned, ms: 0, calledProvider: true, result }, query)
  return { request, isShown: 'response' in outcome.result && outcome.result.response.hits.length > 0 }
}

const TABS_OF_ALL = ALL_ENGINES.flatMap((engine) =>
  (Object.keys(engine.tabs) as Tab[]).map((name) => ({ engine, name, label: `${engine.slug}, ${name}` })),
)

describe.each(TABS_OF_ALL)('$label', ({ engine, name }) => {
  const parameters = (Object.keys(PARAMETERS) as (keyof typeof PARAMETERS)[]).filter(
    (parameter) => name === 'images' || !parameter.startsWith('image_'),
  )
  it('ignores no parameter in silence', async () => {
    for (const parameter of parameters) expect(await fateOf(engine, name, parameter), parameter).not.toBe('ignored')
  })
})

const REGIONS = [
  { lang: 'de', region: 'AT' },
  { lang: 'en', region: 'DE' },
  { lang: '', region: 'IS' },
]

describe.each(TABS_OF_ALL)('$label', ({ engine, name }) => {
  it('favours a region beside a language, or the reader is told', async () => {
    const tab = engine.tabs[name]
    const hit = { ...STRANGER, kind: KINDS[name] } as HitOf[Tab]
    for (const wish of REGIONS) {
      const query = { ...PLAIN, ...wish }
      if (!tab || findSkipReason(engine, tab, query)) continue
      const asked = await ask(engine, name, { query, hit })
      const plainly = await ask(engine, name, { query: { ...query, region: undefined }, hit })
      expect(regionIsTold(engine, name, query), wish.region).toBe(asked.request === plainly.request)
    }
  })
})

describe('of these it is known', () => {
  const engineOf = (slug: string) => ALL_ENGINES.find((engine) => engine.slug === slug) ?? expect.unreachable(slug)

  const KNOWN = `
    brave web filetype: by the provider
    brave web quotes by the provider
    brave images date not asked
    brave images quotes told
    brave images image_size filtered
    brave images image_licence not asked
    openverse images image_kind by the provider
    pixabay images image_color by the provider
    commons images image_licence filtered
    jina images image_shape filtered
    europeana images image_shape not asked
    pexels images image_kind not asked
    mojeek web filetype: filtered
    mojeek web quotes filtered
    mojeek web include_domains filtered
    wikipedia web quotes by the provider
    wikipedia web intitle: filtered
    wikipedia web safe by nature
    wikipedia web date_from not asked
    firecrawl web intitle: by the provider
    you web filetype: by the provider
    brave web region by the provider
    bowerbird news region by the provider
    tavily web region by the provider
    tavily news region told
    searxng web region told
    wikipedia web region told`
  // Each line has an engine, a tab, a parameter and its fate.
  const cases = [...KNOWN.matchAll(/(\w+) (\w+) (\S+) (.+)/g)].map(([, ...parts]) => parts)

  it.each(cases)('%s, %s, %s: %s', async (...[slug = '', tab, parameter, fate]) => {
    expect(await fateOf(engineOf(slug), tab as Tab, parameter as keyof typeof PARAMETERS)).toBe(fate)
  })
})
