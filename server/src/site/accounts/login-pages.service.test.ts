import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../../accounts/accounts.test-harness.ts'
import { disableUser, resetPassword } from '../../accounts/users.ts'
import type { Browser } from '../site.test-harness.ts'
import { setUpAccountsSite } from './accounts-site.test-harness.ts'

/** Addresses that a careless check would take for paths of this site. */
const ELSEWHERE = [
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  ' //evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'evil.example',
  '.evil.example',
  '@evil.example',
  'http:evil.example',
  '/%09//evil.example\r\nSet-Cookie: a=b',
]

describe('the sign-in page', () => {
  const stage = setUpAccountsSite()
  const accountOf = (browser: Browser) => browser.get('/settings/account')

  it('403: gives the same reply for a wrong password and an unknown name, and never repeats a password', async () => {
    const { username } = await stage.people.addUser()
    const browser = stage.site.browser()
    const bodies = []
    for (const name of [username, 'nobody']) {
      const reply = await stage.signInWith(browser, name, 'a wrong password')
      expect(reply.status).toBe(403)
      expect(reply.body).not.toContain('a wrong password')
      bodies.push(reply.body.replaceAll(name, 'NAME').replace(/name="_csrf" value="[^"]*"/g, ''))
    }
    expect(bodies[0]).toBe(bodies[1])
    expect(bodies[0]).toContain('role="alert"')
    expect(browser.cookies.has('bowerbird_session')).toBe(false)
    expect((await accountOf(browser)).status).toBe(303)
  })

  it('429: after many attempts, with the time to wait', async () => {
    const { username } = await stage.people.addUser()
    const browser = stage.site.browser()
    for (let n = 0; n < 6; n++) await stage.signInWith(browser, username, `guess number ${n}`)
    const reply = await stage.signInWith(browser, username)
    expect(reply).toMatchObject({ status: 429, headers: { 'retry-after': '2' } })
    expect(reply.body).toContain('Try again in 2 seconds.')
    stage.people.now += 2_000
    expect((await stage.signInWith(browser, username)).status).toBe(303)
  })

  it('tells a disabled user whom to ask, but only after the right password', async () => {
    const { username } = await stage.people.addUser()
    await disableUser(stage.people.access, username)
    const browser = stage.site.browser()
    expect((await stage.signInWith(browser, username)).body).toContain('This account is disabled.')
    expect((await stage.signInWith(browser, username, 'a wrong password')).body).not.toContain('disabled.')
  })

  it('continues to the page originally requested', async () => {
    const { username } = await stage.people.addUser()
    const browser = stage.site.browser()
    const searchQuery = await browser.get('/settings/keys?after=7')
    expect(searchQuery.location).toBe('/login?next=%2Fsettings%2Fkeys%3Fafter%3D7')
    const page = await browser.get(searchQuery.location)
    expect(page.body).toContain('name="next" value="/settings/keys?after=7"')
    const next = '/settings/keys?after=7'
    const reply = await browser.submit('/login', { username, password: PASSWORD, next })
    expect(reply.location).toBe(next)
  })

  it.each(ELSEWHERE)('never redirects to another site: %j', async (next) => {
    const { username } = await stage.people.addUser()
    const browser = stage.site.browser()
    const page = await browser.get(`/login?next=${encodeURIComponent(next)}`)
    expect(page.body).not.toContain('name="next"')
    const reply = await browser.submit('/login', { username, password: PASSWORD, next })
    expect(reply).toMatchObject({ status: 303, location: '/' })
  })

  it('starts a new session at every sign-in, and never uses one planted before', async () => {
    const { username } = await stage.people.addUser()
    const planted = Buffer.alloc(32, 7).toString('base64url')
    const browser = stage.site.browser()
    browser.cookies.set('bowerbird_session', planted)
    await stage.signInWith(browser, username)
    const token = browser.cookies.get('bowerbird_session')
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(token).not.toBe(planted)
    const attacker = stage.site.browser()
    attacker.cookies.set('bowerbird_session', planted)
    expect((await accountOf(attacker)).status).toBe(303)
  })

  it('keeps the session in a cookie that no script reads and no other site sends', async () => {
    const { username } = await stage.people.addUser()
    const reply = await stage.signInWith(stage.site.browser(), username)
    const cookie = [reply.headers['set-cookie'] ?? []].flat().find((text) => text.startsWith('bowerbird_session='))
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(cookie).not.toContain('Domain')
  })

  it('remembers the device in a cookie of the same kind, which outlives the session and lets its owner in', async () => {
    const { username } = await stage.people.addUser()
    const owner = stage.site.browser(undefined, '192.0.2.7')
    const reply = await stage.signInWith(owner, username)
    const cookie = [reply.headers['set-cookie'] ?? []].flat().find((text) => text.startsWith('bowerbird_device='))
    expect(cookie).toMatch(/^bowerbird_device=[\w-]{22}\.[\w-]{22}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/)
    await owner.submit('/logout', {}, '/settings/account')
    expect(owner.cookies.has('bowerbird_device')).toBe(true)
    for (let n = 0; n < 8; n++) {
      await stage.signInWith(stage.site.browser(undefined, `198.51.100.${n}`), username, 'a wrong password')
    }
    const stranger = stage.site.browser(undefined, '203.0.113.5')
    expect((await stage.signInWith(stranger, username)).status).toBe(429)
    expect((await stage.signInWith(owner, username)).status).toBe(303)
  })

  it('a sign-out ends the session on the server, not only in the browser', async () => {
    const { browser } = await stage.signedIn()
    const stolen = browser.cookies.get('bowerbird_session') ?? ''
    const reply = await browser.submit('/logout', {}, '/settings/account')
    expect(reply.location).toBe('/login?done=signed-out')
    expect(browser.cookies.has('bowerbird_session')).toBe(false)
    expect((await browser.get('/login?done=signed-out')).body).toContain('You are signed out.')
    browser.cookies.set('bowerbird_session', stolen)
    expect((await accountOf(browser)).status).toBe(303)
  })
})

describe('the steps after the password', () => {
  const stage = setUpAccountsSite()

  it('with a second factor, the ticket opens no page, and the code continues to the page originally requested', async () => {
    const user = await stage.people.addUser()
    const { secret } = await stage.people.enrol(user)
    const browser = stage.site.browser()
    const next = '/settings/keys'
    const first = await browser.submit('/login', { username: user.username, password: PASSWORD, next })
    expect(first.location).toBe('/login/code?next=%2Fsettings%2Fkeys')
    expect(browser.cookies.has('bowerbird_session')).toBe(false)
    const ticket = browser.cookies.get('bowerbird_sign_in') ?? ''
    expect(ticket).toMatch(/^[\w-]{43}$/)

    const thief = stage.site.browser()
    thief.cookies.set('bowerbird_session', ticket)
    expect((await thief.get(next)).status).toBe(303)

    const wrong = await browser.submit('/login/code', { code: '12345', next })
    expect(wrong.status).toBe(403)
    expect(wrong.body).toContain('Wrong code.')
    const code = stage.people.codeFor(secret)
    const reply = await browser.submit('/login/code', { code, next })
    expect(reply).toMatchObject({ status: 303, location: next })
    expect(browser.cookies.has('bowerbird_sign_in')).toBe(false)
    expect((await browser.get(next)).status).toBe(200)
  })

  it('an expired ticket redirects to the first step', async () => {
    const user = await stage.people.addUser()
    const { secret } = await stage.people.enrol(user)
    const browser = stage.site.browser()
    await stage.signInWith(browser, user.username)
    await browser.get('/login/code')
    stage.people.now += 600_000
    expect((await browser.get('/login/code')).location).toBe('/login?done=expired')
    const code = stage.people.codeFor(secret)
    const reply = await browser.submit('/login/code', { code, next: '//evil.example' }, '/login')
    expect(reply.location).toBe('/login?done=expired')
    expect((await browser.get('/login?done=expired')).body).toContain('Sign in again.')
  })

  it('a later step cannot be reached without the earlier one', async () => {
    const browser = stage.site.browser()
    for (const path of ['/login/code', '/login/password']) {
      expect((await browser.get(path)).location).toBe('/login?done=expired')
    }
    const password = 'battery staple'
    const reply = await browser.submit('/login/password', { password, repeat: password }, '/login')
    expect(reply.location).toBe('/login?done=expired')
  })

  it('after a password generated by an administrator, the user must choose their own', async () => {
    const { username } = await stage.people.addUser()
    const { password } = await resetPassword(stage.people.access, username, { alsoRemoveSecondFactor: false })
    const browser = stage.site.browser()
    expect((await stage.signInWith(browser, username, password)).location).toBe('/login/password')
    expect((await browser.get('/settings/account')).status).toBe(303)
    const choose = (password: string, repeat = password) => browser.submit('/login/password', { password, repeat })
    const refusals = [await choose('short'), await choose('battery staple', 'other'), await choose(password)]
    expect(refusals.map(({ status }) => status)).toEqual([400, 400, 400])
    expect(refusals.map(({ body }) => /class="error"[^>]*>([^<]*)</.exec(body)?.[1])).toEqual([
      'Use at least 10 characters.',
      'The passwords do not match.',
      'The new password must be different from the current one.',
    ])
    expect((await choose('battery staple')).location).toBe('/')
    expect((await browser.get('/settings/account')).status).toBe(200)
  })
})

describe('the sign-in page on https', () => {
  const stage = setUpAccountsSite({ publicUrl: 'https://search.example' })

  it('keeps session, ticket and device in cookies that are sent over HTTPS only and that no neighbouring host can plant', async () => {
    const user = await stage.people.addUser()
    const plain = await stage.people.addUser()
    await stage.people.enrol(user)
    const cookies: string[] = []
    for (const { username } of [user, plain]) {
      const reply = await stage.signInWith(stage.site.browser(), username)
      cookies.push(...[reply.headers['set-cookie'] ?? []].flat())
    }
    expect(cookies.map((cookie) => cookie.split('=', 1)[0])).toEqual([
      '__Host-bowerbird_sign_in',
      '__Host-bowerbird_session',
      '__Host-bowerbird_device',
    ])
    for (const cookie of cookies) expect(cookie).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  })
})
