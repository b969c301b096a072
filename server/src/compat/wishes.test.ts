// A country is a wish about the order of results. Every API accepts it: engines that can favour a country are asked to, and
// the reply names the others. Programs also send one that nobody has chosen.
import { describe, expect, it } from 'vitest'
import { found, setUpApi } from '../api/api.test-harness.ts'
import { callCompat, GOOD_KEY } from './compat.test-harness.ts'

const stage = setUpApi()

const post = (path: string, body: object) =>
  callCompat(stage, path, {
    method: 'POST',
    headers: { authorization: `Bearer ${GOOD_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const IGNORING = {
  slot: 'engine_a',
  outcome: 'ok',
  count: 1,
  ms: 1,
  cached: undefined,
  isStale: false,
  ignoresRegion: true,
} as const

const APIS: Record<string, (country: string) => ReturnType<typeof callCompat>> = {
  Tavily: (country) => post('/tavily/search', { query: 'climate', country }),
  'Firecrawl, v1': (country) => post('/v1/search', { query: 'climate', country, lang: 'en' }),
  'Firecrawl, v2': (country) => post('/v2/search', { query: 'climate', country }),
  Google: (country) => callCompat(stage, `/google/customsearch/v1?q=climate&gl=${country}`),
}

describe.each(Object.entries(APIS))('%s', (_name, ask) => {
  it.each([
    ['DE', 'DE'],
    ['ch', 'CH'],
    ['austria', 'AT'],
  ])('a country that somebody has chosen is asked for: %s', async (country, region) => {
    const { status, text } = await ask(country)
    expect([status, text]).toEqual([200, expect.not.stringContaining('Without effect')])
    expect(stage.asked.at(-1)).toMatchObject(['search', 'web', { region }])
  })

  it('the reply names the engines that it has no effect on', async () => {
    stage.says.search = async (tab, request) => ({ ...found(tab, request), reports: [IGNORING] })
    expect((await ask('DE')).text).toMatch(/Region without effect on: /)
  })

  it('one that is none has no effect, and the reply says so', async () => {
    const { status, text } = await ask('Atlantis')
    expect([status, text]).toEqual([200, expect.stringMatching(/Without effect here: (?:country|gl)\./)])
  })

  it.each(['US', 'us', ''])('one that clients send by themselves is not worth a word: %s', async (country) => {
    const { status, text } = await ask(country)
    expect([status, text]).toEqual([200, expect.not.stringContaining('Without effect')])
    expect(stage.asked.at(-1)?.[2]).not.toHaveProperty('region', expect.anything())
  })
})

it('Firecrawl’s location may be a country', async () => {
  await post('/v2/search', { query: 'climate', location: 'Germany' })
  expect(stage.asked.at(-1)).toMatchObject(['search', 'web', { region: 'DE' }])
})

it('SearXNG’s language may have a region', async () => {
  await callCompat(stage, '/searxng/search?q=climate&format=json&language=de-CH')
  expect(stage.asked.find(([service]) => service === 'search')).toMatchObject([
    'search',
    'web',
    { lang: 'de-CH', region: 'CH' },
  ])
})

describe('what restricts results', () => {
  it('400: Google’s cr, and a language that is none', async () => {
    for (const query of ['cr=countryDE', 'lr=lang_german-or-so!'])
      expect((await callCompat(stage, `/google/customsearch/v1?q=climate&${query}`)).status).toBe(400)
  })
})
