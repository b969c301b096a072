// A day on a public site and one on a private site: searches, suggestions, pictures, pages that are read, places,
// translations, sign-ins good and bad, preferences, keys, a program that is connected, and the command line. Forms are
// filled in as the page has them. Every step must succeed for those who may take it. Then everything stored is read: it
// must be declared in docs/security/privacy.md, and contain neither what was searched for nor a client address.
// `privacy.test.ts` does the same with programs.
import { randomBytes } from 'node:crypto'
import { SANDBOX_KEYS } from '@bowerbird/sandbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mintKey } from '../../src/keys/key-format.ts'
import { PAGES } from '../../src/site/site-router.ts'
import {
  CLIENTS,
  PAGE_TEXT,
  PICTURE_ADDRESS,
  QUERY,
  startWatchedCluster,
  type WatchedCluster,
  WRITTEN_CLIENTS,
} from '../support/canaries.ts'
import { type BrowserReply, type FormBrowser, openFormBrowser, plainText } from '../support/form-browser.ts'
import { readPrivacyDeclaration, undeclaredIn } from '../support/privacy-declaration.ts'
import { hashedPlacesOf, placesOf, readColumns } from '../support/stored-data.ts'

const PASSWORD = 'correct horse battery'
const PROVIDER_KEY = 'a key of a provider, which is stored encrypted'
const NEXT_PASSWORD = 'battery staple correct'
const WRONG_PASSWORD = `wrong ${QUERY}`

const declared = readPrivacyDeclaration()

interface Step {
  take: (browser: FormBrowser) => Promise<BrowserReply>
  /** What the page shows if it worked. */
  shows: RegExp
}

/** A result with the query in its address or its title. */
const FOUND = new RegExp(`class="result-link" href="[^"]*(?:${QUERY}|"[^>]*>[^<]*${QUERY})`, 'i')
/** The text of a page, and then its picture. */
const READ = new RegExp(`${PAGE_TEXT}.*src="/pictures/picture[^"]*${PICTURE_ADDRESS}`, 's')
const IN_FRENCH = { text: QUERY, source: 'en', target: 'fr' }
const ask = (path: string, shows: RegExp): Step => ({ take: (browser) => browser.ask(path), shows })

/** What everyone who may search can do, by name. */
const SEARCHING: Record<string, Step> = {
  'search from the front page': { take: (browser) => browser.fillIn('/', '/search', { q: QUERY }), shows: FOUND },
  'search from the results': {
    take: (browser) => browser.fillIn(`/search?q=${QUERY}&tab=news`, '/search', { q: `${QUERY} again` }),
    shows: FOUND,
  },
  images: ask(`/search?q=${QUERY}&tab=images`, FOUND),
  news: ask(`/search?q=${QUERY}&tab=news&page=2`, FOUND),
  videos: ask(`/search?q=${QUERY}&tab=videos&date=w`, FOUND),
  science: ask(`/search?q=${QUERY}&tab=science`, FOUND),
  code: ask(`/search?q=${QUERY}&tab=code`, FOUND),
  'a definition': ask(`/search?q=define+${QUERY}`, FOUND),
  weather: ask(`/search?q=weather+in+${QUERY}`, FOUND),
  'a card': ask('/search?q=Eiffel+Tower', /Eiffel Tower/),
  'one image': follow(`/search?q=${QUERY}&tab=images`, /href="(\/images\/detail\?[^"]+)"/, /class="large-picture"/),
  'a page to read': follow(`/search?q=${QUERY}`, /href="(\/read\?[^"]+)"/, READ),
  'an answer': ask(`/answer?q=what+time+is+it&tz=Europe%2FParis&${QUERY}=${QUERY}`, /\d\d:\d\d/),
  suggestions: ask(`/suggest?q=${QUERY}`, new RegExp(`${QUERY}.*${QUERY}`)),
  'suggestions with a bang': ask(`/suggest?q=${QUERY}+!gh`, new RegExp(`${QUERY} !gh.*github\\.com`)),
  'related searches': follow(
    `/search?q=${QUERY}`,
    /href="(\/search\/related\?[^"]+)"/,
    new RegExp(`related-list.*${QUERY}`, 's'),
  ),
  'a place': { take: (browser) => browser.fillIn('/maps', '/maps', { q: QUERY }), shows: /openstreetmap\.org/ },
  'a point': ask('/maps?lat=48.85841&lon=2.29451', /openstreetmap\.org/),
  translation: {
    take: ({ fillIn }) => fillIn('/translate', '/translate#translation', IN_FRENCH),
    shows: new RegExp(`${QUERY} \\(traduction simulée\\)`),
  },
  'translation back': {
    take: async ({ fillIn }) => {
      const page = await fillIn('/translate', '/translate#translation', IN_FRENCH)
      return await fillIn(page, '/translate#translation', { swap: 'on' })
    },
    shows: /class="translated"/,
  },
  'a QR code': {
    take: ({ fillIn }) => fillIn('/tools/qr-code', '/tools/qr-code', { text: QUERY }),
    shows: new RegExp(`class="qr-picture".*alt="[^"]*${QUERY}`, 's'),
  },
  'a timer': {
    take: ({ fillIn }) => fillIn('/tools/timer', '/tools/timer', { h: '', m: '7', s: '' }),
    shows: /7:00/,
  },
  'a sum': {
    take: ({ fillIn }) => fillIn('/tools/calculator', '/tools/calculator', { sum: '6*7' }),
    shows: /\b42\b/,
  },
  'a unit': {
    take: ({ fillIn }) => fillIn('/tools/units', '/tools/units', { kind: 'mass' }),
    shows: /data-converter/,
  },
  'an amount of money': {
    take: ({ fillIn }) => fillIn('/tools/currency', '/tools/currency', { amount: '12' }),
    shows: /data-converter/,
  },
  'a colour': {
    take: ({ fillIn }) => fillIn('/tools/colour', '/tools/colour', { colour: '#336699' }),
    shows: /336699/i,
  },
  'a comparison': {
    take: (browser) => browser.fillIn('/compare', '/compare', { q: QUERY }),
    shows: new RegExp(`class="compare-column.*${QUERY}`, 's'),
  },
  'words from a search': {
    take: (browser) => browser.fillIn('/translate', '/translate', { q: QUERY }),
    shows: new RegExp(`<textarea[^>]*>\\s*${QUERY}`),
  },
}

/** Opens the first link of a page that matches. */
function follow(path: string, link: RegExp, shows: RegExp): Step {
  return {
    async take(browser) {
      const page = await browser.ask(path)
      const found = link.exec(page.body)?.[1]
      return found === undefined ? page : await browser.ask(plainText(found))
    },
    shows,
  }
}

/** Takes every step, and loads the first pictures of each page. Returns what was refused or failed. */
async function search(browser: FormBrowser): Promise<string[]> {
  const failed: string[] = []
  for (const [name, { take, shows }] of Object.entries(SEARCHING)) {
    const { status, body } = await take(browser).catch((error: Error) => ({ status: 0, body: error.message }))
    if (status !== 200 || !shows.test(body)) failed.push(name)
    const pictures = [...body.matchAll(/src="(\/pictures\/[^"]+)"/g)].slice(0, 2)
    for (const [, picture = ''] of pictures) {
      const shown = await browser.ask(plainText(picture))
      if (shown.status !== 200) failed.push(`a picture of ${name}`)
    }
  }
  return failed
}

/** What nobody may do, or what can't be done. */
async function beRefused(browser: FormBrowser): Promise<void> {
  const wrong = { password: WRONG_PASSWORD }
  const login = `/login?next=${encodeURIComponent(`/search?q=${QUERY}`)}`
  expect((await browser.fillIn(login, '/login', { username: QUERY, ...wrong })).status).toBe(403)
  expect((await browser.fillIn('/login', '/login', { username: 'grace', ...wrong })).status).toBe(403)
  for (const path of [`/${QUERY}`, `/pictures/thumbnail?u=https%3A%2F%2F${PICTURE_ADDRESS}.example%2F&s=${QUERY}`])
    expect((await browser.ask(path)).status).toBe(404)
  const noToken = new URLSearchParams({ text: QUERY, target: 'fr', _csrf: QUERY })
  expect([303, 403]).toContain((await browser.ask('/translate', noToken)).status)
  expect([303, 403]).toContain(
    (await browser.ask(`/read?q=${QUERY}&url=https%3A%2F%2F${QUERY}.example%2F&s=${QUERY}`)).status,
  )
}

/** Signs in. Returns the session. */
async function signIn(browser: FormBrowser, username: string, password: string): Promise<string> {
  const { status } = await browser.fillIn('/login', '/login', { username, password })
  expect(status).toBe(303)
  return browser.cookie('bowerbird_session') ?? ''
}

/** Opens every page that an administrator has, and uses every form in which something is typed. Returns the secrets. */
async function administer(browser: FormBrowser, url: string, isPublic: boolean): Promise<string[]> {
  const refused = []
  for (const { method, path } of PAGES.filter(({ path }) => !path.includes(':'))) {
    if (method === 'GET' && ![200, 303].includes((await browser.ask(path)).status)) refused.push(path)
  }
  const services = ['/admin/engines/own', '/admin/engines/own/add']
  // These need a site, texts of the operator's, a question and a signed link; programs can't be connected without https.
  // Services are added only while the site isn't public.
  expect(refused).toEqual([
    '/sites/rule',
    '/answer',
    '/read',
    '/imprint',
    '/privacy',
    '/oauth/authorize',
    ...(isPublic ? services : []),
  ])
  const { fillIn } = browser
  if (!isPublic) {
    const trial = '/admin/engines/own/try/karakeep'
    expect((await fillIn(trial, trial, { q: QUERY })).body).toMatch(new RegExp(`class="trial-hits"><li>.*${QUERY}`))
  }
  const preferences = { engines: ['engine_a', 'engine_b'], cards: 'on', suggestions: 'on', theme: 'dark' }
  expect(await fillIn('/settings/search', '/settings/search', preferences)).toMatchObject({ status: 303 })
  expect(await fillIn('/settings/search', '/settings/search/import', { code: QUERY })).toMatchObject({ status: 400 })
  expect(await fillIn('/settings/search', '/settings/search/reset')).toMatchObject({ status: 303 })
  expect((await fillIn('/mine', '/mine', { q: QUERY })).body).toMatch(new RegExp(`class="result.*${QUERY}`, 's'))
  // What a calibration holds is gone with it.
  const { location: grading } = await fillIn('/admin/ranking/new', '/admin/ranking', { queries: QUERY })
  const calibration = grading.replace('/grade', '')
  expect(await fillIn(grading, `${calibration}/search`)).toMatchObject({ status: 303, location: grading })
  expect((await browser.ask(grading)).body).toMatch(new RegExp(`class="result blind".*${QUERY}`, 's'))
  expect(await fillIn(calibration, `${calibration}/delete`)).toMatchObject({ status: 303 })
  for (const path of ['/admin/engines', '/admin/setup/engines']) {
    const tried = await fillIn(path, `${path}/try`, { engine: 'brave', q: QUERY })
    expect(tried.body).toMatch(new RegExp(`class="results trial-results">.*${QUERY}`, 's'))
  }
  const capped = await fillIn('/admin/engines', '/admin/engines', { engine: 'brave', calls: '1000000' })
  expect(capped).toMatchObject({ status: 303, location: '/admin/engines?engine=brave&done=saved#engine-brave' })
  const keySaved = await fillIn('/admin/engines', '/admin/engines/keys', { key: PROVIDER_KEY })
  expect(keySaved).toMatchObject({ status: 303, location: '/admin/engines#keys' })
  for (const path of ['/admin/instance', '/admin/setup/reach'])
    expect(await fillIn(path, path, { name: 'Plumage' })).toMatchObject({ status: 303 })
  const greeting = { welcome: 'Good morning' }
  expect(await fillIn('/admin/appearance', '/admin/appearance', greeting)).toMatchObject({ status: 303 })
  const feed = await useFeed(browser, url)
  for (const path of ['/settings/sites', '/admin/sites']) {
    // None of it is a site, a list or an address, so nothing is stored.
    expect(await fillIn(path, path, { site: QUERY })).toMatchObject({ status: 400 })
    expect(await fillIn(path, `${path}/import`, { text: QUERY })).toMatchObject({ status: 200 })
    expect(await fillIn(path, `${path}/subscribe`, { address: QUERY })).toMatchObject({ status: 400 })
  }
  expect((await fillIn('/admin/audit', '/admin/audit', { user: QUERY })).body).toContain(QUERY)

  const wrong = { present: WRONG_PASSWORD }
  const next = { password: NEXT_PASSWORD, repeat: NEXT_PASSWORD }
  const account = '/settings/account'
  expect(await fillIn(account, `${account}/password`, { ...wrong, ...next })).toMatchObject({ status: 403 })
  expect(await fillIn('/settings/confirm', '/settings/confirm', wrong)).toMatchObject({ status: 403 })
  const enrolment = await fillIn(`${account}/second-factor`, `${account}/second-factor`, { present: PASSWORD })
  expect(await fillIn(enrolment, `${account}/second-factor/confirm`, { code: '000000' })).toMatchObject({ status: 403 })
  expect(await fillIn('/settings/confirm', '/settings/confirm', { present: PASSWORD })).toMatchObject({ status: 303 })
  expect(await fillIn(`${account}/data`, `${account}/data/delete`, { username: QUERY })).toMatchObject({ status: 400 })
  expect((await fillIn(`${account}/data`, `${account}/data/download`)).body).toContain('"bowerbird": "account"')
  const newUser = await fillIn('/admin/users/new', '/admin/users/new', { username: 'lin' })
  await fillIn('/admin/users/new', '/admin/users/new', { username: 'printer', role: 'service' })
  const newKey = await fillIn('/admin/users/printer/manage', '/admin/users/printer/keys', { name: 'office' })
  const invitation = await fillIn('/admin/users/invitations', '/admin/users/invitations')
  return [
    PROVIDER_KEY,
    shownIn(enrolment),
    shownIn(newUser),
    shownIn(newKey),
    feed,
    await acceptInvitation(url, shownIn(invitation)),
    ...(await useKeys(browser, url)),
    browser.cookie('bowerbird_session') ?? '',
  ]
}

/** Makes a feed, and reads it as a feed reader does. Returns its secret. */
async function useFeed({ ask, fillIn }: FormBrowser, url: string): Promise<string> {
  const made = await fillIn(`/settings/feeds?q=${QUERY}&tab=news`, '/settings/feeds')
  const { pathname } = new URL(shownIn(made))
  const read = async (path: string) => await fetch(url + path, { headers: { 'x-forwarded-for': CLIENTS[1] } })
  expect(await (await read(pathname)).text()).toMatch(new RegExp(`<item>.*${QUERY}`, 's'))
  expect(await (await read(pathname.replace('.xml', '.json'))).text()).toContain(QUERY)
  expect((await read(`/feeds/${QUERY}.xml`)).status).toBe(404)
  expect((await ask('/settings/feeds')).body).toContain(QUERY)
  return pathname.replace(/^\/feeds\/|\.xml$/g, '')
}

/** Returns the token of the link. */
async function acceptInvitation(url: string, link: string): Promise<string> {
  const { pathname } = new URL(link)
  const person = openFormBrowser(url)
  const own = { username: 'mira', password: PASSWORD, repeat: PASSWORD }
  expect(await person.fillIn(pathname, pathname, own)).toMatchObject({ status: 303, location: '/' })
  return pathname.replace('/invitation/', '')
}

/** A secret that a page shows once, without the spaces that make it readable. */
const shownIn = ({ body }: BrowserReply): string =>
  (/class="copyable">.*?<code>([^<]+)</s.exec(body)?.[1] ?? '').replaceAll(' ', '')

const KEY = /bowerbird_\w+\.[\w-]+/

/** Creates, rotates and revokes keys, and connects a program. Returns the keys. */
async function useKeys({ ask, fillIn }: FormBrowser, url: string): Promise<string[]> {
  const keyOf = ({ status, body }: BrowserReply): string => {
    expect(status).toBe(200)
    return KEY.exec(body)?.[0] ?? ''
  }
  const made = keyOf(
    await fillIn('/settings/keys/new', '/settings/keys/new', { name: 'laptop', scopes: ['search', 'read'] }),
  )
  const [, rotate = ''] = /href="(\/settings\/keys\/\d+\/rotate)"/.exec((await ask('/settings/keys')).body) ?? []
  const rotated = keyOf(await fillIn(rotate, rotate))
  const revoke = rotate.replace('rotate', 'revoke')
  expect(await fillIn(revoke, revoke)).toMatchObject({ status: 303 })

  const program = keyOf(await fillIn('/settings/connect/claude-code', '/settings/connect/claude-code'))
  const callTool = async (name: string, args: object) => {
    const headers = {
      authorization: `Bearer ${program}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-forwarded-for': CLIENTS[0],
    }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
    return await (await fetch(`${url}/mcp`, { method: 'POST', headers, body })).text()
  }
  expect(await callTool('search', { query: QUERY })).toContain(QUERY)
  expect(await callTool('read', { url: `https://${QUERY}.example/` })).toContain('"isError":true')
  return [made, rotated, program]
}

/** Returns the secrets involved. */
async function useCommands(cluster: WatchedCluster): Promise<string[]> {
  const { api } = cluster.node(0)
  const wrong = mintKey(randomBytes).full
  const headers = { 'x-forwarded-for': CLIENTS[1] }
  expect((await api.get(`/api/v1/web/?q=${QUERY}`, { key: wrong, headers })).status).toBe(401)
  const key = await cluster.createKey()
  const rotated = (await cluster.command(['key', 'rotate', key]))['key'] ?? ''
  await cluster.command(['audit'])
  return [wrong, key, rotated]
}

/** With no provider left, pages say so. */
async function searchInVain({ ask, fillIn }: FormBrowser, { sandbox }: WatchedCluster): Promise<void> {
  const form = await ask('/translate')
  for (const slug of Object.keys(SANDBOX_KEYS)) sandbox.setFault(slug, { kind: 'status', status: 500 })
  const statuses = [
    (await ask(`/search?q=${QUERY}+in+vain`)).status,
    (await ask(`/search?q=${QUERY}+in+vain&tab=images`)).status,
    (await ask(`/maps?q=${QUERY}+in+vain`)).status,
    (await fillIn(form, '/translate#translation', { text: `${QUERY} in vain`, target: 'fr' })).status,
  ]
  expect(statuses).toEqual([503, 503, 503, 503])
}

describe.each(['public', 'users'])('with SITE_ACCESS=%s', (siteAccess) => {
  let cluster: WatchedCluster
  let secrets: string[]
  /** What was refused or failed. */
  let failed: { strangers: string[]; members: string[] }
  /** Forms in which something can be typed, and that nobody filled in. */
  let unused: string[]
  let cookies: string[]
  let stored: Map<string, string>

  beforeAll(async () => {
    cluster = await startWatchedCluster({
      SITE_ACCESS: siteAccess,
      SITE_SUGGESTIONS: 'all',
      INSTANCE_SECRET: 'a secret that is kept elsewhere, long enough',
      RESULT_ICONS: 'on',
      MINE: 'karakeep',
      API_THROTTLE_BURST: '100000/min',
      API_THROTTLE_SUSTAINED: '1000000/day',
    })
    await cluster.command(['user', 'create', 'grace', '--admin', '--password-stdin'], { input: `${PASSWORD}\n` })
    const { url } = cluster.node(0)
    const browsers = CLIENTS.map((address) => openFormBrowser(url, { 'x-forwarded-for': address }))
    const strangers = await Promise.all(browsers.map(search))
    for (const browser of browsers) await beRefused(browser)
    const [grace] = browsers as [FormBrowser, ...FormBrowser[]]
    const session = await signIn(grace, 'grace', PASSWORD)
    const members = await search(grace)
    const kept = await administer(grace, url, siteAccess === 'public')
    await searchInVain(grace, cluster)
    await grace.fillIn('/logout', '/logout')
    secrets = [PASSWORD, NEXT_PASSWORD, WRONG_PASSWORD, session, ...kept, ...(await useCommands(cluster))]
    failed = { strangers: [...new Set(strangers.flat())], members }
    const { seen, filledIn } = grace.typedForms()
    unused = [...seen].filter((action) => !filledIn.has(action))
    cookies = browsers.flatMap((browser) => browser.cookieNames())
    stored = await cluster.readStored()
  }, 300_000)
  afterAll(() => cluster?.close())

  it('every step works for those it should work for, and for nobody else', () => {
    const isPublic = siteAccess === 'public'
    expect(failed).toEqual({ strangers: isPublic ? [] : Object.keys(SEARCHING), members: [] })
    const log = stored.get('log') ?? ''
    for (const route of ['/pictures/:kind', '/feeds/:file', '/read', '/images/detail'])
      expect(log).toContain(`"route":"${route}","status":200`)
    expect(placesOf(stored, 'sign-in')).toContain('table audit_events')
    const counters = stored.get('Redis keys') ?? ''
    expect(counters.includes('site search network')).toBe(isPublic)
    expect(counters).toContain('site search user')
    expect(counters).toContain('bb:response:')
    // From an unknown key.
    expect(log).toMatch(/"route":"\/api\/v1\/web\/","status":401/)
  })

  it('every form in which something can be typed was filled in', () => {
    expect(unused).toEqual([])
  })

  it('no search, translation or typed text is stored anywhere', () => {
    expect(placesOf(stored, QUERY)).toEqual([])
    expect(hashedPlacesOf(stored, QUERY)).toEqual([])
  })

  it('no page that was read is stored anywhere, nor the address of a picture', () => {
    expect(placesOf(stored, PAGE_TEXT)).toEqual([])
    expect(placesOf(stored, PICTURE_ADDRESS)).toEqual([])
  })

  it('no client address is stored anywhere', () => {
    expect(WRITTEN_CLIENTS.flatMap((address) => placesOf(stored, address))).toEqual([])
  })

  it('no key, password or session is stored anywhere', () => {
    expect(secrets.length).toBe(17)
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThanOrEqual(12)
      expect(placesOf(stored, secret)).toEqual([])
      // Of a key, the part that is secret.
      expect(placesOf(stored, secret.slice(secret.indexOf('.') + 1))).toEqual([])
    }
  })

  it('the tables have exactly the declared columns', async () => {
    expect(await readColumns(cluster.databaseUrl)).toEqual(declared.columns.toSorted())
  })

  it('every key in Redis is declared', () => {
    expect(undeclaredIn(stored, declared).redisKeys).toEqual([])
  })

  it('every field of the log is declared', () => {
    expect(undeclaredIn(stored, declared).logFields).toEqual([])
  })

  it('every metric and label is declared', () => {
    expect(stored.get('metrics')?.split('\n').length).toBeGreaterThan(20)
    expect(undeclaredIn(stored, declared).metrics).toEqual([])
  })

  it('every cookie is declared', () => {
    expect(cookies).toContain('bowerbird_session')
    expect(cookies.filter((name) => !declared.cookies.includes(name))).toEqual([])
  })
})
