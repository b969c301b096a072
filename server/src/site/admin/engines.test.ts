import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { readFixture } from '../../../../engines/test/read-fixture.ts'
import { catalogueOf } from '../../search/engine-catalogue.ts'
import type { BoundEngine } from '../../search/plan.ts'
import { tryEngine } from '../../search/try-engine.ts'
import { openSiteStage, type SiteStage, textOf } from '../site.test-harness.ts'
import type { EngineAdmin, SiteServices } from '../site-services.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const ADMIN = { userId: '1', username: 'ada', isAdmin: true, sessionId: '1' }
const KEY = 'k3y-of-brave'
const catalogue = catalogueOf({
  engines: ALL_ENGINES,
  slots: new Map([
    ['engine_a', { web: ['brave'] }],
    ['engine_b', { web: ['mojeek'] }],
  ]),
  missingOf: new Map([['mojeek', ['MOJEEK_API_KEY']]]),
})

let stage: SiteStage | undefined
afterEach(() => stage?.close())

async function open(desk: Partial<EngineAdmin> = {}, status: Partial<SiteServices['status']> = {}) {
  const engines: EngineAdmin = {
    catalogue,
    contributions: async () => [],
    tryEngine: async () => undefined,
    spentQuotas: async () => [],
    ...desk,
  }
  stage = await openSiteStage({
    clock: () => NOW,
    engines,
    status: { list: async () => [], record: () => undefined, close: async () => undefined, ...status },
    transitions: async () => [],
    costs: { ofMonth: async () => [], budgets: new Map() },
  })
  return stage.browser(ADMIN)
}

/** What the real Brave adapter makes of a reply. */
const tryBrave = (ask: BoundEngine['ask']): EngineAdmin['tryEngine'] => {
  return async ({ slug, text }) => {
    const engine = ALL_ENGINES.find((candidate) => candidate.slug === slug)
    if (!engine) return undefined
    const settings = { apiKey: KEY, baseUrl: '' }
    const query = { text, page: 1, safe: true, date: undefined, lang: '', now: NOW }
    const deadline = createDeadline(1_000)
    const report = await tryEngine({ engine, settings, ask }, { tab: 'web', query, deadline })
    deadline.cancel()
    return report
  }
}

describe('engines in Administration → Providers', () => {
  it('shows what each contributed in the last 30 days, as shares, time and cost', async () => {
    const since: string[] = []
    const browser = await open({
      async contributions(day) {
        since.push(day)
        const counted = { searches: 40, results: 1_000, returned: 400, alone: 250, calls: 50, failures: 10 }
        return [{ engine: 'brave', ...counted, answerMs: 12_000, micros: 250_000 }]
      },
    })
    const text = textOf((await browser.get('/admin/providers')).body)
    expect(since).toEqual(['2026-10-17'])
    expect(text).toMatch(/Brave 40 25% 37\.5% 300 ms 20% \$0\.001 /)
  })

  it('lists every engine with the settings it needs', async () => {
    const text = textOf((await (await open()).get('/admin/providers')).body)
    expect(text).toMatch(/Mojeek mojeek missing a setting .*? MOJEEK_API_KEY/)
    expect(text).toMatch(/You\.com \(keyless\) youfree not bound .*? nothing \(no contract with the provider\)/)
  })

  it('shows a notice while contributions cannot be read', async () => {
    const browser = await open({ contributions: () => Promise.reject(new Error('away')) })
    const { statusCode, body } = await browser.get('/admin/providers')
    expect(statusCode).toBe(200)
    expect(body).toContain('What engines contributed is not available right now.')
  })
})

describe('trying an engine', () => {
  const fields = { what: 'brave web', q: 'oil lamp <b>' }
  const submit = (browser: Awaited<ReturnType<typeof open>>, given = fields) =>
    browser.submit('/admin/providers/try', given, '/admin/providers')

  it('shows the request without its key, the results and the terms, and logs nothing of it', async () => {
    const browser = await open({
      tryEngine: tryBrave(async (_ask, _until, read) => read(readFixture('brave-web-page'))),
    })
    const { statusCode, headers, body } = await submit(browser)
    expect(statusCode).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    expect(body).toContain('GET /res/v1/web/search?q=oil%20lamp%20%3Cb%3E')
    expect(body).toContain('x-subscription-token: •••')
    expect(body).not.toContain(KEY)
    expect(body).not.toContain('lamp <b>')
    expect(textOf(body)).toMatch(/Status 200, [\d,]+ bytes, after \d+ ms\./)
    expect(textOf(body)).toContain('Looked up on 2026-11-15.')
    expect(stage?.logged()).not.toContain('lamp')
  })

  it('says what went wrong', async () => {
    const ask = () => Promise.reject(new UpstreamError('timeout', 'late'))
    const text = textOf((await submit(await open({ tryEngine: tryBrave(ask) }))).body)
    expect(text).toContain('(timeout)')
    expect(text).toMatch(/No reply after \d+ ms\./)
  })

  it('400: an engine that is not on, or no query', async () => {
    const browser = await open()
    expect((await submit(browser, { ...fields, what: 'kagi web' })).statusCode).toBe(400)
    expect((await submit(browser, { ...fields, what: '../../x' })).statusCode).toBe(400)
    const { statusCode, body } = await submit(browser, { ...fields, q: ' ' })
    expect(statusCode).toBe(400)
    expect(body).toContain('Enter what to search for.')
  })

  it('403: without the CSRF token, or for a user who is not an administrator', async () => {
    const browser = await open()
    expect((await browser.post('/admin/providers/try', fields)).statusCode).toBe(403)
    const other = stage?.browser({ ...ADMIN, isAdmin: false })
    expect((await other?.post('/admin/providers/try', fields))?.statusCode).toBe(403)
  })

  it('shows which provider has used up its daily calls, until when, and the remedy', async () => {
    const role = (provider: string, name: string) => ({
      slug: provider,
      provider,
      name,
      group: 'web',
      monitor: 'query',
    })
    const list = async () => [role('youfree', 'You.com (keyless)'), role('gnews', 'GNews'), role('brave', 'Brave')]
    const spentQuotas = async () => [
      { slug: 'youfree', calls: 100, waitMs: 5_400_000 },
      { slug: 'gnews', calls: 1_000, waitMs: 60_000 },
    ]
    const { get } = await open({ spentQuotas }, { list } as unknown as Partial<SiteServices['status']>)
    const items = (await get('/admin/providers')).body.split('<li class="provider">').slice(1).map(textOf)
    expect(items[0]).toContain('Its 100 calls for the day are used up. The next one is possible on 15 Nov 2026, 13:30')
    expect(items[0]).toContain('set YOU_API_KEY, write you in place of youfree in its slot')
    expect(items[1]).toContain('Its 1,000 calls for the day are used up.')
    expect(items[1]).toContain('set GNEWS_RATE_LIMIT to the rate that it allows')
    expect(items[2]).not.toContain('used up')
  })
})
