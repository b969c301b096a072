// What is shown to one audience reaches no other. Two people and their keys have different rules about sites; a visitor and
// a third key have none. One person reads German, and only some may search the private engines. They send the same query to
// every surface that searches, by turns, so that the last answer in a cache is another audience's. What the engines replied
// is shared: a rule costs no call.
// `site-rules.test.ts` changes the rules between the rounds, `mine.test.ts` looks for private things in what is stored.
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { ALL_SOURCES } from '@bowerbird/engines/sources/all.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser } from '../../src/accounts/users.ts'
import { createKey, findKey } from '../../src/keys/keys.ts'
import { PERMISSION_SCOPES } from '../../src/keys/scopes.ts'
import { type FormBrowser, openFormBrowser } from '../support/form-browser.ts'
import { callApi } from '../support/mine-walk.ts'
import { signIn } from '../support/oauth-walk.ts'
import { type PrivateService, startPrivateService } from '../support/private-service.ts'
import { MCP_HEADERS, mcpMessage } from '../support/surface-request.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'
import { WITHOUT_RATE_LIMIT } from './without-upstream-rate-limit.ts'

const PASSWORD = 'correct horse battery'
const HIGH = { burst: '100000/min', sustained: '1000000/day' }
const TABS = ['web', 'images', 'news', 'videos', 'science', 'code'] as const
const CATEGORY = { web: 'general', images: 'images', news: 'news', videos: 'videos', science: 'science', code: 'it' }
const SLUGS = [...new Set([...ALL_ENGINES, ...ALL_SOURCES].map(({ slug }) => slug))]
const CANARY = 'qx7canary'
const IBAN = 'DE89370400440532013000'

interface Topic {
  q: string
  /** In the order in which they are found: one that Ada blocks, one that Linus blocks, and one that Ada pins. */
  sites: readonly [string, string?, string?]
  /** What of the first site is shown, if not its name. */
  shown?: string
}

const TOPICS = {
  web: { q: 'climate', sites: ['open-compendium.example', 'climate-primer.example', 'city-heat.example'] },
  images: { q: 'climate', sites: ['field-photographs.example', 'schoolroom.example', 'concise-atlas.example'] },
  news: { q: 'climate', sites: ['coast-and-country.example.net', 'valley-observer.test', 'evening-wire.example'] },
  videos: { q: 'climate', sites: ['workshop-video.example', 'projector.example', 'kitchen-cinema.example'] },
  science: { q: 'climate', sites: ['doi.org/10.5555/bower.1mlm7ox', 'doi.org/10.5555/bower.8qjzqe'] },
  code: { q: 'climate', sites: ['harbour-gazette.example', 'wetland-journal.example', 'reef-watch.example'] },
  mine: { q: 'climate', sites: [`${CANARY}-0.example`, `${CANARY}-1.example`, `${CANARY}-2.example`] },
  card: { q: 'Eiffel Tower', sites: ['wikipedia.example'] },
  definition: { q: 'define serendipity', sites: ['wiktionary.org'], shown: 'The luck of finding something good' },
  // Every reply repeats what was typed; a suggestion goes on after it.
  suggestion: { q: 'forecast-lab.example', sites: ['forecast-lab.example'], shown: 'forecast-lab.example ' },
} satisfies Record<string, Topic>
type TopicName = keyof typeof TOPICS

interface Audience {
  name: string
  rules: 'ada' | 'linus' | 'none'
  hasMine: boolean
  ask: (path: string, body?: object) => Promise<{ status: number; body: string; headers?: Headers }>
  /** Of pages. */
  language?: string
  feed?: string
}

interface Surface {
  /** As the router lists it; a tool of MCP with its name. */
  route: string
  topic: TopicName
  isPage?: boolean
  ask: (audience: Audience, q: string) => ReturnType<Audience['ask']>
}

const get = (path: string, topic: TopicName, params: Record<string, string> = {}): Surface => ({
  route: `GET ${path}`,
  topic,
  ask: (audience, q) => audience.ask(`${path}?${new URLSearchParams({ q, ...params }).toString()}`),
})
const page = (...row: Parameters<typeof get>): Surface => ({ ...get(...row), isPage: true })
const post = (path: string, topic: TopicName, bodyFor: (q: string) => object): Surface => ({
  route: `POST ${path}`,
  topic,
  ask: (audience, q) => audience.ask(path, bodyFor(q)),
})
const mcp = (method: string, params?: object): object => JSON.parse(mcpMessage(method, params))
const mcpTool = (name: string, topic: TopicName, more: object = {}, path = '/mcp'): Surface => ({
  route: `POST /mcp ${name}`,
  topic,
  ask: (audience, query) => audience.ask(path, mcp('tools/call', { name, arguments: { query, ...more } })),
})
const tools = (name: string, topic: TopicName, more: object = {}): Surface[] => [
  post(`/tools/${name}`, topic, (query) => ({ query, ...more })),
  mcpTool(name, topic, more),
]

const SURFACES: readonly Surface[] = [
  ...TABS.flatMap((tab) => [
    get(`/api/v1/${tab}/`, tab),
    get('/searxng/search', tab, { categories: CATEGORY[tab], format: 'json' }),
    ...tools('search', tab, { tab }),
    page('/search', tab, { tab }),
  ]),
  get('/api/v1/images/similar/', 'images'),
  get('/searxng', 'web', { format: 'rss' }),
  ...['/searxng', '/searxng/search'].map((path) => post(path, 'web', (q) => ({ q, format: 'json' }))),
  post('/tavily/search', 'web', (query) => ({ query, max_results: 20 })),
  post('/openwebui/search', 'web', (query) => ({ query, count: 20 })),
  ...['/firecrawl', '/firecrawl/search', '/firecrawl/v1/search', '/firecrawl/v2/search'].map((path) =>
    post(path, 'web', (query) => ({ query, limit: 20 })),
  ),
  get('/google/customsearch/v1', 'web'),
  get('/google/customsearch/v1/siterestrict', 'images', { searchType: 'image' }),
  mcpTool('search', 'web', {}, '/mcp?shape=chatgpt'),
  page('/compare', 'web'),
  get('/api/v1/mine/', 'mine'),
  page('/mine', 'mine'),
  page('/mine/box', 'mine'),
  get('/api/v1/cards/', 'card'),
  ...tools('cards', 'card'),
  page('/search', 'card'),
  get('/api/v1/instant/', 'definition'),
  ...tools('answer', 'definition'),
  page('/search', 'definition'),
  get('/api/v1/suggest/', 'suggestion'),
  ...['/searxng/autocompleter', '/autocompleter'].map((path) => get(path, 'suggestion')),
  ...['/searxng/autocompleter', '/autocompleter'].map((path) => post(path, 'suggestion', (q) => ({ q }))),
  ...tools('suggest', 'suggestion'),
  page('/suggest', 'suggestion'),
  page('/search/related', 'suggestion'),
]

/** They take a query too, and show places, translations, a plan or times of day; or one picture, page or feed that was chosen. */
const ROUTES_WITHOUT_SITES = new Set(
  [
    ['GET /api/v1/maps/', 'GET /maps', 'POST /tools/find_place', 'POST /mcp find_place'],
    ['GET /api/v1/translate/', 'POST /api/v1/translate/', 'GET /translate'],
    ['GET /api/v1/plan/', 'POST /mcp plan_search', 'GET /answer'],
    ['GET /images/detail', 'GET /read', 'GET /settings/feeds', 'POST /settings/feeds'],
  ].flat(),
)

let service: PrivateService
let server: TestInstance
let keys: readonly Audience[]
let readers: readonly Audience[]

beforeAll(async () => {
  service = await startPrivateService(CANARY)
  server = await startTestInstance({
    ...WITHOUT_RATE_LIMIT,
    ...service.settings,
    SITE_ACCESS: 'public',
    SITE_SUGGESTIONS: 'all',
    QUERY_GUARD: 'redact',
    // Feeds need one.
    INSTANCE_SECRET: 'a secret that is kept elsewhere, long enough',
    API_THROTTLE_BURST: HIGH.burst,
    API_THROTTLE_SUSTAINED: HIGH.sustained,
  })
  await createUser(server.instance.services.access, { username: 'linus', password: PASSWORD })
  const [ada, linus] = [await signIn(server.url, 'ada', PASSWORD), await signIn(server.url, 'linus', PASSWORD)]
  await ada.fillIn('/settings/search', '/settings/search', { interface: 'de' })
  keys = [
    { name: 'Ada’s key', rules: 'ada', hasMine: true, ...asKey(await newKey(ada, 'ada')) },
    { name: 'Linus’ key', rules: 'linus', hasMine: true, ...asKey(await newKey(linus, 'linus')) },
    { name: 'a key without rules', rules: 'none', hasMine: false, ...asKey(await server.createKey(HIGH)) },
  ]
  readers = [
    { name: 'Ada', rules: 'ada', hasMine: true, language: 'de', feed: await newFeed(ada), ...asReader(ada) },
    { name: 'Linus', rules: 'linus', hasMine: true, language: 'en', feed: await newFeed(linus), ...asReader(linus) },
    { name: 'a visitor', rules: 'none', hasMine: false, language: 'en', ...asReader(openFormBrowser(server.url)) },
  ]
})
afterAll(async () => {
  await server?.close()
  await service?.close()
})

const asReader = (browser: FormBrowser): Pick<Audience, 'ask'> => ({ ask: (path) => browser.ask(path) })
const asKey = (key: string): Pick<Audience, 'ask'> => ({
  ask: (path, body) =>
    callApi(server.url + path, { key, accept: MCP_HEADERS.accept, ...(body && { body: JSON.stringify(body) }) }),
})

/** Gives a person and a new key of theirs the same rules. */
async function newKey(browser: FormBrowser, username: 'ada' | 'linus'): Promise<string> {
  const { access } = server.instance.services
  const { full: key } = await createKey(access, { ...HIGH, owner: { username }, scopes: [...PERMISSION_SCOPES] })
  const { id } = await findKey(access.db, key)
  const rules = Object.values<Topic>(TOPICS).flatMap(({ sites: [first, second, third] }) => {
    const own = username === 'ada' ? { block: first, pin: third } : { block: second }
    return Object.entries(own).flatMap(([action, site]) => (site === undefined ? [] : `${action} ${site}`))
  })
  for (const path of ['/settings/sites', `/settings/keys/${id}/sites`]) {
    const { location } = await browser.submit(`${path}/import`, [['text', rules.join('\n')]], path)
    expect(location).toBe(`${path}?imported=${rules.length}`)
  }
  return key
}

async function newFeed(browser: FormBrowser): Promise<string> {
  const { body } = await browser.fillIn(`/settings/feeds?q=${TOPICS.web.q}`, '/settings/feeds')
  return /\/feeds\/[\w-]{43}\.json/.exec(body)?.[0] ?? expect.unreachable('the page shows no feed')
}

const audiencesOf = ({ isPage }: Surface): readonly Audience[] => (isPage ? readers : keys)

/** The sites of a topic that an audience has to see, in this order. */
function sitesFor({ rules, hasMine }: Audience, topic: TopicName): string[] {
  const { sites }: Topic = TOPICS[topic]
  const [first, second, third] = sites
  if (topic === 'mine' && !hasMine) return []
  return { ada: [third, second], linus: [first, third], none: [...sites] }[rules].filter((site) => site !== undefined)
}

/** The sites of a topic that are in a text, in its order. */
function sitesIn(text: string, topic: TopicName): string[] {
  const { sites, shown }: Topic = TOPICS[topic]
  const places = sites.map((site = '') => ({ site, at: text.indexOf(shown ?? site) })).filter(({ at }) => at !== -1)
  return places.sort((a, b) => a.at - b.at).map(({ site }) => site)
}

/** Each audience asks three times, with others before, between and after. */
async function walk({ topic, ask }: Surface, audiences: readonly Audience[]): Promise<void> {
  for (const audience of [...audiences, ...audiences.toReversed(), ...audiences]) {
    const { status, body } = await ask(audience, TOPICS[topic].q)
    const { name, hasMine } = audience
    expect([name, status === 200]).toEqual([name, topic !== 'mine' || hasMine])
    expect([name, ...sitesIn(body, topic)]).toEqual([name, ...sitesFor(audience, topic)])
    if (!hasMine) expect(body).not.toContain(CANARY)
  }
}

/** What the engines and data sources were sent, if it has this text. */
const callsWith = (text: string, slugs = SLUGS): string[] =>
  slugs
    .flatMap((slug) => server.sandbox.calls(slug))
    .map(({ path, query, body }) => [decodeURIComponent(path), ...Object.values(query), body].join(' '))
    .filter((call) => call.includes(text))

describe('a surface that searches', () => {
  it('is walked here, whichever route or tool it is', async () => {
    const takesQuery = (fields: readonly string[] = []) => fields.includes('q') || fields.includes('query')
    const routes = server.instance.surfaces
      .filter(({ method, access, fields }) => method !== 'HEAD' && access !== 'admin' && takesQuery(fields))
      .map(({ method, url }) => `${method} ${url}`)
    const { body } = await asKey(server.key).ask('/mcp', mcp('tools/list'))
    const listed: { name: string; inputSchema: { properties: object } }[] = JSON.parse(body).result.tools
    const searching = listed.filter(({ inputSchema }) => takesQuery(Object.keys(inputSchema.properties)))
    const found = new Set([...routes, ...searching.map(({ name }) => `POST /mcp ${name}`)])
    const walked = new Set(SURFACES.map(({ route }) => route))
    expect(found.difference(ROUTES_WITHOUT_SITES)).toEqual(walked)
  })

  it.each(SURFACES)('shows each audience what its own rules leave: $route, $topic', (surface) =>
    walk(surface, audiencesOf(surface)),
  )

  it('shows in a feed what the rules of its owner leave', async () => {
    const feeds = readers.flatMap(({ feed, ask, ...owner }) => (feed ? { ...owner, ask: () => ask(feed) } : []))
    await walk(get('/feeds/:file', 'web'), feeds)
  })

  it('is in the language of its reader, whoever was shown it before', async () => {
    for (const path of ['/search', '/search/related', '/compare'])
      for (const { name, ask, language } of [...readers, ...readers.toReversed()]) {
        const { body } = await ask(`${path}?q=climate`)
        expect([path, name, /<html lang="(\w+)/.exec(body)?.[1]]).toEqual([path, name, language])
      }
  })

  it('asks each engine once, however many audiences with different rules send the query', async () => {
    // Readers get Wikipedia's card in their own language, so it is asked once for each of those.
    const slugs = SLUGS.filter((slug) => slug !== 'wikipedia')
    const isTab = ({ topic }: Surface) => TABS.some((tab) => tab === topic)
    const count = async ({ ask }: Surface, audiences: readonly Audience[]) => {
      const q = decodeURIComponent(freshQuery())
      for (const audience of audiences) await ask(audience, q)
      return callsWith(q, slugs).length
    }
    for (const surface of SURFACES.filter(isTab)) {
      const alone = await count(surface, audiencesOf(surface).slice(0, 1))
      const together = await count(surface, audiencesOf(surface))
      expect([surface.route, alone > 0, together]).toEqual([surface.route, true, alone])
    }
  })

  it('sends nobody a secret, and says so in the answer to that query alone', async () => {
    // What private engines are sent stays here.
    const guarded = SURFACES.filter(({ topic }) => topic !== 'mine')
    for (const { route, ask } of guarded.filter(({ isPage }) => !isPage))
      for (const key of [...keys, ...keys.toReversed()]) {
        // The engines get the same text both times.
        const replies = [await ask(key, `climate ${IBAN}`), await ask(key, 'climate IBAN')]
        const reports = replies.map(({ headers }) => headers?.get('query-guard'))
        expect([route, key.name, ...reports]).toEqual([route, key.name, 'redacted=iban', null])
      }
    for (const { ask } of guarded.filter(({ isPage }) => isPage))
      for (const reader of readers) await ask(reader, `climate ${IBAN}`)
    expect(callsWith('climate IBAN')).not.toEqual([])
    expect(callsWith(IBAN)).toEqual([])
  })
})
