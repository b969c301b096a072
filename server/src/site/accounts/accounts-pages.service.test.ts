// Rules that every page about accounts keeps, run over the list of them.
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../../accounts/accounts.test-harness.ts'
import { createUser } from '../../accounts/users.ts'
import { createKey } from '../../keys/keys.ts'
import { LANGUAGES } from '../i18n/messages.ts'
import { textOf } from '../site.test-harness.ts'
import { PAGES } from '../site-router.ts'
import { setUpAccountsSite } from './accounts-site.test-harness.ts'

const accountsPages = PAGES.filter(({ path }) =>
  /^\/(?:login|logout|setup|settings\/(?:account|confirm|keys)|admin\/users)(?:\/|$)/.test(path),
)
// A download is no page.
const gets = accountsPages.filter(({ method, path }) => method === 'GET' && !path.endsWith('/export'))
const posts = accountsPages.filter(({ method }) => method === 'POST')

describe('every account page', () => {
  const stage = setUpAccountsSite()

  /** The path with something real in it. */
  async function pathFor(path: string, userId: string): Promise<string> {
    if (!path.includes(':')) return path
    if (path.includes(':passkeyId')) return path.replace(':passkeyId', await addPasskey(userId))
    const other = await stage.people.addUser()
    return path
      .replace(':keyId', path.includes(':keyId') ? await addKey(userId) : '')
      .replace(':username', other.username)
      .replace(':sessionId', (await stage.people.accounts.sessions.list(userId))[0]?.id ?? '')
  }

  const addKey = async (userId: string) => (await createKey(stage.people.access, { owner: { userId } })).key.id

  async function addPasskey(userId: string): Promise<string> {
    const { id } = await stage.people.access.db
      .insertInto('passkeys')
      .values({
        user_id: userId,
        credential_id: randomBytes(16),
        public_key: Buffer.alloc(8),
        counter: 0,
        transports: [],
        name: 'Telephone',
        created_at: new Date(stage.people.now),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  it('403: changes nothing without its own CSRF token', async () => {
    const { user, browser } = await stage.signedIn({ isAdmin: true })
    const other = await stage.signedIn()
    const foreign = /name="_csrf" value="([^"]+)"/.exec((await other.browser.get('/settings/account')).body)?.[1] ?? ''
    expect(foreign).not.toBe('')
    for (const page of posts) {
      const isForSignedOut = page.access === 'signed-out'
      const path = await pathFor(page.path, user.id)
      const before = await stage.storedText()
      for (const _csrf of ['', 'nonsense', foreign]) {
        const from = isForSignedOut ? stage.site.browser() : browser
        if (isForSignedOut) await from.get('/login')
        expect([path, (await from.post(path, { _csrf, present: 'x', password: 'x' })).statusCode]).toEqual([path, 403])
      }
      expect(await stage.storedText()).toBe(before)
    }
  })

  it('requires signing in, unless it is for signing in', async () => {
    const { user } = await stage.signedIn({ isAdmin: true })
    const stranger = stage.site.browser()
    await stranger.get('/login')
    for (const page of accountsPages.filter(({ access }) => access !== 'signed-out')) {
      const path = await pathFor(page.path, user.id)
      const reply = page.method === 'GET' ? await stranger.get(path) : await stranger.post(path, {})
      expect([path, reply.statusCode]).toEqual([path, page.isData ? 401 : 303])
      if (!page.isData) expect(reply.headers.location).toMatch(/^\/login/)
    }
  })

  it('403: administration is for administrators only', async () => {
    const { user, browser } = await stage.signedIn()
    const own = /name="_csrf" value="([^"]+)"/.exec((await browser.get('/settings/account')).body)?.[1] ?? ''
    const pages = accountsPages.filter(({ path }) => path.startsWith('/admin/'))
    expect(pages.length).toBeGreaterThan(5)
    for (const page of pages) {
      expect(page.access).toBe('admin')
      const path = await pathFor(page.path, user.id)
      const before = await stage.storedText()
      const reply = page.method === 'GET' ? await browser.get(path) : await browser.post(path, { _csrf: own })
      expect([path, reply.statusCode]).toEqual([path, 403])
      expect(await stage.storedText()).toBe(before)
    }
  })

  it('exists in every language', async () => {
    const { user, browser } = await stage.administrator()
    await addPasskey(user.id)
    for (const page of gets.filter(({ access }) => access !== 'signed-out')) {
      const path = await pathFor(page.path, user.id)
      const texts = new Set<string>()
      for (const locale of LANGUAGES) {
        const reply = await browser.get(path, { 'accept-language': locale })
        expect([path, locale, reply.statusCode]).toEqual([path, locale, 200])
        expect(reply.body).toContain(`<html lang="${locale}"`)
        expect(reply.body).not.toMatch(/undefined|\[object|\bNaN\b/)
        texts.add(textOf(reply.body))
      }
      expect([path, texts.size]).toEqual([path, LANGUAGES.length])
    }
  })

  it('changes nothing on GET', async () => {
    const { user, browser } = await stage.administrator()
    await addPasskey(user.id)
    for (const page of gets) {
      const path = await pathFor(page.path, user.id)
      const before = await stage.storedText()
      expect([path, (await browser.get(path)).statusCode]).toEqual([path, page.access === 'signed-out' ? 303 : 200])
      expect([path, await stage.storedText()]).toEqual([path, before])
    }
  })

  it('hides what is typed as a password, and lets password managers and the clipboard fill it in', async () => {
    const { user, browser } = await stage.administrator()
    await addPasskey(user.id)
    const bodies = [(await stage.site.browser().get('/login')).body]
    for (const page of gets.filter(({ access }) => access !== 'signed-out')) {
      bodies.push((await browser.get(await pathFor(page.path, user.id))).body)
    }
    const fields = bodies.flatMap((body) => body.match(/<input[^>]*>/g) ?? [])
    const ofPasswords = fields.filter((field) => /name="(?:\w*password|present|repeat)"/.test(field))
    expect(ofPasswords.length).toBeGreaterThan(5)
    for (const field of ofPasswords) {
      expect(field).toContain('type="password"')
      expect(field).toMatch(/autocomplete="(?:current|new)-password"/)
      expect(field).not.toMatch(/ value="[^"]|onpaste|readonly/)
    }
  })

  it('has a way to sign out', async () => {
    const { user, browser } = await stage.administrator()
    await addPasskey(user.id)
    for (const page of gets.filter(({ access }) => access !== 'signed-out')) {
      const path = await pathFor(page.path, user.id)
      expect([path, (await browser.get(path)).body.includes('href="/logout"')]).toEqual([path, true])
    }
  })

  it('reads the fields of its form and no others', async () => {
    const { user, browser } = await stage.signedIn()
    const other = await stage.people.addUser()
    const extra = { burst: '9999/s', sustained: '9999999/day', userId: other.id, user_id: other.id, id: '1' }
    const fields = { name: 'mine', expiry: 'never', scopes: 'maps' }
    expect((await browser.submit('/settings/keys/new', { ...fields, ...extra })).statusCode).toBe(200)
    const made = await stage.people.access.db.selectFrom('api_keys').selectAll().where('name', '=', 'mine').execute()
    expect(made).toMatchObject([{ user_id: user.id, burst: null, sustained: null, scopes: ['maps'] }])

    const passwords = { present: PASSWORD, password: 'another long one', repeat: 'another long one' }
    await browser.submit(
      '/settings/account/password',
      { ...passwords, isAdmin: 'on', is_admin: 'true' },
      '/settings/account',
    )
    const { db } = stage.people.access
    const after = await db.selectFrom('users').select(['id', 'is_admin']).where('id', '=', user.id).execute()
    expect(after).toEqual([{ id: user.id, is_admin: false }])
  })

  it('a key that reads links reads pages', async () => {
    const { browser } = await stage.signedIn()
    const fields = { name: 'reader', expiry: 'never', scopes: 'read_links' }
    expect((await browser.submit('/settings/keys/new', fields)).statusCode).toBe(200)
    const made = await stage.people.access.db.selectFrom('api_keys').selectAll().where('name', '=', 'reader').execute()
    expect(made).toMatchObject([{ scopes: ['read', 'read_links'] }])
  })

  it('survives nonsense in its URL and its form', async () => {
    const { browser } = await stage.signedIn({ isAdmin: true })
    const own = /name="_csrf" value="([^"]+)"/.exec((await browser.get('/settings/account')).body)?.[1] ?? ''
    const nonsense = ['%00', '..%2f..', '%27%20or%201=1', '9'.repeat(40), '%F0%9F%A6%9C', 'x'.repeat(90)]
    for (const page of accountsPages.filter(({ path, access }) => path.includes(':') && access !== 'signed-out')) {
      for (const text of nonsense) {
        const path = page.path.replace(/:\w+/, text)
        const reply = page.method === 'GET' ? await browser.get(path) : await browser.post(path, { _csrf: own })
        expect([path, reply.statusCode < 500]).toEqual([path, true])
      }
    }
    for (const query of ['after=%00', 'after=-1', 'after=a&after=b', 'done=%3Cscript%3E', 'next=%00&next=x']) {
      for (const path of ['/settings/keys', '/admin/users', '/settings/account']) {
        expect([path, query, (await browser.get(`${path}?${query}`)).statusCode]).toEqual([path, query, 200])
      }
    }
  })
})

describe('the set-up page', () => {
  const stage = setUpAccountsSite()
  const FIELDS = { username: 'Lena', password: 'correct horse', repeat: 'correct horse' }

  it('replaces the sign-in page, asks for the printed token, and creates an administrator who is then signed in', async () => {
    const { firstRun } = stage.people.accounts
    const token = (await firstRun.issueToken()) ?? ''
    const browser = stage.site.browser()
    expect((await browser.get('/login')).headers.location).toBe('/setup')
    const page = await browser.get(`/setup?token=${token}`)
    expect([page.statusCode, page.headers['cache-control']]).toEqual([200, 'no-store'])
    // The link brought the token along, and there is no account yet to sign in with.
    expect(page.body).toContain(`<input type="hidden" name="token" value="${token}">`)
    expect(page.body).not.toContain('href="/login"')
    expect(textOf(page.body)).toContain('Username Password At least 10 characters')
    expect((await browser.get('/setup')).body).toContain('name="token" type="text"')

    const wrong = await browser.submit('/setup', { ...FIELDS, token: 'nonsense' })
    expect([wrong.statusCode, wrong.body.includes('This setup token is not valid')]).toEqual([400, true])
    expect(wrong.body).toContain('name="token" type="text" value="nonsense"')
    const short = await browser.submit('/setup', { token, username: '!', password: 'short', repeat: 'short' })
    expect(short.body.match(/class="error"/g)).toHaveLength(2)
    expect(short.body).not.toContain('value="short"')

    const reply = await browser.submit('/setup', { ...FIELDS, token: ` ${token} ` })
    expect([reply.statusCode, reply.headers.location]).toEqual([303, '/admin/setup/reach'])
    const next = await browser.get('/admin/setup/reach')
    expect(next.body).toContain('How do people reach it?')
    expect(textOf(next.body)).toContain('Account lena')
    // The password was typed a moment ago, so the next steps don't ask for it.
    for (const path of ['/settings/keys/new', '/admin/users/new'])
      expect([path, (await browser.get(path)).statusCode]).toEqual([path, 200])
    const account = await browser.get('/settings/account')
    expect(account.body).toContain('Signed in as lena. You are an administrator of this instance.')
    expect((await browser.get('/admin/users')).statusCode).toBe(200)
  })

  it('is gone once there is a user, even with a valid token', async () => {
    const browser = stage.site.browser()
    expect((await browser.get('/setup')).headers.location).toBe('/login')
    const token = Buffer.alloc(32).toString('base64url')
    const reply = await browser.submit('/setup', { ...FIELDS, username: 'mallory', token }, '/login')
    expect(reply.headers.location).toBe('/login')
    await expect(
      createUser(stage.people.access, { username: 'mallory', password: FIELDS.password }),
    ).resolves.toMatchObject({ username: 'mallory' })
  })
})
