import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { catalogueOf } from '../../search/engine-catalogue.ts'
import { openSiteStage, type SiteStage, textOf } from '../site.test-harness.ts'
import type { EngineAdmin, SiteServices } from '../site-services.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const ADMIN = { userId: '1', username: 'ada', isAdmin: true, sessionId: '1' }
const catalogue = catalogueOf({ engines: ALL_ENGINES, slots: new Map(), missingOf: new Map() })

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
  })
  return stage.browser(ADMIN)
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
    expect(text).toMatch(/Brave 40 25% 37\.5% 300 ms 20% US\$0\.001 /)
  })

  it('shows a notice while contributions cannot be read', async () => {
    const browser = await open({ contributions: () => Promise.reject(new Error('away')) })
    const { statusCode, body } = await browser.get('/admin/providers')
    expect(statusCode).toBe(200)
    expect(body).toContain('What engines contributed is not available right now.')
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
