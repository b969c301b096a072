// A day on a public site and one on a private site, through every interface: searches, suggestions, pictures, places,
// translations, sign-ins good and bad, preferences, keys, the API and the command line. Then everything stored is read:
// it must be declared in docs/security/privacy.md, and contain neither what was searched for nor a client address.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mintKey } from '../../src/keys/key-format.ts'
import { type Cluster, startCluster, UNLIMITED } from '../support/cluster.ts'
import { type FormBrowser, openFormBrowser } from '../support/form-browser.ts'
import { readPrivacyDeclaration } from '../support/privacy-declaration.ts'
import { readColumns, readMetrics, readRedis, readTables } from '../support/stored-data.ts'

const METRICS_TOKEN = 'metrics-token-of-the-test'
const CANARY = `quoll${randomBytes(6).toString('hex')}`
const PASSWORD = 'correct horse battery'
const WRONG_PASSWORD = `wrong ${CANARY}`
/** Client addresses, and every form in which a program might write them. */
const ADDRESSES = ['203.0.113.77', '2001:db8:5:6::77']
const WRITTEN = ['203.0.113.77', 'cb00714d', '2001:db8:5:6', '20010db800050006', '2001:0db8:0005:0006']

const declared = readPrivacyDeclaration()

describe.each(['public', 'users'])('with SITE_ACCESS=%s', (siteAccess) => {
  let cluster: Cluster
  let secrets: string[]
  /** Paths that were refused. */
  let refused: { strangers: string[]; members: string[] }
  let cookies: string[]
  let kept: Map<string, string>

  beforeAll(async () => {
    cluster = await startCluster({
      nodes: 1,
      settings: {
        LOG_LEVEL: 'trace',
        METRICS_TOKEN,
        SITE_ACCESS: siteAccess,
        SITE_SUGGESTIONS: 'all',
        RESULT_ICONS: 'on',
        TRUSTED_PROXIES: '127.0.0.1',
        API_THROTTLE_BURST: '100000/min',
        API_THROTTLE_SUSTAINED: '1000000/day',
      },
    })
    const { url } = cluster.node(0)
    const browsers = ADDRESSES.map((address) => openFormBrowser(url, { 'x-forwarded-for': address }))
    const strangers = await Promise.all(browsers.map((browser) => useSite(browser)))
    const [ada] = browsers as [FormBrowser, ...FormBrowser[]]
    const made = await signInAndMakeKey(ada)
    const members = await useSite(ada)
    await ada.submit('/logout', [], '/logout')
    secrets = [PASSWORD, WRONG_PASSWORD, ...made, ...(await useApiAndCommands(cluster))]
    refused = { strangers: [...new Set(strangers.flat())], members }
    cookies = browsers.flatMap((browser) => browser.cookieNames())
    // Usage and last-used times are written with a delay.
    await sleep(2_500)
    kept = new Map([
      ['log', cluster.node(0).logged()],
      ['metrics', await readMetrics(url, METRICS_TOKEN)],
      ...(await readTables(cluster.databaseUrl)),
      ...(await readRedis(cluster.redis.url)),
    ])
  }, 300_000)
  afterAll(() => cluster?.close())

  const placesOf = (text: string): string[] =>
    [...kept].filter(([, content]) => content.includes(text)).map(([place]) => place)

  it('every page is open to those it should be open to', () => {
    const isPublic = siteAccess === 'public'
    expect(refused).toEqual({ strangers: isPublic ? [] : PAGES, members: [] })
    expect(placesOf('"route":"/pictures/:kind","status":200')).toEqual(['log'])
    expect(placesOf('sign-in')).toContain('table audit_events')
    const counters = kept.get('Redis keys') ?? ''
    expect(counters.includes('site search network')).toBe(isPublic)
    expect(counters).toContain('site search user')
    // From unknown keys.
    expect(kept.get('log')).toMatch(/"route":"\/api\/v1\/web\/","status":401/)
    expect(counters).toContain('bb:response:')
  })

  it('no search, translation or typed text is stored anywhere', () => {
    expect(placesOf(CANARY)).toEqual([])
    expect(placesOf(Buffer.from(CANARY).toString('hex'))).toEqual([])
  })

  it('no client address is stored anywhere', () => {
    expect(WRITTEN.flatMap(placesOf)).toEqual([])
  })

  it('no key, password or session is stored anywhere', () => {
    expect(secrets.length).toBeGreaterThanOrEqual(6)
    for (const secret of secrets) expect(placesOf(secret)).toEqual([])
  })

  it('the tables have exactly the declared columns', async () => {
    expect(await readColumns(cluster.databaseUrl)).toEqual(declared.columns.toSorted())
  })

  it('every key in Redis is declared', () => {
    const names = (kept.get('Redis keys') ?? '').split('\n')
    expect(names.filter((name) => !declared.redisKeys.some((pattern) => pattern.test(name)))).toEqual([])
  })

  it('every field of the log is declared', () => {
    const lines = (kept.get('log') ?? '').split('\n').filter((line) => line !== '')
    const fields = new Set(lines.flatMap((line) => Object.keys(JSON.parse(line) as object)))
    expect([...fields].filter((field) => !declared.logFields.includes(field))).toEqual([])
  })

  it('every metric and label is declared', () => {
    const samples = [...(kept.get('metrics') ?? '').matchAll(/^(\w+?)(?:_bucket|_sum|_count)?(?:\{(.*)\})? \S+$/gm)]
    expect(samples.length).toBeGreaterThan(20)
    const undeclared = samples.filter(([, name = '', labels = '']) => {
      const used = [...labels.matchAll(/(\w+)="/g)].map((match) => match[1] ?? '').filter((label) => label !== 'le')
      return !declared.metrics.some((metric) => metric.name.test(name) && used.every((l) => metric.labels.includes(l)))
    })
    expect(undeclared.map(([sample]) => sample)).toEqual([])
  })

  it('every cookie is declared', () => {
    expect(cookies).toContain('bowerbird_session')
    expect(cookies.filter((name) => !declared.cookies.includes(name))).toEqual([])
  })
})

const PAGES = [
  `/search?q=${CANARY}`,
  `/search?q=${CANARY}&tab=images`,
  `/search?q=${CANARY}&tab=news&page=2`,
  `/search?q=${CANARY}&tab=videos&date=w`,
  `/search?q=define+${CANARY}`,
  `/search?q=weather+in+${CANARY}`,
  `/answer?q=what+time+is+it&tz=Europe%2FParis&${CANARY}=${CANARY}`,
  `/suggest?q=${CANARY}`,
  `/maps?q=${CANARY}`,
  '/maps?lat=48.85841&lon=2.29451',
  `/translate?q=${CANARY}&target=fr`,
  `/search?q=Eiffel+Tower`,
]
/** Uses the site as a visitor in a browser; returns the paths that were refused. */
async function useSite(browser: FormBrowser): Promise<string[]> {
  const refused: string[] = []
  for (const path of PAGES) {
    const { status, body } = await browser.ask(path)
    if (status !== 200) refused.push(path)
    const pictures = [...body.matchAll(/src="(\/pictures\/[^"]+)"/g)].slice(0, 3)
    for (const [, picture = ''] of pictures) await browser.ask(picture.replaceAll('&amp;', '&'))
  }
  await browser.submit('/translate', [
    ['q', CANARY],
    ['target', 'fr'],
  ])
  await browser.submit('/settings/search', [
    ['engines', 'engine_a'],
    ['engines', 'engine_b'],
    ['cards', 'on'],
    ['suggestions', 'on'],
    ['lang', 'auto'],
    ['theme', 'dark'],
  ])
  await browser.submit('/login', [
    ['username', CANARY],
    ['password', WRONG_PASSWORD],
    ['next', `/search?q=${CANARY}`],
  ])
  await browser.submit('/login', [
    ['username', 'ada'],
    ['password', WRONG_PASSWORD],
  ])
  for (const path of [
    '/',
    '/status',
    '/docs',
    `/${CANARY}`,
    `/login?next=%2Fsearch%3Fq%3D${CANARY}`,
    '/opensearch.xml',
  ]) {
    await browser.ask(path)
  }
  return refused
}

/** Returns the secrets involved. */
async function signInAndMakeKey(browser: FormBrowser): Promise<string[]> {
  const signedIn = await browser.submit('/login', [
    ['username', 'ada'],
    ['password', PASSWORD],
  ])
  expect(signedIn.status).toBe(303)
  expect((await browser.submit('/settings/confirm', [['present', PASSWORD]])).status).toBe(303)
  const { body } = await browser.submit('/settings/keys/new', [
    ['name', 'laptop'],
    ['scopes', 'search'],
  ])
  const key = /bowerbird_\w+\.[\w-]+/.exec(body)?.[0] ?? ''
  for (const path of ['/settings/keys', '/settings/usage', '/settings/account', '/admin/users']) await browser.ask(path)
  expect(key).not.toBe('')
  return [browser.cookie('bowerbird_session') ?? '', key]
}

/** Returns the secrets involved. */
async function useApiAndCommands(cluster: Cluster): Promise<string[]> {
  const { api } = cluster.node(0)
  const key = await cluster.createKey(UNLIMITED)
  const wrong = mintKey(randomBytes).full
  const document = (await api.get('/api/v1/openapi.json')).json
  for (const [turn, path] of Object.keys(document.paths).entries()) {
    const headers = { 'x-forwarded-for': ADDRESSES[turn % 2] ?? '' }
    for (const query of [`q=${CANARY}`, `q=${CANARY}&target=fr&lang=de&page=2`, `lat=48.85841&lon=2.29451`]) {
      await api.get(`${path}?${query}`, { key, headers })
    }
    await api.get(`${path}?q=${CANARY}`, { key: wrong, headers })
  }
  const rotated = (await cluster.command(['key', 'rotate', key]))['key'] ?? ''
  await cluster.command(['key', 'list'])
  await cluster.command(['audit'])
  await cluster.command(['key', 'revoke', rotated])
  return [key, wrong, rotated].map((full) => full.slice(full.indexOf('.') + 1))
}
