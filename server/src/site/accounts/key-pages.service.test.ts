import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createLocalChangeBus } from '../../keys/key-changes.ts'
import { listKeys } from '../../keys/key-records.ts'
import { createKey } from '../../keys/keys.ts'
import { createKeyVerifier } from '../../keys/verify-key.ts'
import { createLog } from '../../log.ts'
import type { Browser } from '../site.test-harness.ts'
import { setUpAccountsSite } from './accounts-site.test-harness.ts'

const KEY = /bowerbird_[0-9A-Za-z]{8}\.[0-9A-Za-z]{49}/
const ALL_SCOPES = ['search', 'maps', 'translate', 'answers']
const HERE = '192.0.2.7'
const DAY_MS = 86_400_000

describe('the API key pages', () => {
  const stage = setUpAccountsSite()

  const create = (browser: Browser, fields: Record<string, string | string[]> = {}) =>
    browser.submit('/settings/keys/new', { name: 'laptop', expiry: 'never', scopes: ALL_SCOPES, ...fields })

  async function reasonOf(full: string): Promise<string> {
    const { database, access } = stage.people
    const parts = { database, clock: access.clock, random: Math.random, changes: createLocalChangeBus() }
    const verdict = await createKeyVerifier({ ...parts, log: createLog('silent') }).verify(full, HERE)
    return verdict.ok ? 'good' : verdict.reason
  }

  it('explain themselves and offer the first step', async () => {
    const { browser } = await stage.signedIn()
    const { body } = await browser.get('/settings/keys')
    expect(body).toContain('No keys yet')
    expect(body).toContain('href="/settings/keys/new"')
  })

  it('show a new key once, with a line to try it, and it works', async () => {
    const { browser } = await stage.signedIn()
    const reply = await create(browser)
    const full = KEY.exec(reply.body)?.[0] ?? ''
    expect([reply.statusCode, reply.headers['cache-control'], reply.headers.location]).toEqual([
      200,
      'no-store',
      undefined,
    ])
    expect(reply.body).toContain(
      `curl -H &#39;Authorization: Api-Key ${full}&#39; &#39;http://site.test/api/v1/web/?q=bowerbird&#39;`,
    )
    expect(reply.body).toContain('It will not be shown again')
    expect(reply.body).toContain(`data-copy="${full}"`)
    expect(await reasonOf(full)).toBe('good')
  })

  it('429: after ten new secrets in an hour, say when it works again and keep the form as filled in', async () => {
    const { user, browser } = await stage.signedIn()
    for (let n = 0; n < 9; n++) expect((await create(browser)).statusCode).toBe(200)
    const [key] = await listKeys(stage.people.access, { username: user.username })
    const rotate = () => browser.submit(`/settings/keys/${key?.id}/rotate`, { grace: 'h1' })
    expect((await rotate()).statusCode).toBe(200)
    for (const reply of [await create(browser, { name: 'phone' }), await rotate()]) {
      expect([reply.statusCode, reply.headers['retry-after']]).toEqual([429, '3600'])
      expect(reply.body).toContain('You can create or rotate at most 10 keys an hour. Try again in 60 minutes.')
      expect(reply.body).not.toMatch(KEY)
    }
    expect((await create(browser, { name: 'phone' })).body).toContain('value="phone"')
    stage.people.now += 3_600_000
    await stage.confirm(browser)
    expect((await create(browser)).statusCode).toBe(200)
  })

  it('restrict a key to the networks that were typed, and show them', async () => {
    const { user, browser } = await stage.signedIn()
    const wrong = await create(browser, { networks: '192.0.2.0/24 home' })
    expect([wrong.statusCode, wrong.body.includes('value="192.0.2.0/24 home"')]).toEqual([400, true])
    expect(wrong.body).toContain('Use at most 20 addresses or ranges')
    await create(browser, { networks: ' 192.0.2.0/24, 2001:db8::/32' })
    const [key] = await listKeys(stage.people.access, { username: user.username })
    expect(key?.networks).toEqual(['192.0.2.0/24', '2001:db8::/32'])
    expect((await browser.get('/settings/keys')).body).toContain('only from 192.0.2.0/24, 2001:db8::/32')
  })

  it("offer the operator's default expiry first, and leave the choice to the user", async () => {
    expect((await (await stage.signedIn()).browser.get('/settings/keys/new')).body).not.toContain('(default)')
    stage.people.accounts.access.defaultKeyDays = 45
    const { user, browser } = await stage.signedIn()
    expect((await browser.get('/settings/keys/new')).body).toMatch(
      /<option value="default" selected>In 45 days \(default\)<\/option><option value="never">/,
    )
    for (const expiry of ['default', 'never', 'd7', 'nonsense']) await create(browser, { expiry })
    await browser.submit('/settings/connect/codex', {})
    const keys = await listKeys(stage.people.access, { username: user.username })
    const days = keys.map(({ expiresAt }) => expiresAt && (expiresAt.getTime() - stage.people.now) / DAY_MS)
    expect(days).toEqual([45, undefined, 7, 45, 45])
  })

  it('409: at the maximum number of keys, say so and keep the form as filled in', async () => {
    const { user, browser } = await stage.signedIn()
    for (let n = 0; n < 25; n++) await createKey(stage.people.access, { owner: { userId: user.id } })
    const { statusCode, body } = await create(browser, { name: 'phone' })
    expect(statusCode).toBe(409)
    expect(body).toContain('The number of active keys is limited to 25. Revoke one first.')
    expect(body).toContain('value="phone"')
    expect(body).not.toMatch(KEY)
  })

  it('have the secret in exactly one response, and in no page, row, cookie or log line afterwards', async () => {
    const { browser } = await stage.signedIn({ isAdmin: true })
    const full = KEY.exec((await create(browser)).body)?.[0] ?? ''
    const secret = full.slice(full.indexOf('.') + 1)
    expect(secret).toHaveLength(49)
    const id = /\/settings\/keys\/(\d+)\/revoke/.exec((await browser.get('/settings/keys')).body)?.[1]
    const paths = ['/settings/keys', `/settings/keys/${id}/rotate`, `/settings/keys/${id}/revoke`, '/settings/account']
    for (const path of [...paths, '/admin/users', '/settings/keys/new']) {
      const reply = await browser.get(path)
      expect([path, reply.statusCode]).toEqual([path, 200])
      expect(JSON.stringify([reply.body, reply.headers])).not.toContain(secret)
    }
    expect(await stage.storedText()).not.toContain(secret)
    expect([...browser.cookies.values()].join()).not.toContain(secret)
    expect(stage.site.logged()).not.toContain(secret)
  })

  it('create the same key as the command line does, with the chosen name, expiry and scopes', async () => {
    const { user, browser } = await stage.signedIn()
    await create(browser, { name: ' My agent 🦜 ', expiry: 'd30', scopes: ['maps', 'search'] })
    const [made] = await listKeys(stage.people.access, { username: user.username })
    const { key } = await createKey(stage.people.access, {
      owner: { userId: user.id },
      name: ' My agent 🦜 ',
      scopes: ['maps', 'search'],
      expiresAt: new Date(stage.people.now + 30 * DAY_MS),
    })
    const different = { id: '', secrets: [], createdAt: undefined }
    expect({ ...made, ...different }).toEqual({ ...key, ...different })
  })

  it('offer an example request that the key may make', async () => {
    const { browser } = await stage.signedIn()
    expect((await create(browser, { scopes: 'maps' })).body).toContain('http://site.test/api/v1/key/')
  })

  it('400: show errors at their fields, keep the form as filled in, and create nothing', async () => {
    const { user, browser } = await stage.signedIn()
    const reply = await create(browser, { name: 'x'.repeat(101), expiry: 'd90', scopes: ['translate'] })
    expect(reply.statusCode).toBe(400)
    expect(reply.body).toContain('at most 100 characters')
    expect(reply.body).toContain('<option value="d90" selected>')
    expect(reply.body.match(/ checked/g)).toHaveLength(1)
    expect((await create(browser, { scopes: [] })).body).toContain('Choose at least one.')
    expect((await create(browser, { scopes: ['everything'] })).statusCode).toBe(400)
    for (const name of ['two\nlines', 'nul\0', '\u202etxt.exe']) {
      expect((await create(browser, { name })).statusCode).toBe(400)
    }
    expect(await listKeys(stage.people.access, { username: user.username })).toEqual([])
  })

  it('escape a hostile name', async () => {
    const { browser } = await stage.signedIn()
    const name = '<img src=x onerror=alert(1)>"&'
    const pages = [await create(browser, { name }), await browser.get('/settings/keys')]
    for (const { body } of pages) {
      expect(body).not.toContain('<img')
      expect(body).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&amp;')
    }
  })

  it('list the prefix, the last use and this month’s count', async () => {
    const { user, browser } = await stage.signedIn()
    await create(browser)
    const [key] = await listKeys(stage.people.access, { username: user.username })
    for (let n = 0; n < 3; n++) stage.usage.count(key?.id ?? '', 'web_search')
    const { body } = await browser.get('/settings/keys')
    expect(body).toContain(`<code>bowerbird_${key?.secrets[0]?.prefix}…</code>`)
    expect(body).toMatch(/data-label="Last used">never</)
    expect(body).toMatch(/data-label="This month" class="number">3</)
    expect(body).toContain('active')
  })

  it('rotate a key: the new secret is shown once, the old one works for the chosen time', async () => {
    const { user, browser } = await stage.signedIn()
    const old = KEY.exec((await create(browser)).body)?.[0] ?? ''
    const [key] = await listKeys(stage.people.access, { username: user.username })
    const path = `/settings/keys/${key?.id}/rotate`
    const reply = await browser.submit(path, { grace: 'h1' })
    const fresh = KEY.exec(reply.body)?.[0] ?? ''
    expect([reply.statusCode, reply.headers['cache-control']]).toEqual([200, 'no-store'])
    expect([await reasonOf(old), await reasonOf(fresh)]).toEqual(['good', 'good'])
    expect((await browser.get('/settings/keys')).body).toContain('works until')
    stage.people.now += 3_600_000
    expect([await reasonOf(old), await reasonOf(fresh)]).toEqual(['expired', 'good'])
  })

  it('revoke a key after asking, and then it is refused', async () => {
    const { user, browser } = await stage.signedIn()
    const full = KEY.exec((await create(browser)).body)?.[0] ?? ''
    const [key] = await listKeys(stage.people.access, { username: user.username })
    const path = `/settings/keys/${key?.id}/revoke`
    expect((await browser.get(path)).body).toContain('This cannot be undone.')
    expect(await reasonOf(full)).toBe('good')
    const reply = await browser.submit(path, {})
    expect(reply.headers.location).toBe('/settings/keys?done=revoked')
    expect(await reasonOf(full)).toBe('revoked')
    const list = (await browser.get('/settings/keys?done=revoked')).body
    expect(list).toContain('Key revoked.')
    expect(list).toContain('Revoked and expired keys (1)')
    const again = await browser.get(`/settings/keys/${key?.id}/rotate`)
    expect([again.statusCode, again.body.includes('Create a new one.')]).toEqual([409, true])
    expect((await browser.submit(`/settings/keys/${key?.id}/rotate`, {}, '/settings/account')).statusCode).toBe(409)
  })

  it('404: another user’s keys, even for administrators', async () => {
    const { user, browser } = await stage.signedIn()
    const full = KEY.exec((await create(browser, { name: 'a private name' })).body)?.[0] ?? ''
    const [key] = await listKeys(stage.people.access, { username: user.username })
    for (const isAdmin of [false, true]) {
      const stranger = await stage.signedIn({ isAdmin })
      expect((await stranger.browser.get('/settings/keys')).body).not.toContain('a private name')
      for (const verb of ['rotate', 'revoke']) {
        const path = `/settings/keys/${key?.id}/${verb}`
        const replies = [
          await stranger.browser.get(path),
          await stranger.browser.submit(path, {}, '/settings/keys/new'),
        ]
        for (const { statusCode, body } of replies) {
          expect(statusCode).toBe(404)
          expect(body).not.toContain('a private name')
        }
      }
    }
    expect(await listKeys(stage.people.access, { username: user.username })).toEqual([key])
    expect(await reasonOf(full)).toBe('good')
  })

  it('are paginated when there are many keys', async () => {
    const { user, browser } = await stage.signedIn()
    const context = { ...stage.people.access, randomBytes, maxKeysPerUser: 60 }
    for (let n = 0; n < 51; n++) await createKey(context, { owner: { userId: user.id }, name: `number ${n}` })
    const first = (await browser.get('/settings/keys')).body
    const next = /href="(\/settings\/keys\?after=\d+)"/.exec(first)?.[1] ?? ''
    expect([first.includes('number 49'), first.includes('number 50')]).toEqual([true, false])
    expect((await browser.get(next)).body).toContain('number 50')
  })
})
