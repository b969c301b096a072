// REQUIRE_SECOND_FACTOR: who must have a second factor and has none is led to set one up, and can do nothing else.
import { describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../../accounts/account-parts.ts'
import { PASSWORD } from '../../accounts/accounts.test-harness.ts'
import type { Browser } from '../site.test-harness.ts'
import { setUpAccountsSite } from './accounts-site.test-harness.ts'

const FACTOR = '/settings/account/second-factor'

describe('where administrators must have a second factor', () => {
  const stage = setUpAccountsSite({ policy: { ...DEFAULT_POLICY, requireSecondFactor: 'admins' } })
  const placeOf = async (browser: Browser, path: string) => (await browser.get(path)).headers.location

  it('one without it is sent to set it up, and can do nothing else but sign out', async () => {
    const { browser } = await stage.signedIn({ isAdmin: true })
    for (const path of ['/settings/account', '/settings/keys', '/admin/users', '/settings/account/recovery-codes']) {
      expect([path, await placeOf(browser, path)]).toEqual([path, FACTOR])
    }
    const page = await browser.get(FACTOR)
    expect([page.statusCode, page.body.includes('requires two-factor authentication for your account')]).toEqual([
      200,
      true,
    ])
    expect(page.body).not.toContain('href="/settings/keys"')
    const key = await browser.submit('/settings/keys/new', { name: 'sneaked in', scopes: 'search' }, FACTOR)
    expect(key.headers.location).toBe(FACTOR)
    expect((await browser.get('/logout')).statusCode).toBe(200)
    expect((await browser.submit('/logout', {}, '/logout')).headers.location).toBe('/login?done=signed-out')
  })

  it('and is let in once it is turned on', async () => {
    const { browser } = await stage.signedIn({ isAdmin: true })
    const begun = await browser.submit(FACTOR, { present: PASSWORD })
    const secret = /data-copy="((?:[A-Z2-7]{4} ?){8})"/.exec(begun.body)?.[1] ?? ''
    const confirmed = await browser.submit(`${FACTOR}/confirm`, { code: stage.people.codeFor(secret) }, FACTOR)
    expect(confirmed.statusCode).toBe(200)
    expect((await browser.get('/admin/users')).statusCode).toBe(200)
  })

  it('others are let in without one', async () => {
    const { browser } = await stage.signedIn()
    expect((await browser.get('/settings/account')).statusCode).toBe(200)
  })

  it('they cannot search meanwhile, not even through the data requests of scripts', async () => {
    const viewer = { userId: '1', username: 'ada', isAdmin: true, sessionId: 'a', mustEnrol: true }
    const browser = stage.site.browser(viewer)
    expect((await browser.get('/settings/account')).headers.location).toBe(FACTOR)
    const reply = await browser.post('/settings/confirm/passkey/options', {})
    expect(reply.statusCode).toBe(403)
  })
})

describe('where all users must have a second factor', () => {
  const stage = setUpAccountsSite({ policy: { ...DEFAULT_POLICY, requireSecondFactor: 'all' } })

  it('users are sent to set one up as well', async () => {
    const { browser } = await stage.signedIn()
    expect((await browser.get('/settings/account')).headers.location).toBe(FACTOR)
  })
})
