import { describe, expect, it } from 'vitest'
import { listKeys } from '../../keys/key-records.ts'
import { setUpAccountsSite } from '../accounts/accounts-site.test-harness.ts'
import type { Browser } from '../site.test-harness.ts'

const KEY = /bowerbird_[0-9A-Za-z]{8}\.[0-9A-Za-z]{49}/
const DAY_MS = 86_400_000
const stage = setUpAccountsSite({ areUrlKeysOn: true })

async function connect(browser: Browser, program: string) {
  const reply = await browser.submit(`/settings/connect/${program}`, {})
  return { ...reply, status: reply.status, key: KEY.exec(reply.body)?.[0] ?? '' }
}
const keysOf = (username: string) => listKeys(stage.people.access, { username, after: '0', limit: 50 })

describe('Settings → Connect', () => {
  it('shows the exact lines for this instance, and creates a key with the right scopes, shown once within them', async () => {
    const { browser, user } = await stage.signedIn()
    expect((await browser.get('/settings/connect/codex')).body).toContain('url = &quot;http://site.test/mcp&quot;')
    const { status, body, key, headers } = await connect(browser, 'codex')
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    expect(body).toContain(`Bearer ${key}`)
    const [made] = await keysOf(user.username)
    expect(made?.name).toBe('Codex')
    expect(made?.scopes).toEqual(['search', 'maps', 'translate', 'answers', 'read'])
    expect((await browser.get('/settings/keys')).body).not.toContain(key)
  })

  it('a key in a URL can only search, expires after 90 days, and comes with a warning', async () => {
    const { browser, user } = await stage.signedIn()
    const { body, key } = await connect(browser, 'vane')
    expect(body).toContain(`SEARXNG_API_URL=http://site.test/k/${key}/searxng`)
    expect(body).toContain('proxies and programs may write it into their logs')
    const [made] = await keysOf(user.username)
    expect(made?.scopes).toEqual(['search', 'address'])
    expect(made?.expiresAt?.getTime()).toBe(stage.people.now + 90 * DAY_MS)
  })

  it('shows the key on its own if the lines do not contain it', async () => {
    const { browser } = await stage.signedIn()
    const { body, key } = await connect(browser, 'vs-code')
    expect(key).not.toBe('')
    expect(body).toContain('{input:key}')
  })

  it('creates no key for a browser or an unknown program', async () => {
    const { browser, user } = await stage.signedIn()
    const reply = await browser.submit('/settings/connect/firefox', {}, '/settings/connect/codex')
    expect(reply.status).toBe(200)
    expect(reply.body).not.toMatch(KEY)
    expect((await browser.submit('/settings/connect/nothing', {}, '/settings/connect/codex')).status).toBe(404)
    expect(await keysOf(user.username)).toEqual([])
  })
})
