// A day on a public site, with visitors, an administrator, programs and the command line: searches, pages that are read,
// pictures, translations, sign-ins good and bad, keys; then requests that are refused, and providers that fail. Each step
// must do what it should, so that none does nothing unnoticed. At the end everything stored is read: it must be declared in
// docs/security/privacy.md, and contain neither what was searched for or read, nor a secret, nor the address of a client.
// `spec/every-field.test.ts` sends a text through every field there is.
import { randomBytes } from 'node:crypto'
import { SANDBOX_KEYS } from '@bowerbird/sandbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mintKey } from '../../src/keys/key-format.ts'
import { WITHOUT_RATE_LIMIT } from '../spec/without-upstream-rate-limit.ts'
import {
  CLIENTS,
  PAGE_ADDRESS,
  PAGE_TEXT,
  PAGE_URL,
  PICTURE_ADDRESS,
  QUERY,
  startWatchedCluster,
  type WatchedCluster,
  WRITTEN_CLIENTS,
} from '../support/canaries.ts'
import { prefixOf, UNLIMITED } from '../support/cluster.ts'
import { type BrowserReply, type FormBrowser, openFormBrowser, plainText } from '../support/form-browser.ts'
import { readPrivacyDeclaration, undeclaredIn } from '../support/privacy-declaration.ts'
import { rawRequest } from '../support/raw-request.ts'
import { hashedPlacesOf, placesOf, readColumns } from '../support/stored-data.ts'

const PASSWORD = 'correct horse battery'
const NEXT_PASSWORD = 'battery staple correct'
const WRONG_PASSWORD = `wrong ${QUERY}`
const PROVIDER_KEY = 'a key of a provider, which is stored encrypted'

const declared = readPrivacyDeclaration()
let cluster: WatchedCluster
let grace: FormBrowser
/** `limited` has two requests a minute, `inUrl` may be in a URL and only searches. The last two are refused. */
let keys: Record<'any' | 'inUrl' | 'limited' | 'revoked' | 'unknown', string>
/** Everything else that nobody may find. */
const secrets = [PASSWORD, NEXT_PASSWORD, WRONG_PASSWORD, PROVIDER_KEY]
/** The replies to all requests that were refused or failed. */
const refusals: string[] = []

beforeAll(async () => {
  cluster = await startWatchedCluster({
    ...WITHOUT_RATE_LIMIT,
    URL_KEYS: 'on',
    SITE_ACCESS: 'public',
    SITE_SUGGESTIONS: 'all',
    INSTANCE_SECRET: 'a secret that is kept elsewhere, long enough',
    RESULT_ICONS: 'on',
    MINE: 'karakeep',
    API_THROTTLE_BURST: '100000/min',
    API_THROTTLE_SUSTAINED: '1000000/day',
  })
  const [any, inUrl, limited, revoked] = await Promise.all([
    cluster.createKey({ ...UNLIMITED, scopes: ['search', 'maps', 'translate', 'answers', 'read', 'read_any'] }),
    cluster.createKey({ ...UNLIMITED, scopes: ['search', 'address'] }),
    cluster.createKey({ burst: '2/min', scopes: ['search'] }),
    cluster.createKey(UNLIMITED),
    cluster.command(['user', 'create', 'grace', '--admin', '--password-stdin'], { input: `${PASSWORD}\n` }),
  ])
  await cluster.command(['key', 'revoke', revoked])
  keys = { any, inUrl, limited, revoked, unknown: mintKey(randomBytes).full }
  grace = openFormBrowser(cluster.node(0).url, { 'x-forwarded-for': CLIENTS[0] })
}, 300_000)
afterAll(() => cluster?.close())

interface Sent {
  key?: keyof typeof keys | 'none'
  query?: Record<string, string>
  /** Sent as JSON, unless it is a string. */
  body?: unknown
  headers?: Record<string, string>
}

let requests = 0

async function send(path: string, { key = 'any', query, body, headers }: Sent = {}) {
  const url = new URL(cluster.node(0).url + path)
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
  const scheme = path.startsWith('/api/') ? 'Api-Key' : 'Bearer'
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'x-forwarded-for': CLIENTS[requests++ % CLIENTS.length] ?? '',
      referer: `https://${QUERY}.example/${QUERY}`,
      'user-agent': QUERY,
      'x-request-id': QUERY,
      accept: 'application/json, text/event-stream;q=0.5',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== 'none' && { authorization: `${scheme} ${keys[key]}` }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const { status } = response
  const text = await response.text()
  if (status >= 400) refusals.push(`${status} ${JSON.stringify([...response.headers])} ${text}`)
  return { status, text }
}

let searches = 0
/** A search that is not cached. */
const fresh = () => `${QUERY} ${++searches}`
const q = () => ({ query: { q: fresh() } })
const query = () => ({ body: { query: fresh() } })
const inFrench = () => ({ text: fresh(), target: 'fr' })
const tool = (name: string, args: object) => ({
  body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
})
const searchTool = () => tool('search', { query: fresh() })

const FOUND = new RegExp(`(?:https?://|"title":")[^"]*${QUERY}`, 'i')
const READ = new RegExp(PAGE_TEXT)
const TRANSLATED = new RegExp(`${QUERY}.*traduction simulée`)

describe('programs', () => {
  it.each<[path: string, shows: RegExp, sent: () => Sent]>([
    ['/api/v1/web/', FOUND, q],
    ['/api/v1/web/', /\bdone\b/, () => ({ ...q(), headers: { accept: 'text/event-stream' } })],
    ['/api/v1/images/', FOUND, q],
    ['/api/v1/news/', FOUND, () => ({ query: { q: fresh(), page: '2', [QUERY]: QUERY } })],
    ['/api/v1/maps/', new RegExp(QUERY, 'i'), () => ({ query: { q: QUERY } })],
    ['/api/v1/translate/', TRANSLATED, () => ({ body: inFrench() })],
    ['/api/v1/instant/', new RegExp(btoa(QUERY)), () => ({ query: { q: `base64 encode ${QUERY}` } })],
    ['/api/v1/cards/', new RegExp(QUERY), q],
    ['/api/v1/suggest/', new RegExp(`${QUERY}.*${QUERY} `, 'i'), q],
    ['/api/v1/read/', READ, () => ({ query: { url: PAGE_URL } })],
    ['/api/v1/usage/', /web_search/, () => ({ query: { [QUERY]: QUERY } })],
    ['/searxng/search?format=json', FOUND, q],
    ['/google/customsearch/v1', FOUND, q],
    ['/tavily/search', FOUND, query],
    ['/tavily/extract', READ, () => ({ body: { urls: [PAGE_URL, `${PAGE_URL}/more`] } })],
    ['/v2/scrape', READ, () => ({ body: { url: PAGE_URL } })],
    ['/openwebui/load', READ, () => ({ body: { urls: [PAGE_URL] } })],
    ['/tools/translate', TRANSLATED, () => ({ body: inFrench() })],
    ['/mcp', FOUND, searchTool],
    ['/mcp', READ, () => tool('read', { url: PAGE_URL })],
  ])('%s shows %s', async (path, shows, sent) => {
    const { status, text } = await send(path, sent())
    expect(status, text).toBe(200)
    expect(text).toMatch(shows)
  })

  it('search with the key in the path', async () => {
    const { text } = await send(`/k/${keys.inUrl}/searxng/search?format=json`, { key: 'none', ...q() })
    expect(text).toMatch(FOUND)
  })

  it('are seen at the addresses that this journey claims', async () => {
    for (const client of CLIENTS) {
      const sent = { query: { q: 'what is my ip' }, headers: { 'x-forwarded-for': client } }
      expect((await send('/api/v1/instant/', sent)).text).toContain(`"ip":"${client}"`)
    }
  })
})

describe('people', () => {
  /** Opens the first link of a page that matches. */
  async function follow(browser: FormBrowser, path: string, link: RegExp): Promise<BrowserReply> {
    const page = await browser.ask(path)
    return await browser.ask(plainText(link.exec(page.body)?.[1] ?? path))
  }
  /** A secret that a page shows once, without the spaces that make it readable. */
  const shownIn = ({ body }: BrowserReply): string => {
    const secret = (/class="copyable">.*?<code>([^<]+)</s.exec(body)?.[1] ?? '').replaceAll(' ', '')
    secrets.push(secret)
    return secret
  }

  it('search, look at pictures, read, ask for places, translate and use tools, all of which works', async () => {
    const visitor = openFormBrowser(cluster.node(0).url, { 'x-forwarded-for': CLIENTS[1] })
    const steps: Record<string, [shows: RegExp, take: () => Promise<BrowserReply>]> = {
      'the home page': [FOUND, () => visitor.fillIn('/', '/search', { q: QUERY })],
      images: [/\/pictures\//, () => visitor.ask(`/search?q=${QUERY}&tab=images`)],
      'one image': [
        /class="large-picture"/,
        () => follow(visitor, `/search?q=${QUERY}&tab=images`, /href="(\/images\/detail\?[^"]+)"/),
      ],
      'a page to read': [
        new RegExp(`${PAGE_TEXT}.*src="/pictures/picture[^"]*${PICTURE_ADDRESS}`, 's'),
        () => follow(visitor, `/search?q=${QUERY}`, /href="(\/read\?[^"]+)"/),
      ],
      suggestions: [new RegExp(`${QUERY}.*${QUERY}`), () => visitor.ask(`/suggest?q=${QUERY}`)],
      'a place': [/openstreetmap\.org/, () => visitor.fillIn('/maps', '/maps', { q: QUERY })],
      translation: [
        TRANSLATED,
        () => visitor.fillIn('/translate', '/translate#translation', { text: QUERY, source: 'en', target: 'fr' }),
      ],
      'a QR code': [/class="qr-picture"/, () => visitor.fillIn('/tools/qr-code', '/tools/qr-code', { text: QUERY })],
      'a comparison': [/class="compare-column/, () => visitor.fillIn('/compare', '/compare', { q: QUERY })],
    }
    for (const [name, [shows, take]] of Object.entries(steps)) {
      const { status, body } = await take()
      expect(status, name).toBe(200)
      expect(body, name).toMatch(shows)
      for (const [, picture = ''] of [...body.matchAll(/src="(\/pictures\/[^"]+)"/g)].slice(0, 2))
        expect((await visitor.ask(plainText(picture))).status, `a picture of ${name}`).toBe(200)
    }
  })

  it('are refused with a wrong password, without a token and at addresses that do not exist', async () => {
    const wrong = { password: WRONG_PASSWORD }
    const login = `/login?next=${encodeURIComponent(`/search?q=${QUERY}`)}`
    expect((await grace.fillIn(login, '/login', { username: QUERY, ...wrong })).status).toBe(403)
    expect((await grace.fillIn('/login', '/login', { username: 'grace', ...wrong })).status).toBe(403)
    expect((await grace.ask(`/${QUERY}`)).status).toBe(404)
    const noToken = new URLSearchParams({ text: QUERY, target: 'fr', _csrf: QUERY })
    expect((await grace.ask('/translate', noToken)).status).toBe(403)
    const unsigned = `/read?q=${QUERY}&url=https%3A%2F%2F${QUERY}.example%2F&s=${QUERY}`
    expect((await grace.ask(unsigned)).status).toBe(403)
  })

  it('sign in, make feeds and keys, invite, calibrate, change passwords and settings', async () => {
    const { fillIn, ask } = grace
    const { url } = cluster.node(0)
    expect((await fillIn('/login', '/login', { username: 'grace', password: PASSWORD })).status).toBe(303)
    secrets.push(grace.cookie('bowerbird_session') ?? '')
    expect((await fillIn('/mine', '/mine', { q: QUERY })).body).toMatch(new RegExp(`class="result.*${QUERY}`, 's'))
    // What a calibration holds is gone with it.
    const { location: grading } = await fillIn('/admin/ranking/new', '/admin/ranking', { queries: QUERY })
    const calibration = grading.replace('/grade', '')
    await fillIn(grading, `${calibration}/search`)
    expect((await ask(grading)).body).toMatch(new RegExp(`class="result blind".*${QUERY}`, 's'))
    expect((await fillIn(calibration, `${calibration}/delete`)).status).toBe(303)
    const tried = await fillIn('/admin/engines', '/admin/engines/try', { engine: 'brave', q: QUERY })
    expect(tried.body).toMatch(new RegExp(`class="results trial-results">.*${QUERY}`, 's'))
    expect((await fillIn('/admin/engines', '/admin/engines/keys', { key: PROVIDER_KEY })).status).toBe(303)
    const feed = new URL(shownIn(await fillIn(`/settings/feeds?q=${QUERY}&tab=news`, '/settings/feeds')))
    secrets.push(feed.pathname.replace(/^\/feeds\/|\.xml$/g, ''))
    expect(await (await fetch(url + feed.pathname)).text()).toMatch(new RegExp(`<item>.*${QUERY}`, 's'))
    for (const path of ['/settings/sites', '/admin/sites'])
      expect((await fillIn(path, path, { site: QUERY })).status).toBe(400)

    const account = '/settings/account'
    const change = { present: WRONG_PASSWORD, password: NEXT_PASSWORD, repeat: NEXT_PASSWORD }
    expect((await fillIn(account, `${account}/password`, change)).status).toBe(403)
    const enrolment = await fillIn(`${account}/second-factor`, `${account}/second-factor`, { present: PASSWORD })
    shownIn(enrolment)
    expect((await fillIn(enrolment, `${account}/second-factor/confirm`, { code: '000000' })).status).toBe(403)
    expect((await fillIn('/settings/confirm', '/settings/confirm', { present: PASSWORD })).status).toBe(303)
    shownIn(await fillIn('/admin/users/new', '/admin/users/new', { username: 'lin' }))
    const invitation = new URL(shownIn(await fillIn('/admin/users/invitations', '/admin/users/invitations'))).pathname
    secrets.push(invitation.replace('/invitation/', ''))
    const own = { username: 'mira', password: PASSWORD, repeat: PASSWORD }
    expect((await openFormBrowser(url).fillIn(invitation, invitation, own)).status).toBe(303)
    const made = await fillIn('/settings/keys/new', '/settings/keys/new', { name: 'laptop', scopes: ['search'] })
    const program = await fillIn('/settings/connect/claude-code', '/settings/connect/claude-code')
    for (const { body } of [made, program]) secrets.push(/bowerbird_\w+\.[\w-]+/.exec(body)?.[0] ?? '')
    expect((await fillIn('/logout', '/logout')).status).toBe(303)
  })
})

describe('requests that are refused', () => {
  it.each<[status: number, path: string, what: string, sent: () => Sent]>([
    [400, '/api/v1/web/', 'wrong parameters', () => ({ query: { q: fresh(), page: QUERY, engine: QUERY } })],
    [400, '/tavily/search', 'wrong members', () => ({ body: { query: QUERY, include_domains: [`${QUERY}!`] } })],
    [400, '/mcp', 'not JSON', () => ({ body: `{"query": "${QUERY}` })],
    [401, '/api/v1/web/', 'not a key', () => ({ key: 'none', headers: { authorization: `Api-Key ${QUERY}` } })],
    [401, '/searxng/search', 'a key in the query', () => ({ key: 'none', query: { q: fresh(), key: keys.any } })],
    [401, '/api/v1/web/', 'a revoked key', () => ({ key: 'revoked', ...q() })],
    [401, '/tavily/search', 'an unknown key', () => ({ key: 'unknown', ...query() })],
    [403, '/api/v1/read/', 'no scope', () => ({ key: 'inUrl', query: { url: PAGE_URL } })],
    [404, `/api/v1/${QUERY}/`, 'no such endpoint', () => ({})],
    [405, '/api/v1/web/', 'POST', () => ({ body: { q: fresh() } })],
    [413, '/tavily/search', 'a long query', () => ({ body: { query: QUERY.repeat(6_000) } })],
    [422, '/api/v1/read/', 'a page that fails', () => ({ query: { url: `https://${PAGE_ADDRESS}.example/broken` } })],
    [422, '/api/v1/read/', 'an inner address', () => ({ query: { url: `http://127.0.0.1/${PAGE_ADDRESS}` } })],
  ])('%i: %s (%s)', async (...[status, path, , sent]) => {
    const reply = await send(path, sent())
    expect(reply.status, reply.text).toBe(status)
  })

  it('429: a key that is over its limit', async () => {
    const statuses = []
    for (let turn = 0; turn < 3; turn += 1)
      statuses.push((await send('/api/v1/web/', { key: 'limited', ...q() })).status)
    expect(statuses).toEqual([200, 200, 429])
  })

  it('400: what is not HTTP', async () => {
    expect((await rawRequest(cluster.node(0).url, `${QUERY} ${keys.any}\r\n\r\n`)).status).toBe(400)
  })

  it('503: every provider fails, in one way and another', async () => {
    for (const slug of Object.keys(SANDBOX_KEYS)) cluster.sandbox.setFault(slug, { kind: 'status', status: 500 })
    cluster.sandbox.setFault('brave', { kind: 'html' })
    cluster.sandbox.setFault('mojeek', { kind: 'cut-off' })
    cluster.sandbox.setFault('marginalia', { kind: 'refuse' })
    const failed = await Promise.all([
      ...['web', 'images', 'news', 'maps', 'suggest', 'cards'].map((tab) => send(`/api/v1/${tab}/`, q())),
      send('/api/v1/translate/', { body: inFrench() }),
      send('/searxng/search', q()),
      grace.ask(`/search?q=${QUERY}+in+vain`),
      grace.ask(`/maps?q=${QUERY}+in+vain`),
    ])
    expect(failed.map(({ status }) => status)).toEqual(failed.map(() => 503))
  })
})

describe('of all that was sent', () => {
  /** By place. */
  let stored: Map<string, string>
  beforeAll(async () => {
    await cluster.command(['key', 'rotate', keys.any])
    stored = await cluster.readStored()
    stored.set('refusals', refusals.join('\n'))
  })

  it('the stored data to search is not empty', () => {
    for (const status of [400, 401, 403, 404, 405, 413, 422, 429, 503])
      expect(stored.get('refusals')).toMatch(new RegExp(`^${status} `, 'm'))
    for (const route of ['/api/v1/read/', '/tavily/extract', '/mcp', '/pictures/:kind', '/feeds/:file', '/read'])
      expect(stored.get('log')).toContain(`"route":"${route}","status":200`)
    for (const place of ['metrics', 'table usage_daily', 'table audit_events', 'headers to others'])
      expect(stored.get(place)?.length, place).toBeGreaterThan(100)
    expect(stored.get('Redis commands')).toMatch(/^evalsha /im)
    expect([...stored.keys()].some((place) => place.startsWith('Redis value of bb:response:'))).toBe(true)
  })

  it('a trace would be found in any encoding', () => {
    const texts = ['', 'x', 'xy'].map((before) => Buffer.from(`${before}${QUERY}!`))
    const encoded = texts.flatMap((text) => [text.toString(), text.toString('base64'), text.toString('hex')])
    const planted = new Map(encoded.map((text, at) => [String(at), text]))
    expect(placesOf(planted, QUERY)).toEqual([...planted.keys()])
  })

  it('no query is stored anywhere, nor a translation or what was typed', () => {
    expect(placesOf(stored, QUERY)).toEqual([])
    expect(hashedPlacesOf(stored, QUERY)).toEqual([])
  })

  it('no page is stored anywhere, nor its address or that of a picture', () => {
    for (const canary of [PAGE_TEXT, PAGE_ADDRESS, PICTURE_ADDRESS]) expect(placesOf(stored, canary)).toEqual([])
    expect(hashedPlacesOf(stored, PAGE_URL)).toEqual([])
  })

  it('no client address is stored anywhere', () => {
    expect(WRITTEN_CLIENTS.flatMap((address) => placesOf(stored, address))).toEqual([])
  })

  it('no key, password or session is stored anywhere', () => {
    expect(secrets.length).toBe(13)
    for (const secret of [...secrets, ...Object.values(keys)]) {
      expect(secret.length).toBeGreaterThanOrEqual(12)
      expect(placesOf(stored, secret)).toEqual([])
      // Of a key, the part that is secret.
      expect(placesOf(stored, secret.slice(secret.indexOf('.') + 1))).toEqual([])
    }
  })

  it('a prefix is only in the table of keys, and in messages that a key has changed', () => {
    const commands = (stored.get('Redis commands') ?? '').replaceAll(/^publish bb:key-changes .*$/gim, '')
    const others = new Map([...stored, ['Redis commands', commands]])
    const places = Object.values(keys).flatMap((key) => placesOf(others, prefixOf(key)))
    expect([...new Set(places)]).toEqual(['table key_secrets'])
  })

  it('every key in Redis is declared, every field of the log and every metric', () => {
    expect(undeclaredIn(stored, declared)).toEqual({ redisKeys: [], logFields: [], metrics: [] })
  })

  it('every column is declared, and every cookie', async () => {
    expect(await readColumns(cluster.databaseUrl)).toEqual(declared.columns.toSorted())
    expect(grace.cookieNames()).toContain('bowerbird_session')
    expect(grace.cookieNames().filter((name) => !declared.cookies.includes(name))).toEqual([])
  })

  it('others are not told where a request came from', () => {
    expect(stored.get('headers to others')).not.toMatch(/referer|"origin"|cookie|x-forwarded/)
    const calls = Object.keys(SANDBOX_KEYS).flatMap((slug) => cluster.sandbox.calls(slug))
    const told = new Map([['calls', JSON.stringify(calls)]])
    expect(placesOf(told, QUERY)).toEqual(['calls'])
    for (const secret of [...WRITTEN_CLIENTS, ...secrets, ...Object.values(keys)].filter(
      (text) => text !== PROVIDER_KEY,
    ))
      expect(placesOf(told, secret)).toEqual([])
  })

  it('no provider address is in the log or the metrics', () => {
    const hosts = [cluster.sandbox.url, cluster.pages.url].map((url) => new URL(url).host)
    const places = hosts.flatMap((host) => placesOf(stored, host))
    expect(places.filter((place) => place !== 'headers to others')).toEqual([])
  })
})
