import { beforeEach, describe, expect, it } from 'vitest'
import { setUpAccounts } from '../../accounts/accounts.test-harness.ts'
import { createKey, revokeKey } from '../../keys/keys.ts'
import { createLog } from '../../log.ts'
import type { Limits, Rate } from '../../rate-limit/rate-limiter.ts'
import { createRateLimiter } from '../../rate-limit/rate-limiter-with-fallback.ts'
import { Usage } from '../../usage/usage.ts'
import { openSiteStage, type SiteStage, type SiteStubs } from '../site.test-harness.ts'

const PATH = '/settings/usage'
const log = createLog('silent')
const limits: Limits = {
  burst: { count: 60, windowMs: 60_000 },
  sustained: { count: 5_000, windowMs: 86_400_000 },
  monthlyCap: undefined,
}

describe('Settings → Usage', () => {
  const people = setUpAccounts('postgres')
  let site: SiteStage
  let rateLimiter: ReturnType<typeof createRateLimiter>
  let usage: Usage
  let services: Partial<SiteStubs>

  beforeEach(async () => {
    const clock = () => people.now
    const { db } = people.access
    usage = new Usage({ db, clock, log })
    rateLimiter = createRateLimiter({ redis: undefined, clock, loadMonthUsage: usage.loadMonth })
    services = {
      accounts: people.accounts,
      usage: {
        ofKeys: usage.readOfKeys,
        ofInstance: async () => [],
        limits,
        peek: ({ id: subject }, limits) => rateLimiter.peek({ subject, limits }),
      },
      clock,
    }
    site = await openSiteStage(services)
  })

  async function openUser() {
    const { id, username } = await people.addUser()
    const browser = site.browser({ userId: id, username, isAdmin: false, sessionId: '1' })
    const addKey = async (name: string, own: { burst?: string } = {}) =>
      (await createKey(people.access, { owner: { username }, name, ...own })).key.id
    return { browser, addKey }
  }

  const consume = async (subject: string, times: number, own: { endpoint?: string; burst?: Rate } = {}) => {
    const { endpoint = 'web_search', burst = limits.burst } = own
    for (let i = 0; i < times; i++) {
      await rateLimiter.consume({ subject, limits: { ...limits, burst }, counts: true })
      usage.count(subject, endpoint)
    }
  }
  const write = (keyId: string, day: string, counted: number) =>
    people.access.db
      .insertInto('usage_daily')
      .values({ day, key_id: keyId, endpoint: 'news_search', source: 'test', counted })
      .execute()

  it('shows all keys together by day and kind, including unflushed requests', async () => {
    const { browser, addKey } = await openUser()
    const [one, other] = [await addKey('laptop'), await addKey('phone')]
    await consume(one, 3)
    await consume(other, 2, { endpoint: 'maps' })
    await write(one, '2026-10-20', 1_234)
    const { body, text, status } = await browser.get(PATH)
    expect(status).toBe(200)
    expect(body).toContain('1,239 requests in the last 30 days')
    expect(body).toContain('1,234 on the busiest day, 20 Oct')
    expect(body.match(/<g><title>/g)).toHaveLength(27)
    expect(body).toContain('<title>20 Oct: 1,234</title>')
    expect(body).toContain('<title>15 Nov: 5</title>')
    expect(body.match(/class="usage-bar"/g)).toHaveLength(1)
    expect(body.match(/class="usage-today" fill="url\(#usage-hatching\)"/g)).toHaveLength(1)
    expect(text).toContain('News 0 1,234 Web 3 3 Maps 2 2 Total 5 1,239')
    expect(text).toMatch(/laptop bowerbird_\w{8}… 3 1,237 Last minute 3 of 60/)
    expect(text).toMatch(/phone bowerbird_\w{8}… 2 2 Last minute 2 of 60/)
  })

  it('shows one key with its own limits', async () => {
    const { browser, addKey } = await openUser()
    const [one, other] = [await addKey('laptop', { burst: '2/s' }), await addKey('phone')]
    await consume(one, 2, { burst: { count: 2, windowMs: 1_000 } })
    await consume(other, 7)
    const { body, text } = await browser.get(`${PATH}?key=${one}`)
    expect(body).toContain('2 requests in the last 30 days')
    expect(text).toContain('Last second 2 of 2')
    expect(text).toContain('Last 24 hours 2 of 5,000')
    expect(text).toContain('Limit reached. The next request is allowed in 1 second.')
    expect(text).not.toContain('phone')
  })

  it('shows the monthly cap if there is one', async () => {
    const { browser, addKey } = await openUser()
    const key = await addKey('laptop')
    await consume(key, 4)
    if (services.usage) services.usage.limits = { ...limits, monthlyCap: 1_000 }
    expect((await browser.get(PATH)).text).toContain('4 of 1,000')
    expect((await browser.get(`${PATH}?key=${key}`)).text).toContain('This month 4 of 1,000')
    if (services.usage) services.usage.limits = { ...limits, monthlyCap: 4 }
    expect((await browser.get(`${PATH}?key=${key}`)).body).toContain('The next request is allowed in 16 days.')
  })

  it('includes the usage of revoked keys, but not unused ones', async () => {
    const { browser, addKey } = await openUser()
    const [used, unused] = [await addKey('used before'), await addKey('never used')]
    await consume(used, 5)
    for (const id of [used, unused]) await revokeKey(people.access, id)
    const text = (await browser.get(PATH)).text
    expect(text).toContain('5 requests in the last 30 days')
    expect(text).toMatch(/used before \S+ 5 5 revoked/)
    expect(text).not.toContain('never used')
    expect((await browser.get(`${PATH}?key=${used}`)).text).toContain('revoked')
  })

  it('404: another user’s key', async () => {
    const { addKey } = await openUser()
    const foreign = await addKey('a private name')
    const { browser } = await openUser()
    for (const key of [foreign, '0', 'x', '', '1%27%20or%201=1']) {
      const reply = await browser.get(`${PATH}?key=${key}`)
      expect(reply.status, key).toBe(404)
      expect(reply.body).not.toContain('a private name')
    }
    expect((await browser.get(PATH)).body).not.toContain('a private name')
  })

  it('without a key, explains itself and offers the first step', async () => {
    const { browser } = await openUser()
    const { body } = await browser.get(PATH)
    expect(body).toContain('No requests yet')
    expect(body).toContain('href="/settings/keys/new"')
  })

  it('with an unused key, says so instead of drawing an empty chart', async () => {
    const { browser, addKey } = await openUser()
    await addKey('laptop')
    const { body } = await browser.get(PATH)
    expect(body).toContain('No requests in the last 30 days.')
    expect(body).not.toContain('usage-chart')
  })

  it('says that the numbers are too low when the history cannot be read', async () => {
    const { browser, addKey } = await openUser()
    await addKey('laptop')
    if (services.usage) services.usage.ofKeys = async () => ({ counts: [], isComplete: false })
    expect((await browser.get(PATH)).body).toContain('these numbers are too low.')
  })
})
