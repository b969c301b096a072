// Services of one person's own, on a public instance whose operator has set up none: two people with one each. What each
// service holds has a canary, so whatever it gets into can be recognised.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser } from '../../src/accounts/users.ts'
import { createKey } from '../../src/keys/keys.ts'
import { type FormBrowser, openFormBrowser, plainText } from '../support/form-browser.ts'
import { type ApiRequest, callApi, walkMine } from '../support/mine-walk.ts'
import { type PrivateService, startPrivateService } from '../support/private-service.ts'
import { placesOf, readMetrics, readRedis, readTables } from '../support/stored-data.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'
import { WITHOUT_RATE_LIMIT } from './without-upstream-rate-limit.ts'

const PATH = '/settings/services'
const NEW = `${PATH}/new/karakeep`
const PASSWORD = 'correct horse battery'
const METRICS_TOKEN = 'metrics-token-of-the-test'
const HIGH = { burst: '100000/min', sustained: '1000000/day' }
const ADAS = 'qx7adas'
const LINUS = 'qx7linus'

let adas: PrivateService
let linus: PrivateService
let server: TestInstance
/** Grace has no service, and is an administrator. */
let people: Record<'visitor' | 'ada' | 'linus' | 'grace', FormBrowser>
let keys: Record<'ada' | 'linus' | 'grace' | 'withoutScope', string>

beforeAll(async () => {
  adas = await startPrivateService(ADAS)
  linus = await startPrivateService(LINUS)
  server = await startTestInstance({
    ...WITHOUT_RATE_LIMIT,
    INSTANCE_SECRET: 'a secret that is kept elsewhere, long enough',
    MINE_HOSTS: [adas, linus].map(({ url }) => new URL(url).host).join(' '),
    SITE_ACCESS: 'public',
    SITE_SUGGESTIONS: 'all',
    METRICS_TOKEN,
    LOG_LEVEL: 'trace',
    API_THROTTLE_BURST: HIGH.burst,
    API_THROTTLE_SUSTAINED: HIGH.sustained,
  })
  people = {
    visitor: openFormBrowser(server.url),
    ada: await signIn('ada'),
    linus: await signIn('linus'),
    grace: await signIn('grace', true),
  }
  keys = {
    ada: await keyOf('ada', ['search', 'mine']),
    linus: await keyOf('linus', ['search', 'mine']),
    grace: await keyOf('grace', ['search', 'mine']),
    withoutScope: await keyOf('ada', ['search']),
  }
})
afterAll(async () => {
  await server?.close()
  await adas?.close()
  await linus?.close()
})

async function signIn(username: string, isAdmin = false): Promise<FormBrowser> {
  // The instance comes with ada.
  if (username !== 'ada') {
    await createUser(server.instance.services.access, { username, password: PASSWORD, isAdmin })
  }
  const browser = openFormBrowser(server.url)
  await browser.submit('/login', [
    ['username', username],
    ['password', PASSWORD],
  ])
  return browser
}

const keyOf = async (username: string, scopes: string[]): Promise<string> =>
  (await createKey(server.instance.services.access, { owner: { username }, scopes, ...HIGH })).full

const call = (path: string, request: ApiRequest) => callApi(server.url + path, request)

/** Returns the path of the new service. */
async function add(browser: FormBrowser, { url, token }: Pick<PrivateService, 'url' | 'token'>): Promise<string> {
  const { status, location, body } = await browser.fillIn(NEW, NEW, { baseUrl: url, apiKey: token })
  expect([status, body]).toEqual([303, ''])
  return location.replace('?done=saved', '')
}

const remove = (browser: FormBrowser, path: string) => browser.fillIn(path, `${path}/remove`)

const textOf = (body: string): string => plainText(body.replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ')

const tried = async (browser: FormBrowser, path: string): Promise<string> =>
  textOf((await browser.fillIn(path, `${path}/try`, { q: 'boiler' })).body)

describe('adding a service', () => {
  it('400: an address in a private network is refused, and the sentence names the setting', async () => {
    for (const baseUrl of [server.url, 'http://169.254.169.254/latest', 'http://localhost', 'http://[::1]']) {
      const { status, body } = await people.ada.fillIn(NEW, NEW, { baseUrl, apiKey: adas.token })
      expect([status, textOf(body).includes('the operator adds its host to MINE_HOSTS')]).toEqual([400, true])
      expect(body).not.toContain(adas.token)
    }
    expect((await people.ada.ask(PATH)).body).toContain('No services yet')
  })

  it('“Try” shows three results, or says why there are none', async () => {
    const path = await add(people.ada, adas)
    const works = await tried(people.ada, path)
    expect([works.match(/Title qx7adas-\d/g)?.length, works.includes('It works.')]).toEqual([3, true])
    adas.stop()
    expect(await tried(people.ada, path)).toContain('It could not be reached.')
    adas.start()
    await remove(people.ada, path)

    const wrongToken = await add(people.ada, { ...adas, token: 'wrong' })
    expect(await tried(people.ada, wrongToken)).toContain('It refused the token.')
    await remove(people.ada, wrongToken)
  })

  it('a token is never shown again, and is entered with every change of the address', async () => {
    const path = await add(people.ada, adas)
    for (const page of [PATH, path, `${path}/change`]) {
      expect((await people.ada.ask(page)).body).not.toContain(adas.token)
    }
    const moved = await people.ada.fillIn(`${path}/change`, `${path}/change`, { baseUrl: linus.url })
    expect([moved.status, textOf(moved.body).includes('Fill in this field.')]).toEqual([400, true])
    expect(linus.queries).toEqual([])
    const again = { baseUrl: adas.url, apiKey: adas.token }
    expect((await people.ada.fillIn(`${path}/change`, `${path}/change`, again)).status).toBe(303)
    await remove(people.ada, path)
  })

  it('404: nobody else can see, try, change or remove it', async () => {
    const path = await add(people.ada, adas)
    const before = adas.queries.length
    const token = /name="_csrf" value="([^"]+)"/.exec((await people.linus.ask(NEW)).body)?.[1] ?? ''
    for (const page of [path, `${path}/change`]) expect((await people.linus.ask(page)).status).toBe(404)
    for (const action of ['try', 'change', 'remove']) {
      const fields = new URLSearchParams({ _csrf: token, q: 'boiler', baseUrl: linus.url, apiKey: linus.token })
      expect([action, (await people.linus.ask(`${path}/${action}`, fields)).status]).toEqual([action, 404])
    }
    expect([adas.queries.length, (await people.ada.ask(path)).status]).toEqual([before, 200])
    await remove(people.ada, path)
  })
})

describe('with one service each', () => {
  let paths: { ada: string; linus: string }
  beforeAll(async () => {
    paths = { ada: await add(people.ada, adas), linus: await add(people.linus, linus) }
  })

  it('each finds their own, labelled as theirs', async () => {
    const found = [
      [people.ada, ADAS, LINUS],
      [people.linus, LINUS, ADAS],
    ] as const
    for (const [person, own, other] of found) {
      const q = freshQuery('boiler')
      const tab = await person.ask(`/mine?q=${q}`)
      expect([tab.status, tab.body.includes(own), tab.body.includes(other)]).toEqual([200, true, false])
      expect(tab.body).toContain('Found by Karakeep (yours)')
      const results = await person.ask(`/search?q=${q}`)
      expect([results.body.includes(own), results.body.includes(other)]).toEqual([true, false])
      expect(results.body).toContain('<b>Karakeep (yours)</b>')
    }
  })

  it('200: a key finds what its owner does; 403: without the scope, nothing', async () => {
    const path = `/api/v1/mine/?q=${freshQuery('boiler')}`
    const found = await call(path, { key: keys.ada })
    expect(found.headers.get('engine-status')).toMatch(/^karakeep;ok;n=10;ms=\d+$/)
    const { results } = JSON.parse(found.body)
    expect(results[0]).toMatchObject({ source: 'karakeep', source_label: 'Karakeep (yours)' })
    expect([found.body.includes(ADAS), found.body.includes(LINUS)]).toEqual([true, false])
    const other = await call(path, { key: keys.linus })
    expect([other.body.includes(ADAS), other.body.includes(LINUS)]).toEqual([false, true])
    expect((await call(path, { key: keys.withoutScope })).status).toBe(403)
  })

  it('404: there is nothing, and no tab, for those who have none', async () => {
    const q = freshQuery('boiler')
    const asked = () => adas.queries.length + linus.queries.length
    const before = asked()
    expect((await people.grace.ask(`/mine?q=${q}`)).status).toBe(404)
    expect((await people.visitor.ask(`/mine?q=${q}`)).location).toMatch(/^\/login/)
    for (const person of [people.grace, people.visitor]) {
      expect((await person.ask(`/search?q=${q}`)).body).not.toMatch(/karakeep|href="\/mine/i)
    }
    expect((await call(`/api/v1/mine/?q=${q}`, { key: keys.grace })).status).toBe(404)
    expect(asked()).toBe(before)
  })

  it('a stopped or wrong service is told to its owner alone', async () => {
    adas.stop()
    try {
      const q = freshQuery('boiler')
      const failed = await call(`/api/v1/mine/?q=${q}`, { key: keys.ada })
      expect([failed.status, failed.headers.get('engine-status')]).toEqual([
        503,
        expect.stringMatching(/^karakeep;unreachable/),
      ])
      const tab = await people.ada.ask(`/mine?q=${q}`)
      expect([tab.status, textOf(tab.body).includes('Karakeep (yours) could not be reached.')]).toEqual([503, true])
      const others = await call(`/api/v1/mine/?q=${q}`, { key: keys.linus })
      expect([others.status, others.headers.get('search-status')]).toEqual([200, 'complete'])
      for (const person of [people.grace, people.visitor, people.linus]) {
        expect((await person.ask('/status')).body).not.toMatch(/karakeep/i)
        expect((await person.ask(`/search?q=${q}`)).body).not.toContain('could not be reached')
      }
      expect((await call('/api/v1/status/', { key: keys.ada })).body).not.toMatch(/karakeep/i)
    } finally {
      adas.start()
    }
    const change = `${paths.ada}/change`
    await people.ada.fillIn(change, change, { baseUrl: adas.url, apiKey: 'wrong' })
    const { body } = await people.ada.ask(`/mine?q=${freshQuery('boiler')}`)
    expect(textOf(body)).toContain('Karakeep (yours) refused your token.')
    await people.ada.fillIn(change, change, { baseUrl: adas.url, apiKey: adas.token })
  })

  it('of 1,000 searches in any order, each finds their own, and nobody anything of another', async () => {
    const { wrong, seen } = await walkMine({
      urls: [server.url],
      people: [
        { name: 'visitor', finds: [], browsers: [people.visitor] },
        { name: 'grace', finds: [], browsers: [people.grace] },
        { name: 'ada', finds: [ADAS], browsers: [people.ada] },
        { name: 'linus', finds: [LINUS], browsers: [people.linus] },
      ],
      keys: [
        { name: 'without scope', finds: [], key: keys.withoutScope },
        { name: 'grace’s', finds: [], key: keys.grace },
        { name: 'ada’s', finds: [ADAS], key: keys.ada },
        { name: 'linus’', finds: [LINUS], key: keys.linus },
      ],
      total: 1_000,
    })
    expect(wrong).toEqual([])
    expect(seen.none).toBe(0)
    expect(Math.min(seen.may, seen.must)).toBeGreaterThan(10)
    const stored = new Map([
      ['log', server.logged()] as const,
      ['metrics', await readMetrics(server.url, METRICS_TOKEN)] as const,
      ...(await readTables(server.databaseUrl)),
      ...(await readRedis(server.redisUrl)),
    ])
    for (const text of [ADAS, LINUS, new URL(adas.url).host, new URL(linus.url).host]) {
      expect([text, placesOf(stored, text)]).toEqual([text, []])
    }
    // The kind of a service is stored, and nothing else says that there is one.
    const places = [...stored].filter(([, content]) => /karakeep/i.test(content)).map(([place]) => place)
    expect(places).toEqual(['table person_services'])
  }, 240_000)

  it('a service that is removed is gone at once', async () => {
    await remove(people.ada, paths.ada)
    expect((await people.ada.ask('/mine?q=boiler')).status).toBe(404)
    expect((await call('/api/v1/mine/?q=boiler', { key: keys.ada })).status).toBe(404)
    expect((await people.linus.ask('/mine?q=boiler')).body).toContain(LINUS)
  })
})
