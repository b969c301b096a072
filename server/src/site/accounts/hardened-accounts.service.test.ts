// What a security review found, told as an attacker would try it over the pages.
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../../accounts/accounts.test-harness.ts'
import { resetPassword } from '../../accounts/users.ts'
import type { Browser } from '../site.test-harness.ts'
import { setUpAccountsSite } from './accounts-site.test-harness.ts'

const DAY_MS = 86_400_000

describe('who knows the password and not the code', () => {
  const stage = setUpAccountsSite()

  /** A browser that has shown the password and is asked for the code. */
  async function atTheCode(username: string, address: string): Promise<Browser> {
    const browser = stage.site.browser(undefined, address)
    expect((await stage.signInWith(browser, username)).headers.location).toBe('/login/code')
    return browser
  }

  async function guessCodes(username: string, address: string): Promise<number[]> {
    const statuses: number[] = []
    for (let n = 0; n < 3; n++) {
      const browser = await atTheCode(username, address)
      for (let guess = 0; guess < 4; guess++) {
        statuses.push((await browser.submit('/login/code', { code: '000000' })).statusCode)
      }
    }
    return statuses
  }

  it('waits, and does not lock the owner out elsewhere', async () => {
    const user = await stage.people.addUser()
    const { secret } = await stage.people.enrol(user)
    expect(await guessCodes(user.username, '198.51.100.9')).toContain(429)
    const owner = await atTheCode(user.username, '203.0.113.5')
    const reply = await owner.submit('/login/code', { code: stage.people.codeFor(secret) })
    expect([reply.statusCode, reply.headers.location]).toEqual([303, '/'])
  })

  it('does not lock out a recovery code, not even from the same network', async () => {
    const user = await stage.people.addUser()
    const { recoveryCodes } = await stage.people.enrol(user)
    expect(await guessCodes(user.username, '198.51.100.9')).toContain(429)
    const owner = await atTheCode(user.username, '198.51.100.9')
    const reply = await owner.submit('/login/code', { code: recoveryCodes[0] ?? '' })
    expect([reply.statusCode, reply.headers.location]).toEqual([303, '/'])
  })
})

describe('a password that an administrator has made', () => {
  const stage = setUpAccountsSite()

  it('cannot be tried as the new one again and again at once', async () => {
    const { username } = await stage.people.addUser()
    const { password } = await resetPassword(stage.people.access, username, { withSecondFactor: false })
    const browser = stage.site.browser()
    await stage.signInWith(browser, username, password)
    const _csrf = /name="_csrf" value="([^"]+)"/.exec((await browser.get('/login/password')).body)?.[1] ?? ''
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => browser.post('/login/password', { _csrf, password, repeat: password })),
    )
    // 400 is the answer of whoever has compared the two, which is what costs.
    expect(replies.filter(({ statusCode }) => statusCode === 400).length).toBeLessThanOrEqual(5)
  })

  it('opens nothing after seven days', async () => {
    const { username } = await stage.people.addUser()
    const { password } = await resetPassword(stage.people.access, username, { withSecondFactor: false })
    stage.people.now += 7 * DAY_MS - 1_000
    expect((await stage.signInWith(stage.site.browser(), username, password)).headers.location).toBe('/login/password')
    stage.people.now += 1_000
    const late = await stage.signInWith(stage.site.browser(), username, password)
    expect([late.statusCode, late.body.includes('has expired')]).toEqual([403, true])
  })
})

describe('a session', () => {
  const stage = setUpAccountsSite({ publicUrl: 'https://site.test' })
  const isIn = async (browser: Browser) => (await browser.get('/settings/account')).statusCode === 200

  it('ends 90 days after the sign-in, however often it is used', async () => {
    const { browser } = await stage.signedIn()
    for (let day = 0; day < 80; day += 20) {
      stage.people.now += 20 * DAY_MS
      expect(await isIn(browser)).toBe(true)
    }
    stage.people.now += 10 * DAY_MS
    expect(await isIn(browser)).toBe(false)
  })

  it('leaves nothing behind in the browser: settings are not stored, and a sign-out clears', async () => {
    const { browser } = await stage.signedIn({ isAdmin: true })
    for (const path of ['/settings/account', '/settings/keys', '/admin/users', '/settings/account/second-factor']) {
      expect([path, (await browser.get(path)).headers['cache-control']]).toEqual([path, 'no-store'])
    }
    const reply = await browser.submit('/logout', {}, '/settings/account')
    expect(reply.headers['clear-site-data']).toBe('"cache", "storage"')
  })

  it('that is forged costs no statement', async () => {
    const { browser } = await stage.signedIn()
    let asked = 0
    const { find } = stage.people.accounts.sessions
    const database = stage.people.database
    const query = database.query.bind(database)
    database.query = (statement, values) => {
      asked++
      return query(statement, values)
    }
    for (let n = 0; n < 300; n++) expect(await find(randomBytes(32).toString('base64url'))).toBeUndefined()
    expect(asked).toBe(0)
    stage.people.now += 10_000
    expect(await isIn(browser)).toBe(true)
    database.query = query
  })
})

describe('the preferences', () => {
  const stage = setUpAccountsSite({ publicUrl: 'https://site.test' })

  it('are in a cookie that no neighbouring host can plant', async () => {
    await stage.people.addUser()
    const browser = stage.site.browser()
    browser.cookies.set('bowerbird_preferences', 'theme=dark')
    expect((await browser.get('/login')).body).not.toContain('data-theme="dark"')
    browser.cookies.set('__Host-bowerbird_preferences', 'theme=dark')
    expect((await browser.get('/login')).body).toContain('data-theme="dark"')
  })
})

describe('an administrator’s open browser', () => {
  const stage = setUpAccountsSite()

  it('is not enough to create users, to change roles, to disable or to reset anybody', async () => {
    const { browser } = await stage.signedIn({ isAdmin: true })
    const other = await stage.people.addUser()
    const _csrf = /name="_csrf" value="([^"]+)"/.exec((await browser.get('/settings/account')).body)?.[1] ?? ''
    const before = await stage.storedText()
    for (const path of ['new', ...['disable', 'make-admin', 'reset'].map((verb) => `${other.username}/${verb}`)]) {
      const reply = await browser.post(`/admin/users/${path}`, { _csrf, username: 'mallory', admin: 'on' })
      expect([path, reply.statusCode]).toEqual([path, 303])
      expect(reply.headers.location).toMatch(/^\/settings\/confirm\?next=/)
    }
    expect(await stage.storedText()).toBe(before)
  })

  it('is enough for ten minutes after the password was typed again, with a new session token', async () => {
    const { user, browser } = await stage.signedIn({ isAdmin: true })
    const token = browser.cookies.get('bowerbird_session')
    const wrong = await browser.submit('/settings/confirm', { present: 'a wrong password', next: '/admin/users/new' })
    expect(wrong.statusCode).toBe(403)
    const reply = await browser.submit('/settings/confirm', { present: PASSWORD, next: '/admin/users/new' })
    expect([reply.statusCode, reply.headers.location]).toEqual([303, '/admin/users/new'])
    expect(browser.cookies.get('bowerbird_session')).not.toBe(token)
    expect((await browser.submit('/admin/users/new', { username: `${user.username}-guest` })).statusCode).toBe(200)
    stage.people.now += 10 * 60_000
    expect((await browser.get('/admin/users/new')).headers.location).toMatch(/^\/settings\/confirm/)
  })
})
