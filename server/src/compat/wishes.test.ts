// A country is a wish about the order of results, and no engine here takes one. Every API accepts it, because programs
// send one that nobody has chosen; if somebody has, the reply says that it had no effect.
import { describe, expect, it } from 'vitest'
import { setUpApi } from '../api/api.test-harness.ts'
import { callCompat, GOOD_KEY } from './compat.test-harness.ts'

const stage = setUpApi()

const post = (path: string, body: object) =>
  callCompat(stage, path, {
    method: 'POST',
    headers: { authorization: `Bearer ${GOOD_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const APIS: Record<string, (country: string) => ReturnType<typeof callCompat>> = {
  Tavily: (country) => post('/tavily/search', { query: 'climate', country }),
  'Firecrawl, v1': (country) => post('/v1/search', { query: 'climate', country, lang: 'en' }),
  'Firecrawl, v2': (country) => post('/v2/search', { query: 'climate', country }),
  Brave: (country) => callCompat(stage, `/brave/res/v1/web/search?q=climate&country=${country}`),
  'Brave, text': (country) => callCompat(stage, `/brave/res/v1/llm/context?q=climate&country=${country}`),
  Perplexity: (country) => post('/perplexity/search', { query: 'climate', country }),
  Google: (country) => callCompat(stage, `/google/customsearch/v1?q=climate&gl=${country}`),
}

describe.each(Object.entries(APIS))('%s', (_name, ask) => {
  it('a country that somebody has chosen had no effect, and the reply says so', async () => {
    const { status, text } = await ask('DE')
    expect([status, text]).toEqual([200, expect.stringMatching(/Without effect here: (?:country|gl)\./)])
  })

  it.each(['US', 'us', ''])('one that clients send by themselves is not worth a word: %s', async (country) => {
    const { status, text } = await ask(country)
    expect([status, text]).toEqual([200, expect.not.stringContaining('Without effect')])
  })
})

describe('what restricts results', () => {
  it('400: Google’s cr, and a language that is none', async () => {
    for (const query of ['cr=countryDE', 'lr=lang_german-or-so!'])
      expect((await callCompat(stage, `/google/customsearch/v1?q=climate&${query}`)).status).toBe(400)
  })
})
