import { describe, expect, it } from 'vitest'
import { createLocalChangeBus } from '../../keys/key-changes.ts'
import { listKeys } from '../../keys/key-records.ts'
import { createKey } from '../../keys/keys.ts'
import { createKeyVerifier } from '../../keys/verify-key.ts'
import { createLog } from '../../log.ts'
import type { Browser } from '../site.test-harness.ts'
import { setUpAccountsSite } from './accounts-site.test-harness.ts'

const KEY = /bowerbird_[0-9A-Za-z]{8}\.[0-9A-Za-z]{49}/
const DAY_MS = 86_400_000

describe('the API key pages', () => {
  const stage = setUpAccountsSite()
  const ownKeys = (username: string) => listKeys(stage.people.access, { username })

  const create = (browser: Browser, fields: Record<string, string | string[]> = {}) =>
    browser.submit('/settings/keys/new', { name: 'laptop', expiry: 'never', scopes: ['search', 'maps'], ...fields })

  /** A user with one key, made on the page. */
  async function withKey() {
    const { user, browser } = await stage.signedIn()
    const { body } = await create(browser, { name: 'a private name' })
    const id = (await ownKeys(user.username))[0]?.id ?? ''
    return { user, browser, full: KEY.exec(body)?.[0] ?? '', id, path: `/settings/keys/${id}` }
  }

  async function verdictOn(full: string): Promise<string> {
    const { database, access } = stage.people
    const parts = { database, clock: access.clock, random: Math.random, changes: createLocalChangeBus() }
    const verdict = await createKeyVerifier({ ...parts, log: createLog('silent') }).verify(full, '192.0.2.7')
    return verdict.ok ? 'good' : verdict.reason
  }

  it('show a new key once, with a line to try it, and it works', async () => {
    const { browser } = await stage.signedIn()
    expect((await browser.get('/settings/keys')).body).toContain('No keys yet')
    const reply = await create(browser)
    const full = KEY.exec(reply.body)?.[0] ?? ''
    expect(reply).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    expect(reply.body).toContain(
      `curl -H &#39;Authorization: Api-Key ${full}&#39; &#39;http://site.test/api/v1/web/?q=bowerbird&#39;`,
    )
    expect(reply.body).toContain(`data-copy="${full}"`)
    expect(await verdictOn(full)).toBe('good')
    expect((await browser.get('/settings/keys')).body).not.toContain(full)
    // Without the scope to search, another line.
    expect((await create(browser, { scopes: 'maps' })).body).toContain('http://site.test/api/v1/key/')
  })

  it('429: after ten new secrets in an hour, say when it works again and keep the form as filled in', async () => {
    const { browser, path } = await withKey()
    for (let n = 0; n < 8; n++) expect((await create(browser)).status).toBe(200)
    const rotate = () => browser.submit(`${path}/rotate`, { grace: 'h1' })
    expect((await rotate()).status).toBe(200)
    for (const reply of [await rotate(), await create(browser, { name: 'phone' })]) {
      expect(reply).toMatchObject({ status: 429, headers: { 'retry-after': '3600' } })
      expect(reply.body).toContain('You can create or rotate at most 10 keys an hour. Try again in 60 minutes.')
      expect(reply.body).not.toMatch(KEY)
    }
    expect((await create(browser, { name: 'phone' })).body).toContain('value="phone"')
    stage.people.now += 3_600_000
    await stage.confirm(browser)
    expect((await create(browser)).status).toBe(200)
  })

  it('restrict a key to the networks that were typed, and show them', async () => {
    const { user, browser } = await stage.signedIn()
    const wrong = await create(browser, { networks: '192.0.2.0/24 home' })
    expect(wrong.status).toBe(400)
    expect(wrong.body).toContain('value="192.0.2.0/24 home"')
    expect(wrong.body).toContain('Use at most 20 addresses or ranges')
    await create(browser, { networks: ' 192.0.2.0/24, 2001:db8::/32' })
    expect((await ownKeys(user.username))[0]?.networks).toEqual(['192.0.2.0/24', '2001:db8::/32'])
    expect((await browser.get('/settings/keys')).body).toContain('only from 192.0.2.0/24, 2001:db8::/32')
  })

  it("offer the operator's default expiry first, and leave the choice to the user", async () => {
    const { user, browser } = await stage.signedIn()
    expect((await browser.get('/settings/keys/new')).body).not.toContain('(default)')
    stage.people.accounts.access.defaultKeyDays = 45
    expect((await browser.get('/settings/keys/new')).body).toMatch(
      /<option value="default" selected>In 45 days \(default\)<\/option><option value="never">/,
    )
    for (const expiry of ['default', 'never', 'd7', 'nonsense']) await create(browser, { expiry })
    await browser.submit('/settings/connect/codex', {})
    const keys = await ownKeys(user.username)
    const days = keys.map(({ expiresAt }) => expiresAt && (expiresAt.getTime() - stage.people.now) / DAY_MS)
    expect(days).toEqual([45, undefined, 7, 45, 45])
  })

  it('409: at the maximum number of keys, say so and keep the form as filled in', async () => {
    const { user, browser } = await stage.signedIn()
    for (let n = 0; n < 25; n++) await createKey(stage.people.access, { owner: { userId: user.id } })
    const { status, body } = await create(browser, { name: 'phone' })
    expect(status).toBe(409)
    expect(body).toContain('The number of active keys is limited to 25. Revoke one first.')
    expect(body).toContain('value="phone"')
  })

  it('create a key with the chosen name, expiry and scopes, and list it with its use', async () => {
    const { user, browser } = await stage.signedIn()
    await create(browser, { name: ' <img>🦜 ', expiry: 'd30', scopes: ['maps', 'search'] })
    const [key] = await ownKeys(user.username)
    expect(key).toMatchObject({
      name: '<img>🦜',
      scopes: ['search', 'maps'],
      expiresAt: new Date(stage.people.now + 30 * DAY_MS),
    })
    for (let n = 0; n < 3; n++) stage.usage.count(key?.id ?? '', 'web_search')
    const { body } = await browser.get('/settings/keys')
    expect(body).toContain('&lt;img&gt;🦜')
    expect(body).toContain(`<code>bowerbird_${key?.secrets[0]?.prefix}…</code>`)
    expect(body).toMatch(/data-label="Last used">never</)
    expect(body).toMatch(/data-label="This month" class="number">3</)
  })

  it('400: show errors at their fields, keep the form as filled in, and create nothing', async () => {
    const { user, browser } = await stage.signedIn()
    const reply = await create(browser, { name: 'x'.repeat(101), expiry: 'd90', scopes: ['translate'] })
    expect(reply.body).toContain('at most 100 characters')
    expect(reply.body).toContain('<option value="d90" selected>')
    expect(reply.body.match(/ checked/g)).toHaveLength(1)
    expect((await create(browser, { scopes: [] })).body).toContain('Choose at least one.')
    expect((await create(browser, { scopes: ['everything'] })).status).toBe(400)
    for (const name of ['two\nlines', 'nul\0', '\u202etxt.exe'])
      expect((await create(browser, { name })).status).toBe(400)
    expect(await ownKeys(user.username)).toEqual([])
  })

  it('rotate a key: the new secret is shown once, the old one works for the chosen time', async () => {
    const { browser, full: old, path } = await withKey()
    const reply = await browser.submit(`${path}/rotate`, { grace: 'h1' })
    const fresh = KEY.exec(reply.body)?.[0] ?? ''
    expect(reply).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    expect(await verdictOn(old)).toBe('good')
    expect((await browser.get('/settings/keys')).body).toContain('works until')
    stage.people.now += 3_600_000
    expect(await verdictOn(old)).toBe('expired')
    expect(await verdictOn(fresh)).toBe('good')
  })

  it('revoke a key after asking, and then it is refused and can’t be rotated', async () => {
    const { browser, full, path } = await withKey()
    expect((await browser.get(`${path}/revoke`)).body).toContain('This cannot be undone.')
    const { location } = await browser.submit(`${path}/revoke`, {})
    expect(location).toBe('/settings/keys?done=revoked')
    expect(await verdictOn(full)).toBe('revoked')
    const list = (await browser.get(location)).body
    expect(list).toContain('Key revoked.')
    expect(list).toContain('Revoked and expired keys (1)')
    const again = await browser.get(`${path}/rotate`)
    expect(again.status).toBe(409)
    expect(again.body).toContain('Create a new one.')
    expect((await browser.submit(`${path}/rotate`, {}, '/settings/account')).status).toBe(409)
  })

  it('404: another user’s keys, even for administrators', async () => {
    const { full, path } = await withKey()
    for (const isAdmin of [false, true]) {
      const { browser } = await stage.signedIn({ isAdmin })
      for (const at of [`${path}/rotate`, `${path}/revoke`]) {
        expect((await browser.get(at)).status, at).toBe(404)
        expect((await browser.submit(at, {}, '/settings/keys/new')).status, at).toBe(404)
      }
      expect((await browser.get('/settings/keys')).body).not.toContain('a private name')
    }
    expect(await verdictOn(full)).toBe('good')
  })

  it('are paginated when there are many keys', async () => {
    const { user, browser } = await stage.signedIn()
    const context = { ...stage.people.access, maxKeysPerUser: 60 }
    for (let n = 0; n < 51; n++) await createKey(context, { owner: { userId: user.id }, name: `number ${n}` })
    const first = (await browser.get('/settings/keys')).body
    expect(first).toContain('number 49')
    expect(first).not.toContain('number 50')
    const next = /href="(\/settings\/keys\?after=\d+)"/.exec(first)?.[1] ?? ''
    expect((await browser.get(next)).body).toContain('number 50')
  })
})
