import { describe, expect, it } from 'vitest'
import {
  ADMIN,
  engineAdmin,
  openSiteStage,
  pagesUnder,
  providerStatus,
  shippedEngines,
  statusBoard,
  textOf,
} from '../site.test-harness.ts'
import type { EngineAdmin } from './engine-admin.ts'

async function readPage(engines: Partial<EngineAdmin>) {
  const services = {
    clock: () => Date.UTC(2026, 10, 15, 12),
    engines: engineAdmin({ catalogue: shippedEngines(), ...engines }),
    status: statusBoard(
      { ...providerStatus('You.com (keyless)', 'unknown'), provider: 'youfree' },
      providerStatus('GNews', 'unknown'),
      providerStatus('Brave', 'unknown'),
    ),
    transitions: async () => [],
  }
  const stage = await openSiteStage(services, pagesUnder('/admin/providers'))
  return await stage.browser(ADMIN).get('/admin/providers')
}

describe('engines in Administration → Providers', () => {
  it('shows what each contributed in the last 30 days, as shares, time and cost', async () => {
    const since: string[] = []
    const counted = { searches: 40, results: 1_000, returned: 400, alone: 250, calls: 50, failures: 10 }
    const { text } = await readPage({
      async contributions(day) {
        since.push(day)
        return [{ engine: 'brave', ...counted, answerMs: 12_000, micros: 250_000 }]
      },
    })
    expect(since).toEqual(['2026-10-17'])
    expect(text).toContain('Brave 40 25% 37.5% 300 ms 20% US$0.001 ')
  })

  it('shows a notice while contributions cannot be read', async () => {
    const { status, body } = await readPage({ contributions: () => Promise.reject(new Error('away')) })
    expect(status).toBe(200)
    expect(body).toContain('What engines contributed is not available right now.')
  })

  it('shows which provider has used up its daily calls, until when, and the remedy', async () => {
    const { body } = await readPage({
      spentQuotas: async () => [
        { slug: 'youfree', calls: 100, waitMs: 5_400_000 },
        { slug: 'gnews', calls: 1_000, waitMs: 60_000 },
      ],
    })
    const [youfree, gnews, brave] = body.split('<li class="provider">').slice(1).map(textOf)
    expect(youfree).toContain('Its 100 calls for the day are used up. The next one is possible on 15 Nov 2026, 13:30')
    expect(youfree).toContain('set YOU_API_KEY, write you in place of youfree in its slot')
    expect(gnews).toContain('Its 1,000 calls for the day are used up.')
    expect(gnews).toContain('set GNEWS_RATE_LIMIT to the rate that it allows')
    expect(brave).not.toContain('used up')
  })
})
