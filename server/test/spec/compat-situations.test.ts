// What programs that npm doesn't have show their users, in the situations of `docs/connect/what-programs-show.md`. Their
// requests are replayed, and replies are shown as their code shows them. `nightly/what-programs-show.test.ts` does
// the same with clients that it installs.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Ask, type Asked, askedIn, asWritten, documented, openStage, SITUATIONS } from '../support/situations.ts'

let stage: Awaited<ReturnType<typeof openStage>>
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())
afterEach(() => {
  stage.server.sandbox.reset()
})

interface Program {
  asks: Partial<Record<Ask, (asked: Asked) => [path: string, options: RequestInit]>>
  /** The addresses in a reply, or the text of a page. */
  reads: (json: never) => string[] | string
  /** What it shows if it was refused. */
  fails: (response: Response, body: string) => string
}

interface Found {
  url: string
}

const JSON_BODY = { 'content-type': 'application/json' }
const get = (path: string, headers: Record<string, string>): [string, RequestInit] => [path, { headers }]
const post = (path: string, { key }: Asked, body: object): [string, RequestInit] => [
  path,
  { method: 'POST', headers: { ...JSON_BODY, authorization: `Bearer ${key}` }, body: JSON.stringify(body) },
]
const google = (params: Record<string, string>, { key }: Asked) =>
  get(`/google/customsearch/v1?${new URLSearchParams({ cx: '0123', ...params }).toString()}`, {
    ...JSON_BODY,
    'x-goog-api-key': key,
  })

const PROGRAMS: Record<string, Program> = {
  'LiteLLM, Google': {
    asks: {
      search: (asked) => google({ q: asked.query, num: '5' }, asked),
      filters: (asked) =>
        google(
          { q: asked.query, num: '3', siteSearch: asked.domain, siteSearchFilter: 'e', dateRestrict: 'y1' },
          asked,
        ),
    },
    reads: ({ items = [] }: { items?: { link: string }[] }) => items.map(({ link }) => link),
    // The body is the text of its exception.
    fails: (_response, body) => JSON.parse(body).error.message,
  },
  'LobeChat, Firecrawl': {
    asks: {
      search: (asked) => post('/firecrawl/v2/search', asked, { query: asked.query, limit: 5 }),
      filters: (asked) =>
        post('/firecrawl/v2/search', asked, {
          query: asked.query,
          limit: 3,
          excludeDomains: [asked.domain],
          tbs: 'qdr:y',
        }),
      page: (asked) => post('/firecrawl/v2/scrape', asked, { url: asked.query, formats: ['markdown'] }),
    },
    reads: ({ data }: { data: { web?: Found[]; markdown?: string } }) =>
      data.web?.map(({ url }) => url) ?? data.markdown ?? '',
    fails: ({ statusText }) => statusText,
  },
  'AnythingLLM, fastCRW': {
    asks: { search: (asked) => post('//v1/search', asked, { query: asked.query }) },
    reads: ({ data }: { data: Found[] }) => data.map(({ url }) => url),
    fails: ({ status, statusText }) => `${status} - ${statusText}`,
  },
}

async function show(program: Program, asked: Asked): Promise<string | undefined> {
  const request = program.asks[asked.ask]
  if (!request) return undefined
  const [path, options] = request(asked)
  const response = await fetch(asked.url + path, options)
  const body = await response.text()
  if (!response.ok) return program.fails(response, body)
  const read = program.reads(JSON.parse(body) as never)
  if (typeof read === 'string') return read.length > 100 ? 'the text of the page' : 'nothing'
  const hasDomain = asked.ask === 'filters' && read.some((url) => new URL(url).hostname.endsWith(asked.domain))
  if (hasDomain) return 'results of the domain'
  return read.length === 1 ? '1 result' : `${read.length} results`
}

describe('what programs show their users', () => {
  it.each(SITUATIONS)('$name', async (situation) => {
    const asked = await askedIn(stage, situation)
    const shown: Record<string, string> = {}
    for (const [name, program] of Object.entries(PROGRAMS)) {
      // A page has to be found first.
      const query = asked.ask === 'page' ? await firstPage(asked) : asked.query
      const told = await show(program, { ...asked, query })
      if (told !== undefined) shown[name] = asWritten(told)
    }
    expect(shown).toEqual(documented(situation.name, { isReplayed: true }))
  })
})

async function firstPage({ url, key, query }: Asked): Promise<string> {
  const headers = { authorization: `Api-Key ${key}` }
  const response = await fetch(`${url}/api/v1/web/?q=${encodeURIComponent(query)}`, { headers })
  const { results } = (await response.json()) as { results: Found[] }
  return results[0]?.url ?? ''
}
