// Walks every page of the website, as the router lists them, and tries each guard that pages declare: who may see it,
// the form's token, confirming one's identity, a second factor that is due, the size and type of a form, and the
// searcher's limits. A new page is walked without a line here; one with fewer guards has to be named below.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashPassword } from '../../src/accounts/passwords.ts'
import { createService, createUser } from '../../src/accounts/users.ts'
import { announceUserChange } from '../../src/keys/key-changes.ts'
import { createKey } from '../../src/keys/keys.ts'
import type { Quota } from '../../src/rate-limit/searcher-limits.ts'
import { createCalibrationStore } from '../../src/search/calibration/calibration-store.ts'
import type { Page } from '../../src/site/http/page.ts'
import { LANGUAGES } from '../../src/site/i18n/messages.ts'
import { PAGES } from '../../src/site/site.test-harness.ts'
import { openFormBrowser } from '../support/form-browser.ts'
import { CLIENT, startIdentityProvider, type TestProvider } from '../support/identity-provider.ts'
import { authorizePath, createPkce, registerClient } from '../support/oauth-walk.ts'
import { readTables } from '../support/stored-data.ts'
import { type SurfaceReply, send } from '../support/surface-request.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

/** Pages for everyone: documentation, and what checks a signature or a token of its own. */
const OPEN_PAGES = [
  '/docs',
  '/docs/api/:name',
  '/docs/connect',
  '/imprint',
  '/privacy',
  '/llms.txt',
  '/opensearch.xml',
  '/pictures/:kind',
  '/feeds/:file',
  '/suggest',
  '/callback/:provider',
]

/** Pages that visitors of a public site may open and that count against no limit: they ask no provider and are cheap. */
const UNMETERED = [
  ...OPEN_PAGES.filter((path) => path !== '/pictures/:kind' && path !== '/suggest'),
  'GET /',
  'GET /translate',
  'GET /settings/search',
  'POST /settings/search',
  'POST /settings/search/import',
  'POST /settings/search/reset',
  'GET /search/operators',
  'GET /tools',
  'GET /tools/timer',
  'GET /tools/qr-code',
  '/sites/rule',
  '/settings/sites',
  '/settings/sites/remove',
  '/settings/sites/export',
  '/settings/sites/subscribe',
  '/settings/sites/unsubscribe',
]

/**
 * Forms of signed-in users that don't ask who they are again: because the form itself asks for the password or a code,
 * or because they give nothing away and can be undone.
 */
const WITHOUT_STEP_UP = [
  '/logout',
  '/settings/confirm',
  '/settings/confirm/passkey',
  '/settings/confirm/passkey/options',
  '/settings/confirm/with/:provider',
  '/settings/account/password',
  '/settings/account/second-factor',
  '/settings/account/second-factor/confirm',
  '/settings/account/second-factor/off',
  '/settings/account/recovery-codes',
  '/settings/account/passkeys/:passkeyId/rename',
  '/settings/account/passkeys/:passkeyId/remove',
  '/settings/keys/new',
  '/settings/keys/:keyId/rotate',
  '/settings/keys/:keyId/revoke',
  '/settings/keys/:keyId/sites',
  '/settings/keys/:keyId/sites/remove',
  '/settings/keys/:keyId/sites/import',
  '/settings/keys/:keyId/sites/subscribe',
  '/settings/keys/:keyId/sites/unsubscribe',
  '/settings/connect/:program',
  '/settings/feeds',
  '/settings/feeds/:feedId/remove',
  '/admin/engines/try',
  '/admin/ranking',
  '/admin/ranking/:calibrationId/back',
  '/admin/ranking/:calibrationId/delete',
  '/admin/ranking/:calibrationId/grade',
  '/admin/ranking/:calibrationId/search',
  '/admin/ranking/:calibrationId/skip',
  '/admin/setup/engines/try',
]

/** Pages that others send the browser to, which only send it on: `oauth.test.ts` and `oidc.test.ts` have what they do. */
const ON_THE_WAY = ['/oauth/authorize', '/oauth/authorize/:requestId', '/callback/:provider']

const PASSWORD = 'correct horse battery'
const COOKIE = '__Host-bowerbird_session'

interface Person {
  userId: string
  cookie: string
  /** For the forms of this browser. */
  token: string
}

let server: TestInstance
let provider: TestProvider
let admin: Person
let member: Person
let visitor: Person
/** An administrator who has yet to set up a second factor. */
let newcomer: Person
/** Values for the `:name` of a path that belong to the administrator. */
let own: Record<string, string>

beforeAll(async () => {
  provider = await startIdentityProvider(['https://search.example.org/callback/oidc'], 'https://search.example.org/')
  server = await startTestInstance({
    MINE: 'karakeep',
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    // Passkeys need it.
    PUBLIC_URL: 'https://search.example.org',
    REQUIRE_SECOND_FACTOR: 'admins',
    API_THROTTLE_BURST: '20/h',
  })
  const login = openFormBrowser(server.url)
  await login.ask('/login')
  visitor = { userId: '', ...(await tokenAt('/login', cookieOf(login))) }
  member = await signIn('linus', false)
  newcomer = await signIn('barbara', true)
  admin = await signIn('grace', true)
  const passkeyId = await addPasskey(admin.userId)
  await forget(admin)
  admin = { ...admin, ...(await tokenAt('/settings/account', admin.cookie)) }
  const { access, accounts } = server.instance.services
  const { key } = await createKey(access, { owner: { userId: admin.userId } })
  const [session] = await accounts.sessions.list(admin.userId)
  own = {
    ':keyId': key.id,
    ':passkeyId': passkeyId,
    ':sessionId': session?.id ?? '',
    ':username': 'linus',
    ':token': 'x',
    ':id': '1',
    ':provider': 'oidc',
    ':program': 'claude-code',
    ':engine': 'karakeep',
    ':name': 'web_search',
    ':kind': 'icon',
    ':version': '000000000000',
    ':slug': 'karakeep',
    ':feedId': '1',
    ':file': 'x.xml',
    ':requestId': await askForConsent(),
    ':calibrationId':
      (await createCalibrationStore(access.db).create({ tab: 'web', lang: '', queries: ['lamps', 'tides'] })) ?? '',
  }
})
afterAll(async () => {
  await server?.close()
  await provider?.close()
})

const cookieOf = (browser: ReturnType<typeof openFormBrowser>): string =>
  browser
    .cookieNames()
    .map((name) => `${name}=${browser.cookie(name)}`)
    .join('; ')

async function tokenAt(path: string, cookie: string): Promise<Pick<Person, 'cookie' | 'token'>> {
  const { body } = await send(server.url, { method: 'GET', path, headers: { cookie } })
  const token = /name="_csrf" value="([^"]+)"/.exec(body)?.[1] ?? expect.unreachable(`${path} has no form`)
  return { cookie, token }
}

async function signIn(username: string, isAdmin: boolean): Promise<Person> {
  const { id } = await createUser(server.instance.services.access, { username, password: PASSWORD, isAdmin })
  const browser = openFormBrowser(server.url)
  await browser.submit('/login', [
    ['username', username],
    ['password', PASSWORD],
  ])
  expect([username, browser.cookie(COOKIE)]).toEqual([username, expect.stringMatching(/.{20}/)])
  const cookie = `${COOKIE}=${browser.cookie(COOKIE)}`
  return { userId: id, ...(await tokenAt('/settings/account/second-factor', cookie)) }
}

async function addPasskey(userId: string): Promise<string> {
  const { id } = await server.instance.services.access.db
    .insertInto('passkeys')
    .values({
      user_id: userId,
      credential_id: randomBytes(16),
      public_key: Buffer.alloc(8),
      counter: 0,
      transports: [],
      name: 'Telephone',
      created_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** As a program that someone connects does. */
async function askForConsent(): Promise<string> {
  const { oauth } = server.instance.services
  const client = await registerClient(server.url)
  const step = await oauth?.authorize(authorizePath(client, createPkce()).split('?')[1] ?? '')
  return step && 'location' in step ? step.location.replace(/^.*\//, '') : expect.unreachable('no page for consent')
}

/** Makes the instance look the person's session up again. */
async function forget({ userId }: Person): Promise<void> {
  announceUserChange(server.instance.services.access.changes, userId)
}

async function confirm(person: Person, confirmedAt: Date | null): Promise<void> {
  const { db } = server.instance.services.access
  await db.updateTable('sessions').set({ confirmed_at: confirmedAt }).where('user_id', '=', person.userId).execute()
  await forget(person)
}

const pathOf = (page: Page): string => page.path.replace(/:\w+/g, (name) => own[name] ?? expect.unreachable(name))
const nameOf = ({ method, path }: Page): string => `${method} ${path}`

interface Asking {
  token?: string
  headers?: Record<string, string>
}

/** Opens the page, or submits its form with the person's own token. */
function open(page: Page, person: Person, { token = person.token, headers = {} }: Asking = {}): Promise<SurfaceReply> {
  const path = pathOf(page)
  const cookie = { cookie: person.cookie }
  if (page.method === 'GET') return send(server.url, { method: 'GET', path, headers: { ...cookie, ...headers } })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams({ _csrf: token }).toString()
  return send(server.url, { method: 'POST', path, headers: { ...cookie, ...form, ...headers }, body })
}

/** Opens every page in turn; returns those that don't reply as they should. */
async function unlike(
  expected: RegExp,
  pages: readonly Page[],
  reply: (page: Page) => Promise<SurfaceReply>,
): Promise<string[]> {
  expect(pages.length).toBeGreaterThan(0)
  const wrong: string[] = []
  for (const page of pages) {
    const { status, code, location } = await reply(page)
    const outcome = `${status} ${location || code}`
    if (!expected.test(outcome)) wrong.push(`${nameOf(page)}: ${outcome}`)
  }
  return wrong
}

const gets = PAGES.filter(({ method }) => method === 'GET')
const posts = PAGES.filter(({ method }) => method === 'POST')
const personOf = ({ access }: Page): Person => (access === 'signed-out' ? visitor : admin)
/** Each page's own reply to `page.isData`: a bare status for programs. */
const forPeople = (pages: readonly Page[]) => pages.filter(({ isData }) => !isData)
const forPrograms = (pages: readonly Page[]) => pages.filter(({ isData }) => isData)

describe('the list of pages', () => {
  it('is what the router has, with the declared access and limit', () => {
    const mounted = server.instance.surfaces.map(
      ({ method, url, access, quota }) => `${method} ${url} ${access} ${quota}`,
    )
    const missing = PAGES.filter(
      ({ method, path, access, quota }) => !mounted.includes(`${method} ${path} ${access} ${quota}`),
    )
    expect(missing.map(nameOf)).toEqual([])
    expect(PAGES.length).toBeGreaterThan(80)
  })

  it('names every page that is for everyone', () => {
    const open = PAGES.filter(({ access }) => access === 'anyone').map(({ path }) => path)
    expect(open.filter((path) => !OPEN_PAGES.includes(path))).toEqual([])
  })

  it('names every page that visitors of a public site may open without a limit', () => {
    const free = PAGES.filter(({ access, quota }) => (access === 'anyone' || access === 'searcher') && !quota)
    expect(
      free.filter((page) => !UNMETERED.includes(nameOf(page)) && !UNMETERED.includes(page.path)).map(nameOf),
    ).toEqual([])
  })

  it('names every form that changes something and doesn’t ask who it is again', () => {
    const free = posts.filter(({ access, stepUp }) => (access === 'user' || access === 'admin') && stepUp === undefined)
    expect(free.map(({ path }) => path).filter((path) => !WITHOUT_STEP_UP.includes(path))).toEqual([])
  })
})

describe('every page', () => {
  const needsAccount = PAGES.filter(({ access }) => access !== 'anyone' && access !== 'signed-out')

  it('303, 401: is for people who are signed in, unless it is for everyone or for signing in', async () => {
    expect(await unlike(/^303 \/login(?:\?next=|$)/, forPeople(needsAccount), (page) => open(page, visitor))).toEqual(
      [],
    )
    expect(await unlike(/^401 sign_in_required$/, forPrograms(needsAccount), (page) => open(page, visitor))).toEqual([])
  })

  it('303: for signing in is for those who are not', async () => {
    const pages = PAGES.filter(({ access }) => access === 'signed-out')
    expect(await unlike(/^303 \/$/, pages, (page) => open(page, member))).toEqual([])
  })

  it('403: of administration is for administrators', async () => {
    const pages = PAGES.filter(({ access }) => access === 'admin')
    expect(pages.length).toBeGreaterThan(10)
    expect(PAGES.filter(({ path, access }) => path.startsWith('/admin') && access !== 'admin')).toEqual([])
    expect(await unlike(/^403 admin_required$/, pages, (page) => open(page, member))).toEqual([])
  })

  it('303, 403: waits until a second factor that is due has been set up', async () => {
    const pages = needsAccount.filter(({ duringEnrolment }) => !duringEnrolment)
    const redirected = /^303 \/settings\/account\/second-factor$/
    expect(await unlike(redirected, forPeople(pages), (page) => open(page, newcomer))).toEqual([])
    const refused = /^403 second_factor_required$/
    expect(await unlike(refused, forPrograms(pages), (page) => open(page, newcomer))).toEqual([])
  })

  it('200: opens for an administrator, and looking changes nothing', async () => {
    await confirm(admin, new Date())
    const stored = async () => {
      const tables = await readTables(server.databaseUrl)
      // When a session was last seen, and what providers do meanwhile.
      return tables.filter(([name]) => !/sessions|provider_|contributions|usage_/.test(name))
    }
    const before = await stored()
    const needAccount = gets.filter(({ access }) => access === 'user' || access === 'admin')
    const pages = needAccount.filter(({ path }) => !ON_THE_WAY.includes(path))
    expect(await unlike(/^200 /, pages, (page) => open(page, admin))).toEqual([])
    const others = gets.filter((page) => !pages.includes(page))
    // A search without a query, a picture without a signature: all kinds of replies, but no failure.
    expect(await unlike(/^[234]\d\d /, others, (page) => open(page, admin))).toEqual([])
    expect(await stored()).toEqual(before)
  })

  it('200: is whole in every language, has a way to sign out, and hides passwords but lets managers fill them in', async () => {
    await confirm(admin, new Date())
    const faults: string[] = []
    for (const page of gets.filter(({ access }) => access === 'user' || access === 'admin')) {
      for (const locale of LANGUAGES) {
        const { body } = await open(page, admin, { headers: { 'accept-language': locale } })
        if (!body.startsWith('<!doctype html>')) continue
        const isWhole = body.includes(`<html lang="${locale}"`) && body.includes('href="/logout"')
        if (!isWhole || /undefined|\[object|\bNaN\b/.test(body)) faults.push(`${nameOf(page)} in ${locale}`)
        const fields = body.match(/<input[^>]* name="(?:\w*password|present|repeat)"[^>]*>/g) ?? []
        const managed = /type="password"[^>]* autocomplete="(?:current|new)-password"/
        faults.push(...fields.filter((field) => !managed.test(field) || /onpaste|readonly| value="[^"]/.test(field)))
      }
    }
    expect(faults).toEqual([])
  })

  it('has no failure for nonsense in its path', async () => {
    await confirm(admin, new Date())
    const pages = PAGES.filter(({ path }) => path.includes(':'))
    for (const text of ['%00', '..%2f..', '%27%20or%201=1', '9'.repeat(40), '%F0%9F%A6%9C', 'x'.repeat(90)]) {
      const path = (page: Page) => page.path.replace(/:\w+/, text)
      const reply = (page: Page) => open({ ...page, path: path(page) }, personOf(page))
      expect(await unlike(/^[234]\d\d /, pages, reply), text).toEqual([])
    }
  })

  it('429: with a limit is refused over it', async () => {
    await confirm(admin, new Date())
    const { consume } = server.instance.services.website.frame.limits
    const quotas = Map.groupBy(
      PAGES.filter(({ quota }) => quota),
      ({ quota }) => quota as Quota,
    )
    expect([...quotas.keys()].sort()).toEqual(['picture', 'search', 'status', 'suggestion'])
    const spendAll = async (quota: Quota): Promise<void> => {
      while ((await consume(`user ${admin.userId}`, quota)) === 0);
    }
    const queries: Record<string, string> = {
      '/search': '?q=tides',
      '/mine': '?q=tides',
      '/maps': '?q=tides',
      '/suggest': '?q=tides',
      '/answer': '?q=tides',
    }
    for (const [quota, pages] of quotas) {
      await spendAll(quota)
      const reply = (page: Page) => open({ ...page, path: page.path + (queries[page.path] ?? '') }, admin)
      expect([quota, await unlike(/^429 rate_limited$/, pages, reply)]).toEqual([quota, []])
    }
  })
})

describe('a service', () => {
  it('403: does not sign in, even with a password that somebody has given it', async () => {
    const { access } = server.instance.services
    const { id } = await createService(access, 'printer')
    await access.db
      .updateTable('users')
      .set({ password_hash: await hashPassword(PASSWORD, 'printer', access.passwordCost) })
      .where('id', '=', id)
      .execute()
    const browser = openFormBrowser(server.url)
    const reply = await browser.submit('/login', [
      ['username', 'printer'],
      ['password', PASSWORD],
    ])
    expect([reply.status, browser.cookie(COOKIE)]).toEqual([403, undefined])
  })

  it('404: has keys that administrators make and revoke; those of people are theirs alone', async () => {
    await confirm(admin, new Date())
    const pages = posts.filter(({ path }) => path.startsWith('/admin/users/:username/keys'))
    expect(pages.length).toBe(2)
    expect(await unlike(/^404 /, pages, (page) => open(page, admin))).toEqual([])
  })
})

describe('every form', () => {
  it('403: is refused without its token, with another browser’s, and from another site', async () => {
    await confirm(admin, new Date())
    const before = await readTables(server.databaseUrl)
    const forged: Asking[] = [
      { token: '' },
      { token: 'nonsense' },
      { token: member.token },
      { headers: { 'sec-fetch-site': 'cross-site' } },
      { headers: { 'sec-fetch-site': 'same-site' } },
    ]
    for (const asking of forged) {
      expect(await unlike(/^403 form_expired$/, posts, (page) => open(page, personOf(page), asking))).toEqual([])
    }
    const changed = (await readTables(server.databaseUrl)).filter(([name, rows]) => {
      const [, known] = before.find(([other]) => other === name) ?? []
      return rows !== known && !/sessions|provider_|usage_/.test(name)
    })
    expect(changed.map(([name]) => name)).toEqual([])
  })

  it('303: that is sensitive asks who it is again', async () => {
    await confirm(admin, null)
    const pages = PAGES.filter(({ stepUp }) => stepUp !== undefined)
    expect(pages.length).toBeGreaterThan(8)
    expect(await unlike(/^303 \/settings\/confirm\?next=/, pages, (page) => open(page, admin))).toEqual([])
    await confirm(admin, new Date(Date.now() - 11 * 60_000))
    expect(await unlike(/^303 \/settings\/confirm\?next=/, pages, (page) => open(page, admin))).toEqual([])
  })

  it('413: is refused over its size, declared or not', async () => {
    const sizeOf = ({ path }: Page): number =>
      server.instance.surfaces.find(({ method, url }) => method === 'POST' && url === path)?.maxBodyBytes ?? 0
    expect(Math.max(...posts.map(sizeOf))).toBeLessThanOrEqual(262_144)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const tooLong = (how: 'declaredBytes' | 'undeclaredBytes') => (page: Page) =>
      send(server.url, { method: 'POST', path: pathOf(page), headers, [how]: sizeOf(page) + 1 })
    expect(await unlike(/^413 body_too_large$/, posts, tooLong('declaredBytes'))).toEqual([])
    expect(await unlike(/^413 body_too_large$/, posts, tooLong('undeclaredBytes'))).toEqual([])
  })

  it('415: takes a form and nothing else, and a file only if it asks for one', async () => {
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
      const others = posts.filter(({ takesFiles }) => !(takesFiles && type.startsWith('multipart/')))
      const reply = (page: Page) => open(page, personOf(page), { headers: { 'content-type': type } })
      expect(await unlike(/^415 content_type_unsupported$/, others, reply)).toEqual([])
    }
    expect(posts.filter(({ takesFiles }) => takesFiles).map(({ path }) => path)).toEqual(['/admin/appearance'])
  })

  it('429: that anyone can send without an account can’t be sent for ever', async () => {
    const pages = posts.filter(({ access }) => access === 'signed-out')
    const outcomes = new Map<string, string>()
    for (const page of pages) {
      const password = { password: 'not the right one', repeat: 'not the right one' }
      const body = new URLSearchParams({
        _csrf: visitor.token,
        username: 'grace',
        ...password,
        code: '123456',
        token: 'x',
      })
      const headers = { cookie: visitor.cookie, 'content-type': 'application/x-www-form-urlencoded' }
      for (let attempt = 0; attempt < 40; attempt++) {
        const reply = await send(server.url, { method: 'POST', path: pathOf(page), headers, body: body.toString() })
        outcomes.set(nameOf(page), `${reply.status} ${reply.location}`.trim())
        // Without an earlier step, or once set up, it does nothing.
        if (reply.status === 303 || reply.status === 429) break
      }
    }
    expect(Object.fromEntries(outcomes)).toEqual({
      'POST /login': '429',
      'POST /login/passkey/options': '429',
      'POST /login/passkey': '429',
      'POST /login/code': expect.stringMatching(/^303 \/login/),
      'POST /login/code/passkey/options': '403',
      'POST /login/code/passkey': expect.stringMatching(/^303 \/login/),
      'POST /login/password': expect.stringMatching(/^303 \/login/),
      'POST /setup': expect.stringMatching(/^303 \//),
      'POST /login/with/:provider': '429',
      'POST /invitation/:token': '429',
      'POST /invitation/:token/with/:provider': '429',
    })
  })
})
