// "Each shared query parameter corresponds to an option that the website keeps in a preferences cookie; in the API it
// is explicit in the URL": one search, sent to a whole instance in four ways, is the same down to the provider
// requests.
import { randomUUID } from 'node:crypto'
import { TABS } from '@bowerbird/engines/engine.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FormBrowser, openFormBrowser } from '../support/form-browser.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { WITHOUT_RATE_LIMIT } from './without-upstream-rate-limit.ts'

/** Providers of the default slots. */
const PROVIDERS = ['brave', 'mojeek', 'marginalia', 'openverse', 'hackernews', 'sepiasearch']
const SLOTS = ['engine_a', 'engine_b', 'engine_c']
const RUNS = 12
const COOKIE = 'bowerbird_preferences'
/** The website's text for an image without a title. */
const UNTITLED = 'Image'

let server: TestInstance
beforeAll(async () => {
  // Nothing is cached, so that each way calls the providers itself.
  const patience = { SEARCH_TIMEOUT_MS: '20000', API_THROTTLE_BURST: '100000/min' }
  server = await startTestInstance({
    ...WITHOUT_RATE_LIMIT,
    ...patience,
    SITE_ACCESS: 'public',
    SEARCH_CACHE_SECONDS: '0',
  })
})
afterAll(() => server.close())

interface Wish {
  engines: string[]
  safe: boolean
  lang: string
}

const PATH = '/settings/search'

async function savePreferences(browser: FormBrowser, { engines, safe, lang }: Wish): Promise<void> {
  const chosen = (engines.length === 0 ? SLOTS : engines).map((slot): [string, string] => ['engines', slot])
  const switches: [string, string][] = safe ? [['safe', 'on']] : []
  const fields: [string, string][] = [...chosen, ...switches, ['lang', lang || 'auto'], ['theme', 'auto']]
  expect((await browser.submit(PATH, fields)).location).toBe(`${PATH}?done=saved`)
}

async function exportedLine(browser: FormBrowser): Promise<string> {
  const { body } = await browser.ask(PATH)
  return (/<code>([^<]+)<\/code>/.exec(body)?.[1] ?? '').replaceAll('&amp;', '&')
}

/** The outcome of a search: its status, its results in order, and the requests to each provider. */
async function outcomeOf(search: () => Promise<{ status: number; results: string[] }>) {
  server.sandbox.reset()
  const { status, results } = await search()
  // A date filter is sent to some providers as a time in seconds, and the searches compared are made one after another.
  const asked = PROVIDERS.flatMap((slug) =>
    server.sandbox
      .calls(slug)
      .map(({ path, query }) => JSON.stringify([slug, path, query]).replace(/\b\d{10}\b/g, 'time')),
  )
  return { status, results, asked }
}

const unescaped = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** Image tiles link to pages of this site, so they are identified by their titles. */
const RESULT = {
  images: /class="caption-title" dir="auto">([^<]*)</g,
  other: /class="result-link" href="([^"]*)"/g,
}

async function searchOnSite(browser: FormBrowser, params: Record<string, string>) {
  const { status, body } = await browser.ask(`/search?${new URLSearchParams(params).toString()}`)
  const found = body.matchAll(params['tab'] === 'images' ? RESULT.images : RESULT.other)
  return { status, results: [...found].map(([, text = '']) => unescaped(text)) }
}

async function searchByApi({ tab = '', ...params }: Record<string, string>) {
  const { status, json } = await server.api.get(`/api/v1/${tab}/?${new URLSearchParams(params).toString()}`)
  const found: { title: string; url: string }[] = json.results ?? []
  return { status, results: found.map(({ title, url }) => (tab === 'images' ? title || UNTITLED : url)) }
}

const aWish: fc.Arbitrary<Wish> = fc.record({
  engines: fc.subarray(SLOTS).map((engines) => (engines.length === SLOTS.length ? [] : engines)),
  safe: fc.boolean(),
  lang: fc.constantFrom('', 'de', 'fr', 'pt-BR'),
})

const aSearch = fc.record({
  tab: fc.constantFrom(...TABS),
  page: fc.constantFrom('1', '1', '2'),
  date: fc.constantFrom('', '', 'w', 'y'),
})

describe('the preferences cookie', () => {
  it('a preference saved or imported, a URL parameter of the website and an API parameter are the same search', async () => {
    const searches = new Set<string>()
    await fc.assert(
      fc.asyncProperty(aWish, aSearch, async (wish, { tab, page, date }) => {
        const plain = { q: `birds ${randomUUID().slice(0, 8)}`, tab, page, ...(tab !== 'images' && date && { date }) }
        const explicit = {
          ...plain,
          engine: wish.engines.join(',') || 'all',
          safe: wish.safe ? 'on' : 'off',
          lang: wish.lang,
        }
        const saver = openFormBrowser(server.url)
        const importer = openFormBrowser(server.url)
        const stranger = openFormBrowser(server.url)
        await savePreferences(saver, wish)
        await importer.submit(`${PATH}/import`, [['code', await exportedLine(saver)]], PATH)
        expect(importer.cookie(COOKIE)).toBe(saver.cookie(COOKIE))

        const byApi = await outcomeOf(() => searchByApi(explicit))
        expect(await outcomeOf(() => searchOnSite(stranger, explicit))).toEqual(byApi)
        expect(await outcomeOf(() => searchOnSite(saver, plain))).toEqual(byApi)
        expect(await outcomeOf(() => searchOnSite(importer, plain))).toEqual(byApi)
        searches.add(byApi.asked.join('\n').replaceAll(plain.q, ''))
      }),
      { numRuns: RUNS },
    )
    // Otherwise the options would have made no difference.
    expect(searches.size).toBeGreaterThan(RUNS / 3)
  }, 120_000)
})
