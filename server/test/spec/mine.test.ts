// The private engines of a public instance: who finds what is in them, and where it is never found. Each bookmark of the
// service has a canary, so whatever it gets into can be recognised.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser } from '../../src/accounts/users.ts'
import { type FormBrowser, openFormBrowser } from '../support/form-browser.ts'
import { type ApiRequest, callApi, walkMine } from '../support/mine-walk.ts'
import { signIn as openSession } from '../support/oauth-walk.ts'
import { type PrivateService, startPrivateService } from '../support/private-service.ts'
import { readMetrics, readRedis, readTables } from '../support/stored-data.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'
import { WITHOUT_RATE_LIMIT } from './without-upstream-rate-limit.ts'

const CANARY = 'qx7canary'
const PASSWORD = 'correct horse battery'
const METRICS_TOKEN = 'metrics-token-of-the-test'
const HIGH = { burst: '100000/min', sustained: '1000000/day' }

let service: PrivateService
let server: TestInstance
let visitor: FormBrowser
let ada: FormBrowser
let linus: FormBrowser
let grace: FormBrowser
/** A key with every scope that a key has by default, one with the scope `mine` too, and one that may also read. */
let plainKey: string
let mineKey: string
let readingKey: string

beforeAll(async () => {
  service = await startPrivateService(CANARY)
  server = await startTestInstance({
    ...WITHOUT_RATE_LIMIT,
    ...service.settings,
    SITE_ACCESS: 'public',
    SITE_SUGGESTIONS: 'all',
    METRICS_TOKEN,
    LOG_LEVEL: 'trace',
    API_THROTTLE_BURST: HIGH.burst,
    API_THROTTLE_SUSTAINED: HIGH.sustained,
  })
  visitor = openFormBrowser(server.url)
  ada = await signIn('ada')
  linus = await signIn('linus')
  grace = await signIn('grace', true)
  plainKey = await server.createKey(HIGH)
  mineKey = await server.createKey({ ...HIGH, scopes: ['search', 'mine'] })
  readingKey = await server.createKey({ ...HIGH, scopes: ['search', 'mine', 'read', 'read_any'] })
})
afterAll(async () => {
  await server?.close()
  await service?.close()
})

async function signIn(username: string, isAdmin = false): Promise<FormBrowser> {
  const { access } = server.instance.services
  // The instance comes with ada.
  if (username !== 'ada') await createUser(access, { username, password: PASSWORD, isAdmin })
  return await openSession(server.url, username, PASSWORD)
}

const call = (path: string, request: ApiRequest) => callApi(server.url + path, request)

const has = (text: string) => text.includes(CANARY)

describe('who finds private things', () => {
  it('every signed-in person, above the results of the web and on the tab', async () => {
    for (const person of [ada, linus]) {
      const q = freshQuery('boiler')
      // The box doesn't hold up the page; once the service has answered, it is there.
      await person.ask(`/mine?q=${q}`)
      const results = await person.ask(`/search?q=${q}`)
      expect([results.status, has(results.body)]).toEqual([200, true])
      expect(new Set(results.body.match(/qx7canary-\d+\.example/g)).size).toBe(3)
      const tab = await person.ask(`/mine?q=${q}&page=2`)
      expect(tab.status).toBe(200)
      expect(tab.body).toContain(`${CANARY}-10.`)
      expect(tab.body).not.toContain(`${CANARY}-9.`)
    }
  })

  it('no visitor of the public site', async () => {
    const before = service.queries.length
    const q = freshQuery('boiler')
    const results = await visitor.ask(`/search?q=${q}`)
    expect([results.status, has(results.body), /karakeep|\/mine/i.test(results.body)]).toEqual([200, false, false])
    expect((await visitor.ask(`/mine?q=${q}`)).location).toMatch(/^\/login/)
    expect(service.queries).toHaveLength(before)
  })

  it('200: a key with the scope', async () => {
    const mine = await call(`/api/v1/mine/?q=${freshQuery('boiler')}`, { key: mineKey })
    expect(mine).toMatchObject({ status: 200, body: expect.stringContaining(CANARY) })
    expect(mine.headers.get('engine-status')).toMatch(/^karakeep;ok;n=10;ms=\d+$/)
    expect(JSON.parse(mine.body).results[0]).toMatchObject({ source: 'karakeep', source_label: 'Karakeep' })
  })

  it('the default replies are what they are without private engines', async () => {
    const web = `/api/v1/web/?q=${freshQuery('boiler')}`
    const [one, other] = [await call(web, { key: mineKey }), await call(web, { key: plainKey })]
    expect(one.body).toBe(other.body)
    expect([has(one.body), one.headers.get('engine-status')?.includes('karakeep')]).toEqual([false, false])
  })
})

describe('where private things are not', () => {
  it('on the status page, in its numbers or in status/, unless an administrator looks', async () => {
    expect((await grace.ask('/status')).body).toContain('Karakeep')
    for (const person of [ada, visitor]) expect((await person.ask('/status')).body).not.toMatch(/karakeep/i)
    for (const key of [plainKey, mineKey]) {
      expect((await call('/api/v1/status/', { key })).body).not.toMatch(/karakeep/i)
    }
    expect((await grace.ask('/admin/providers')).body).toContain('Karakeep')
  })

  it('403, 422: read/ does not fetch them, found or not', async () => {
    const found = `https://${CANARY}-0.example/page`
    const founder = await server.createKey({ ...HIGH, scopes: ['search', 'mine', 'read'] })
    await call(`/api/v1/mine/?q=${freshQuery()}`, { key: founder })
    const read = (url: string, key: string) => call(`/api/v1/read/?url=${encodeURIComponent(url)}`, { key })
    expect((await read(found, founder)).status).toBe(403)
    const refused = await read(`${service.url}/api/v1/bookmarks/search`, readingKey)
    expect([refused.status, JSON.parse(refused.body).reason]).toEqual([422, 'blocked'])
  })
})

describe('when something is down', () => {
  it('503: without an engine of the web, the box and the tab are still there; the API says 503', async () => {
    const engines = ['brave', 'mojeek', 'marginalia']
    for (const slug of engines) server.sandbox.setFault(slug, { kind: 'status', status: 500 })
    try {
      const q = freshQuery('boiler')
      const { status, body } = await ada.ask(`/search?q=${q}`)
      expect([status, has(body), body.includes('No search engine responded')]).toEqual([503, true, true])
      expect(has((await visitor.ask(`/search?q=${q}`)).body)).toBe(false)
      expect((await ada.ask(`/mine?q=${q}`)).status).toBe(200)
      expect((await call(`/api/v1/web/?q=${q}`, { key: mineKey })).status).toBe(503)
      expect((await call(`/api/v1/mine/?q=${q}`, { key: mineKey })).status).toBe(200)
    } finally {
      for (const slug of engines) server.sandbox.setFault(slug, undefined)
    }
  })

  it('a stopped service is told to those who are signed in, and to no one else', async () => {
    service.stop()
    try {
      const q = freshQuery('boiler')
      const failed = await call(`/api/v1/mine/?q=${q}`, { key: mineKey })
      expect([failed.status, Number(failed.headers.get('retry-after')) > 0]).toEqual([503, true])
      expect(failed.headers.get('engine-status')).toMatch(/^karakeep;unreachable/)
      const tab = await ada.ask(`/mine?q=${q}`)
      expect([tab.status, tab.body.includes('Karakeep could not be reached.')]).toEqual([503, true])
      expect((await ada.ask(`/search?q=${q}`)).body).toContain('Karakeep could not be reached.')
      const results = await visitor.ask(`/search?q=${q}`)
      expect([results.status, /karakeep|could not be reached/i.test(results.body)]).toEqual([200, false])
    } finally {
      service.start()
    }
  })
})

const TOTAL = 400
const CONTRIBUTIONS = 'table engine_contributions'

it('of 400 searches in any order, nobody without the right gets a canary, and everyone with it does', async () => {
  const { wrong, seen } = await walkMine({
    urls: [server.url],
    people: [
      { name: 'visitor', finds: [], browsers: [visitor] },
      { name: 'ada', finds: [CANARY], browsers: [ada] },
      { name: 'linus', finds: [CANARY], browsers: [linus] },
    ],
    keys: [
      { name: 'plainKey', finds: [], key: plainKey },
      { name: 'mineKey', finds: [CANARY], key: mineKey },
    ],
    total: TOTAL,
  })
  expect(wrong).toEqual([])
  expect(seen.none).toBe(0)
  expect(Math.min(seen.may, seen.must)).toBeGreaterThan(3)
  // What engines contributed is written every five seconds.
  const contributions = async () =>
    (await readTables(server.databaseUrl)).find(([place]) => place === CONTRIBUTIONS)?.[1]
  await expect.poll(contributions, { timeout: 15_000 }).toContain('brave')
  expect(await contributions()).not.toContain('karakeep')
  const stored = [
    ['log', server.logged()] as const,
    ['metrics', await readMetrics(server.url, METRICS_TOKEN)] as const,
    ...(await readTables(server.databaseUrl)),
    ...(await readRedis(server.redisUrl)),
  ]
  expect(stored.filter(([, content]) => has(content)).map(([place]) => place)).toEqual([])
}, 120_000)
