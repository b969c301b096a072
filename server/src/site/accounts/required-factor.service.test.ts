// REQUIRE_SECOND_FACTOR: who must have a second factor and has none is led to set one up, and can do nothing else. That
// every page waits for it is in `spec/every-page.test.ts`.
import { expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../../accounts/account-parts.ts'
import { setUpAccountsSite } from './accounts-site.test-harness.ts'

const FACTOR = '/settings/account/second-factor'
const stage = setUpAccountsSite({ policy: { ...DEFAULT_POLICY, requireSecondFactor: 'all' } })

it('where all users must have a second factor, users are sent to set one up as well, and can sign out', async () => {
  const { browser } = await stage.signedIn()
  expect((await browser.get('/settings/account')).location).toBe(FACTOR)
  const page = await browser.get(FACTOR)
  expect(page.status).toBe(200)
  expect(page.body).toContain('requires two-factor authentication for your account')
  expect(page.body).not.toContain('href="/settings/keys"')
  expect((await browser.submit('/logout', {})).location).toBe('/login?done=signed-out')
})
