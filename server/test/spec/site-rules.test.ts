// A blocked site appears nowhere, for exactly those who it is blocked for. Keys, people and a visitor search through every
// route that takes a query, as the router lists them: the API, streams, MCP, every compatible API and the pages of
// the website. A new one is walked without a line here. All ask the same questions, so what one of them gets is in every
// cache when the next one asks; rules change between the rounds.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser, findUser } from '../../src/accounts/users.ts'
import { findKey } from '../../src/keys/keys.ts'
import { PERMISSION_SCOPES } from '../../src/keys/scopes.ts'
import type { RuleOwner } from '../../src/rules/site-rules.ts'
import { RULES_COOKIE, writeBrowserRules } from '../../src/site/browser-rules.ts'
import { type FormBrowser, openFormBrowser } from '../support/form-browser.ts'
import { startPrivateService } from '../support/private-service.ts'
import { createRandom } from '../support/random.ts'
import {
  MCP_HEADERS,
  mcpMessage,
  type SurfaceRequest,
  sampleParams,
  sampleRequest,
  send,
} from '../support/surface-request.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'
import { WITHOUT_RATE_LIMIT } from './without-upstream-rate-limit.ts'

const PASSWORD = 'correct horse battery'
const HIGH = { burst: '100000/min', sustained: '1000000/day' }
const INSTANCE: RuleOwner = { kind: 'instance' }
const TABS = ['web', 'images', 'news', 'videos', 'science', 'code']
const ROUNDS = 4
const AT_ONCE = 6

/** Routes that find no sites, or only some that have a test of their own: facts, suggestions, one picture, one page, a feed. */
const OTHERS =
  /\/plan\/|cards|instant|answer|suggest|related|autocompleter|maps|find_place|translate|\/images\/detail|\/read$|feeds/

interface Way {
  name: string
  ask: () => Promise<string>
}

interface Searcher {
  name: string
  owner: RuleOwner | undefined
  ways: Way[]
  browser?: FormBrowser
  /** Replaces what they block; undefined for those who have nowhere to store it. */
  block: ((sites: readonly string[]) => Promise<void>) | undefined
  /** The sites in the reply of each way while there are no rules. */
  shown: Map<string, readonly string[]>
}

let service: Awaited<ReturnType<typeof startPrivateService>>
let server: TestInstance
let searchers: Searcher[]
let keys: { full: string; owner: RuleOwner }[]

beforeAll(async () => {
  service = await startPrivateService('qx7canary')
  server = await startTestInstance({
    ...WITHOUT_RATE_LIMIT,
    ...service.settings,
    SITE_ACCESS: 'public',
    SITE_SUGGESTIONS: 'all',
    API_THROTTLE_BURST: HIGH.burst,
    API_THROTTLE_SUSTAINED: HIGH.sustained,
  })
  keys = await Promise.all([0, 1].map(newKey))
  const people = await Promise.all(['ada', 'linus'].map(signIn))
  const ofKeys = keys.map(async ({ full, owner }, at) => ({
    name: `key ${at}`,
    owner,
    ways: await keyWays(full),
    block: storedBlock(owner),
    shown: new Map<string, readonly string[]>(),
  }))
  searchers = [...(await Promise.all(ofKeys)), ...people, visitor(), visitorWithSites()]
})
afterAll(async () => {
  await server?.close()
  await service?.close()
})

const rules = () => server.instance.services.website.frame.rules

const storedBlock = (owner: RuleOwner) => async (blocked: readonly string[]) => {
  for (const { pattern } of (await rules().list(owner)).own) await rules().remove(owner, pattern)
  for (const pattern of blocked) await rules().set(owner, { pattern, action: 'block' })
}

const visitor = (): Searcher => ({
  name: 'a visitor',
  owner: undefined,
  ways: pageWays(openFormBrowser(server.url)),
  block: undefined,
  shown: new Map(),
})

/** Without an account, with sites in a cookie. */
function visitorWithSites(): Searcher {
  const headers = { cookie: '' }
  return {
    name: 'a visitor with sites',
    owner: undefined,
    ways: pageWays(openFormBrowser(server.url, headers)),
    async block(blocked) {
      headers.cookie = `${RULES_COOKIE}=${writeBrowserRules(blocked.map((pattern) => ({ pattern, action: 'block' })))}`
    },
    shown: new Map(),
  }
}

async function newKey() {
  const full = await server.createKey({ ...HIGH, scopes: PERMISSION_SCOPES.filter((scope) => scope !== 'read_any') })
  const { id } = await findKey(server.instance.services.access.db, full)
  return { full, owner: { kind: 'key', keyId: id } as const }
}

async function signIn(username: string): Promise<Searcher> {
  const { access } = server.instance.services
  // The instance comes with ada.
  if (username !== 'ada') await createUser(access, { username, password: PASSWORD })
  const browser = openFormBrowser(server.url)
  await browser.submit('/login', [
    ['username', username],
    ['password', PASSWORD],
  ])
  const userId = (await findUser(access, username))?.id ?? expect.unreachable(username)
  const owner: RuleOwner = { kind: 'person', userId }
  return {
    name: username,
    owner,
    browser,
    ways: pageWays(browser),
    block: storedBlock(owner),
    shown: new Map(),
  }
}

const takesQuery = (fields: readonly string[] = []) => ['q', 'query', 'requests'].some((name) => fields.includes(name))

/** Other values that lead to other results, by the name of the parameter. */
const VARIANTS: Record<string, readonly unknown[]> = {
  categories: ['images', 'news', 'videos', 'science', 'it'],
  topic: ['news'],
  include_images: [true],
  searchType: ['image'],
  sources: [['images'], ['news']],
  tab: TABS,
}

async function keyWays(key: string): Promise<Way[]> {
  const way = (request: SurfaceRequest, what = ''): Way => ({
    name: `${request.method} ${request.path} ${request.body ?? ''} ${what}`,
    async ask() {
      const { status, body } = await send(server.url, withKey(request, key))
      // Not every API knows every value of a parameter.
      if (status !== 200 && status !== 400) throw new Error(`${request.method} ${request.path}: ${status} ${body}`)
      return body
    },
  })
  const routes = server.instance.surfaces.filter(
    ({ access, method, fields }) => access === 'key' && method !== 'HEAD' && takesQuery(fields),
  )
  const ofRoutes = routes.flatMap((route) => {
    const { method, url, fields = [] } = route
    const plain = sampleParams(fields)
    const all = [plain]
    for (const name of fields) for (const value of VARIANTS[name] ?? []) all.push({ ...plain, [name]: value })
    const accepts = method === 'GET' && url.startsWith('/api/v1/') ? ['application/x-ndjson', 'text/event-stream'] : []
    return [
      ...all.map((params) => way(sampleRequest(route, params))),
      ...accepts.map((accept) => way({ ...sampleRequest(route, plain), headers: { accept } }, accept)),
    ]
  })
  const explained = TABS.map((tab) => way({ method: 'GET', path: `/api/v1/${tab}/?q=climate&include=explain` }))
  const tools = await Promise.all(
    ['/mcp', '/mcp?shape=chatgpt', '/mcp?structured=1'].map((path) => toolWays(path, way)),
  )
  return [...ofRoutes, ...explained, ...tools.flat()]
}

/** Every tool that takes a query, with every tab. */
async function toolWays(path: string, way: (request: SurfaceRequest, what?: string) => Way): Promise<Way[]> {
  const message = { method: 'POST', path, headers: MCP_HEADERS }
  const listed = JSON.parse(await way({ ...message, body: mcpMessage('tools/list') }).ask())
  return listed.result.tools.flatMap((tool: { name: string; inputSchema: { properties: Record<string, unknown> } }) => {
    const { properties } = tool.inputSchema
    if (!('query' in properties)) return []
    const calls = 'tab' in properties ? TABS.map((tab) => ({ query: 'climate', tab })) : [{ query: 'climate' }]
    return calls.map((args) =>
      way({ ...message, body: mcpMessage('tools/call', { name: tool.name, arguments: args }) }),
    )
  })
}

function pageWays(browser: FormBrowser): Way[] {
  const way = (path: string): Way => ({ name: path, ask: async () => (await browser.ask(path)).body })
  const routes = server.instance.surfaces.filter(
    ({ access, method, fields = [] }) =>
      (access === 'searcher' || access === 'user' || access === 'anyone') && method === 'GET' && fields.includes('q'),
  )
  return [
    ...routes.map(({ url }) => way(`${url}?q=climate`)),
    ...TABS.map((tab) => way(`/search?q=climate&tab=${tab}`)),
    way('/search?q=climate&page=2'),
  ]
}

let sites: readonly string[]

/** Which of the sites are in a text. */
const sitesIn = (text: string): string[] =>
  sites.filter((site) =>
    new RegExp(`(?<![a-z\\d.-])(?:www\\.)?${site.replaceAll('.', '\\.')}(?![a-z\\d.-]*[a-z\\d])`).test(text),
  )

async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  for (let from = 0; from < items.length; from += AT_ONCE)
    await Promise.all(items.slice(from, from + AT_ONCE).map(work))
}

const blockForAll = storedBlock(INSTANCE)

async function removeAllRules(): Promise<void> {
  await blockForAll([])
  for (const { block } of searchers) await block?.([])
}

describe('a blocked site', () => {
  beforeAll(async () => {
    const replies = await Promise.all(
      [...TABS, 'mine'].map((tab) =>
        send(server.url, {
          method: 'GET',
          path: `/api/v1/${tab}/?q=climate`,
          headers: { authorization: `Api-Key ${keys[0]?.full}` },
        }),
      ),
    )
    const urls: string[] = replies.flatMap(({ body }) =>
      JSON.parse(body).results.map((result: { url: string }) => result.url),
    )
    sites = [...new Set(urls.map((url) => new URL(url).hostname.replace(/^www\./, '')))]
    const all = searchers.flatMap((searcher) => searcher.ways.map((way) => ({ searcher, way })))
    await inParallel(all, async ({ way }) => void (await way.ask()))
    await inParallel(all, async ({ searcher, way }) => void searcher.shown.set(way.name, sitesIn(await way.ask())))
  })

  it('can be seen in every route that searches before it is blocked', () => {
    const seen = new Set<string>()
    const all = new Set<string>()
    for (const { ways, shown } of searchers)
      for (const { name } of ways) {
        const route = name.replace(/^(?:GET|POST) /, '').replace(/[? ].*/, '')
        all.add(route)
        if (shown.get(name)?.length) seen.add(route)
      }
    expect([...all.difference(seen)].filter((route) => !OTHERS.test(route))).toEqual([])
    expect(seen.size).toBeGreaterThan(20)
  })

  it('appears nowhere for exactly those it is blocked for, whoever has filled the caches', async () => {
    const random = createRandom(20261117)
    const wrong: string[] = []
    let absent = 0
    for (let round = 0; round < ROUNDS; round++) {
      const some = (most: number) => random.shuffle(sites).slice(0, random.between(0, most))
      const forAll = some(2)
      await blockForAll(forAll)
      const blocked = new Map<Searcher, readonly string[]>()
      for (const searcher of searchers) {
        // Some have no rules of their own.
        const patterns = searcher.block ? some(6) : []
        blocked.set(searcher, patterns)
        await searcher.block?.(patterns)
      }
      const isBlockedFor = (searcher: Searcher, site: string) =>
        [...forAll, ...(blocked.get(searcher) ?? [])].some(
          (pattern) => site === pattern || site.endsWith(`.${pattern}`),
        )
      const all = searchers.flatMap((searcher) =>
        searcher.ways.filter((way) => searcher.shown.get(way.name)?.length).map((way) => ({ searcher, way })),
      )
      await inParallel(random.shuffle(all), async ({ searcher, way }) => {
        const seen = new Set(sitesIn(await way.ask()))
        for (const site of sites) {
          const isBlocked = isBlockedFor(searcher, site)
          const wasShown = searcher.shown.get(way.name)?.includes(site)
          if (isBlocked && wasShown) absent += 1
          if (isBlocked && seen.has(site)) wrong.push(`${searcher.name} sees ${site}: ${way.name}`)
          // The box of private things may come late.
          if (!isBlocked && wasShown && !seen.has(site) && !site.includes('canary'))
            wrong.push(`${searcher.name} lacks ${site}: ${way.name}`)
        }
      })
    }
    expect(wrong).toEqual([])
    expect(absent).toBeGreaterThan(100)
    await removeAllRules()
  })

  it('has no page of its own for one of its pictures', async () => {
    const [ada, linus] = firstTwo(people())
    const { body } = await linus.browser.ask('/search?q=climate&tab=images')
    const path = (/href="(\/images\/detail[^"]+)"/.exec(body)?.[1] ?? '').replaceAll('&amp;', '&')
    const detail = await linus.browser.ask(path)
    const site = sitesIn(/<article.*?<\/article>/s.exec(detail.body)?.[0] ?? '')[0] ?? ''
    expect([detail.status, site]).toEqual([200, expect.stringMatching('.')])
    await rules().set(ada.owner, { pattern: site, action: 'block' })
    const [hers, his] = [await ada.browser.ask(path), await linus.browser.ask(path)]
    expect([hers.status, sitesIn(hers.body).includes(site), his.status]).toEqual([404, false, 200])
    await removeAllRules()
  })

  it('403: is no page that a key may read, because it did not find it', async () => {
    const [blind, other] = await Promise.all([newKey(), newKey()])
    const path = `/api/v1/web/?q=${freshQuery('climate')}`
    const find = async (key: string): Promise<string[]> => {
      const { body } = await send(server.url, withKey({ method: 'GET', path }, key))
      return JSON.parse(body).results.map((result: { url: string }) => result.url)
    }
    const [url = ''] = await find(other.full)
    await rules().set(blind.owner, { pattern: new URL(url).hostname, action: 'block' })
    expect(await find(blind.full)).not.toContain(url)
    const read = { method: 'GET', path: `/api/v1/read/?url=${encodeURIComponent(url)}` }
    expect((await send(server.url, withKey(read, blind.full))).code).toBe('page_not_in_results')
    expect((await send(server.url, withKey(read, other.full))).status).not.toBe(403)
  })
})

function firstTwo<Item>([one, other]: readonly Item[]): [Item, Item] {
  if (one === undefined || other === undefined) return expect.unreachable('somebody is missing')
  return [one, other]
}

type Person = Searcher & { browser: FormBrowser; owner: RuleOwner }

const people = (): Person[] =>
  searchers.flatMap(({ browser, owner, ...rest }) => (browser && owner ? { browser, owner, ...rest } : []))

const withKey = (request: SurfaceRequest, key: string): SurfaceRequest => ({
  ...request,
  headers: { authorization: `Api-Key ${key}`, ...request.headers },
})
