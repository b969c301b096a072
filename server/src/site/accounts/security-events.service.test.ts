// What is recorded of sign-ins, accounts and keys, and who gets to see it.
import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../../accounts/accounts.test-harness.ts'
import { resetPassword, setPassword } from '../../accounts/users.ts'
import { AUDIT_EVENTS } from '../../audit/audit-event.ts'
import { readEvents } from '../../audit/audit-log.ts'
import { LANGUAGES } from '../i18n/messages.ts'
import type { Browser } from '../site.test-harness.ts'
import { setUpAccountsSite } from './accounts-site.test-harness.ts'

describe('security events', () => {
  const stage = setUpAccountsSite()
  const eventsOf = (userId: string) => stage.people.eventsOf(userId)
  const db = () => stage.people.access.db

  it('record sign-ins that worked, failed or were throttled, and sign-outs', async () => {
    const user = await stage.people.addUser()
    const browser = stage.site.browser()
    for (let n = 0; n < 9; n++) await stage.signInWith(browser, user.username, `guess number ${n}`)
    stage.people.now += 3_600_000
    await stage.signInWith(browser, user.username)
    await browser.submit('/logout', {}, '/settings/account')
    const events = await eventsOf(user.id)
    expect(events.filter((event) => event === 'sign-in failed password')).toHaveLength(6)
    expect(events.slice(-2)).toEqual(['sign-in ok password', 'sign-out ok'])
    expect(events.filter((event) => event === 'sign-in throttled password')).toHaveLength(3)
  })

  it('record codes, recovery codes and the second factor', async () => {
    const user = await stage.people.addUser()
    const { recoveryCodes } = await stage.people.enrol(user)
    const browser = stage.site.browser()
    await stage.signInWith(browser, user.username)
    await browser.submit('/login/code', { code: '000000' })
    await browser.submit('/login/code', { code: recoveryCodes[0] ?? '' })
    const off = { present: PASSWORD, code: recoveryCodes[1] ?? '' }
    await browser.submit('/settings/account/second-factor/off', off, '/settings/account/second-factor')
    expect((await eventsOf(user.id)).slice(1)).toEqual([
      'sign-in failed code',
      'recovery-code-used ok',
      'sign-in ok recovery-code',
      'second-factor-off ok',
    ])
  })

  it('record what an administrator did to which user', async () => {
    const { user: admin, browser } = await stage.administrator()
    await browser.submit('/admin/users/new', { username: 'grace' })
    const manage = '/admin/users/grace/manage'
    for (const verb of ['make-admin', 'remove-admin', 'disable', 'enable', 'reset']) {
      await browser.submit(`/admin/users/grace/${verb}`, { factor: 'on' }, manage)
    }
    const events = await readEvents(db(), { userId: admin.id, limit: 100 })
    const about = events.filter(({ user }) => user?.username === 'grace').toReversed()
    expect(about.map(({ event, detail }) => [event, detail].join(' ').trim())).toEqual([
      'user-created',
      'role-granted',
      'role-removed',
      'user-disabled',
      'user-enabled',
      'password-reset with-second-factor',
    ])
    for (const { actor, via, network } of about) {
      expect(actor?.username).toEqual(admin.username)
      expect(via).toBe('website')
      expect(network).toMatch(/^[\da-f]{12}$/)
    }
  })

  it('record which engines an administrator lets be asked without a key, after the password was asked for', async () => {
    const { user, browser } = await stage.signedInEarlier({ isAdmin: true })
    const choose = () => browser.submit('/admin/engines/keyless', { keyless: 'all' }, '/settings/account')
    const stored = () => db().selectFrom('settings').select('content').execute()
    expect((await choose()).location).toBe('/settings/confirm?next=%2Fadmin%2Fengines')
    expect(await stored()).toEqual([])
    await stage.confirm(browser)
    expect((await choose()).location).toBe('/admin/engines#keyless')
    expect(await stored()).toEqual([{ content: { KEYLESS_ENGINES: 'all' } }])
    const [last] = await readEvents(db(), { event: 'settings-changed', limit: 1 })
    expect(last).toMatchObject({ detail: 'KEYLESS_ENGINES', via: 'website', actor: { username: user.username } })
    expect(await eventsOf(user.id)).toContain('identity-confirmed ok password')
  })

  it('record keys by their id', async () => {
    const { user, browser } = await stage.signedIn()
    await browser.submit('/settings/keys/new', { name: 'laptop', scopes: ['search'], expiry: 'never' })
    const [created] = await readEvents(db(), { aboutUserId: user.id, limit: 1 })
    const keyId = created?.key?.id ?? ''
    for (const verb of ['rotate', 'revoke']) await browser.submit(`/settings/keys/${keyId}/${verb}`, { grace: 'h1' })
    expect((await eventsOf(user.id)).slice(-3)).toEqual(['key-created ok', 'key-rotated ok', 'key-revoked ok'])
  })

  it('record denied access to administration, the first times', async () => {
    const { user, browser } = await stage.signedIn()
    for (let n = 0; n < 9; n++) expect((await browser.get('/admin/users')).status).toBe(403)
    expect((await eventsOf(user.id)).filter((event) => event.startsWith('access-denied'))).toEqual(
      Array.from({ length: 6 }, () => 'access-denied failed /admin/users'),
    )
  })

  it('contain nothing that was typed: no unknown name, password, code or address', async () => {
    const browser = stage.site.browser(undefined, '198.51.100.77')
    await stage.signInWith(browser, 'my.secret.password', 'typed in the wrong field')
    const rows = await db().selectFrom('audit_events').selectAll().execute()
    const all = JSON.stringify(rows) + stage.site.logged()
    for (const typed of ['my.secret.password', 'typed in the wrong field', '198.51.100']) {
      expect(all).not.toContain(typed)
    }
  })

  it('are shown to administrators, by user and by event, page by page, in every language', async () => {
    const { browser } = await stage.administrator()
    const other = await stage.people.addUser()
    for (let n = 0; n < 60; n++) {
      stage.people.now += 3_600_000
      await stage.signInWith(stage.site.browser(), other.username, 'a wrong password')
    }
    const first = (await browser.get(`/admin/audit?user=${other.username}`)).text
    expect(first.match(/Sign-in failed/g)).toHaveLength(50)
    const older = /href="(\/admin\/audit\?[^"]*before=\d+)"/.exec(
      (await browser.get(`/admin/audit?user=${other.username}`)).body,
    )?.[1]
    const second = (await browser.get((older ?? '').replaceAll('&amp;', '&'))).text
    expect(second.match(/Sign-in failed/g)).toHaveLength(10)
    const created = (await browser.get('/admin/audit?event=user-created')).text
    expect(created).not.toContain('Sign-in failed')
    expect(created).toContain('User created')
    expect((await browser.get('/admin/audit?user=nobody')).body).toContain('There is no user with this name.')
    for (const locale of LANGUAGES) {
      const { body, status } = await browser.get('/admin/audit', { 'accept-language': locale })
      expect(status, locale).toBe(200)
      expect(body, locale).not.toMatch(/undefined|\[object/)
    }
    for (const event of AUDIT_EVENTS) expect((await browser.get(`/admin/audit?event=${event}`)).status).toBe(200)
    for (const query of ['event=%3Cscript%3E', 'before=-1', 'user=%00', 'user=a&user=b']) {
      expect((await browser.get(`/admin/audit?${query}`)).status, query).toBe(200)
    }
  })

  it('403: are not shown to other users, who only see those of their own account', async () => {
    const { browser, user } = await stage.signedIn()
    const other = await stage.signedIn()
    expect((await browser.get('/admin/audit')).status).toBe(403)
    const activity = (await browser.get('/settings/account/activity')).text
    expect(activity).toContain('Sign-in password')
    expect(activity).toContain(`${user.username} (you)`)
    expect(activity).not.toContain(`${other.user.username} (`)
    expect((await browser.get('/settings/account')).text).toContain('Recent security activity')
  })

  it('since the last visit are summed up for the owner: sign-ins from new networks, and changes from elsewhere', async () => {
    const user = await stage.people.addUser()
    const browserAt = async (address: string) => {
      const browser = stage.site.browser(undefined, address)
      await stage.signInWith(browser, user.username)
      return browser
    }
    const account = async (browser: Browser) => (await browser.get('/settings/account')).text
    const NEWS = 'Since your last visit, from other networks:'
    const owner = await browserAt('192.0.2.7')
    expect(await account(owner)).not.toContain(NEWS)

    // What the owner does here, and a sign-in from a network that is known, is not news.
    await browserAt('192.0.2.7')
    expect(await account(owner)).not.toContain(NEWS)

    const stranger = await browserAt('198.51.100.9')
    await browserAt('198.51.100.9')
    await stranger.submit('/settings/keys/new', { name: 'laptop', scopes: ['search'], expiry: 'never' })
    await resetPassword(stage.people.access, user.username, { alsoRemoveSecondFactor: false })
    const back = stage.site.browser(undefined, '192.0.2.7')
    for (const [name, value] of owner.cookies) back.cookies.set(name, value)
    await setPassword(stage.people.access, user.username, PASSWORD)
    await stage.signInWith(back, user.username)
    const page = await account(back)
    expect(page).toMatch(new RegExp(`${NEWS} Password reset × 2 API key created Sign-in · new network Signed in as`))
    expect(await account(back)).not.toContain(NEWS)
    expect((await back.get('/settings/account/activity')).text.match(/new network/g)).toHaveLength(2)
    for (const locale of LANGUAGES) {
      back.cookies.set('bowerbird_activity', '0')
      const { body } = await back.get('/settings/account', { 'accept-language': locale })
      expect(body, locale).toMatch(/class="notice notice-plain".*<li>/s)
      expect(body, locale).not.toMatch(/undefined/)
    }
    for (const nonsense of ['x', '-1', '9'.repeat(40), "1' or 1=1"]) {
      back.cookies.set('bowerbird_activity', nonsense)
      expect((await back.get('/settings/account')).status).toBe(200)
    }
  })
})
