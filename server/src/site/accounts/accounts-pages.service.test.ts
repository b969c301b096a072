// What forms of accounts read, and the first one of all. What every page keeps is in `spec/every-page.test.ts`.
import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../../accounts/accounts.test-harness.ts'
import { createUser } from '../../accounts/users.ts'
import { setUpAccountsSite } from './accounts-site.test-harness.ts'

describe('a form of an account', () => {
  const stage = setUpAccountsSite()

  it('reads the fields of its form and no others', async () => {
    const { user, browser } = await stage.signedIn()
    const other = await stage.people.addUser()
    const extra = { burst: '9999/s', sustained: '9999999/day', userId: other.id, user_id: other.id, id: '1' }
    const fields = { name: 'mine', expiry: 'never', scopes: 'maps' }
    expect((await browser.submit('/settings/keys/new', { ...fields, ...extra })).status).toBe(200)
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
    expect((await browser.submit('/settings/keys/new', fields)).status).toBe(200)
    const made = await stage.people.access.db.selectFrom('api_keys').selectAll().where('name', '=', 'reader').execute()
    expect(made).toMatchObject([{ scopes: ['read', 'read_links'] }])
  })
})

describe('the set-up page', () => {
  const stage = setUpAccountsSite()
  const FIELDS = { username: 'Lena', password: 'correct horse', repeat: 'correct horse' }

  it('replaces the sign-in page, asks for the printed token, and creates an administrator who is then signed in', async () => {
    const { firstRun } = stage.people.accounts
    const token = (await firstRun.issueToken()) ?? ''
    const browser = stage.site.browser()
    expect((await browser.get('/login')).location).toBe('/setup')
    const page = await browser.get(`/setup?token=${token}`)
    expect(page).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    // The link brought the token along, and there is no account yet to sign in with.
    expect(page.body).toContain(`<input type="hidden" name="token" value="${token}">`)
    expect(page.body).not.toContain('href="/login"')
    expect(page.text).toContain('Username Password At least 10 characters')
    expect((await browser.get('/setup')).body).toContain('name="token" type="text"')

    const wrong = await browser.submit('/setup', { ...FIELDS, token: 'nonsense' })
    expect(wrong.status).toBe(400)
    expect(wrong.body).toContain('This setup token is not valid')
    expect(wrong.body).toContain('name="token" type="text" value="nonsense"')
    const short = await browser.submit('/setup', { token, username: '!', password: 'short', repeat: 'short' })
    expect(short.body.match(/class="error"/g)).toHaveLength(2)
    expect(short.body).not.toContain('value="short"')

    const reply = await browser.submit('/setup', { ...FIELDS, token: ` ${token} ` })
    expect(reply).toMatchObject({ status: 303, location: '/admin/setup/reach' })
    const next = await browser.get('/admin/setup/reach')
    expect(next.body).toContain('How do people reach it?')
    expect(next.text).toContain('Account lena')
    // The password was typed a moment ago, so the next steps don't ask for it.
    for (const path of ['/settings/keys/new', '/admin/users/new'])
      expect((await browser.get(path)).status, path).toBe(200)
    const account = await browser.get('/settings/account')
    expect(account.body).toContain('Signed in as lena. You are an administrator of this instance.')
    expect((await browser.get('/admin/users')).status).toBe(200)
  })

  it('is gone once there is a user, even with a valid token', async () => {
    const browser = stage.site.browser()
    expect((await browser.get('/setup')).location).toBe('/login')
    const token = Buffer.alloc(32).toString('base64url')
    const reply = await browser.submit('/setup', { ...FIELDS, username: 'mallory', token }, '/login')
    expect(reply.location).toBe('/login')
    await expect(
      createUser(stage.people.access, { username: 'mallory', password: FIELDS.password }),
    ).resolves.toMatchObject({ username: 'mallory' })
  })
})
