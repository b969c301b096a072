import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { describe, expect, it } from 'vitest'
import type { ProviderStatus, ProviderStatusBoard } from '../../health/provider-status.ts'
import type { ProviderTransition } from '../../health/transition-history.ts'
import { catalogueOf } from '../../search/engine-catalogue.ts'
import { ADMIN, openSiteStage, type SiteStage, type SiteStubs } from '../site.test-harness.ts'
import { statusPage } from './status-page.ts'

const NOW = Date.UTC(2026, 10, 15, 12)

const provider = (name: string, state: 'up' | 'down' | 'unknown', group = 'web'): ProviderStatus => ({
  provider: name.toLowerCase(),
  slug: name.toLowerCase(),
  name,
  group,
  monitor: 'query',
  health:
    state === 'unknown'
      ? undefined
      : {
          state,
          checkedAt: NOW,
          lastOkAt: NOW,
          lastError: 'The provider did not respond in time.',
          consecutiveFailures: 0,
        },
})

const wentDown: ProviderTransition = {
  provider: 'mojeek',
  group: 'web',
  from: 'up',
  to: 'down',
  at: NOW - 3_600_000,
  reason: 'throttled',
}

let stage: SiteStage | undefined

async function open(
  providers: ProviderStatus[],
  transitions: () => Promise<ProviderTransition[]>,
  own: Partial<SiteStubs> = {},
) {
  const status: ProviderStatusBoard = {
    list: async () => providers,
    record: () => undefined,
    close: async () => undefined,
  }
  stage = await openSiteStage({ status, transitions, clock: () => NOW, ...own }, [statusPage])
  return stage
}

describe('the status page', () => {
  it('names providers used without a contract', async () => {
    const catalogue = catalogueOf({ engines: ALL_ENGINES, slots: new Map(), missingOf: new Map() })
    const engines = {
      catalogue,
      contributions: async () => [],
      tryEngine: async () => undefined,
      spentQuotas: async () => [],
    }
    const all = [provider('Brave', 'up'), provider('YouFree', 'up'), provider('DuckDuckGo', 'up', 'suggest')]
    const { browser } = await open(all, async () => [], { engines })
    expect((await browser().get('/status')).body).toContain(
      'Used without a contract: YouFree and DuckDuckGo. The query, its language and filters,',
    )
    const other = await open([provider('Brave', 'up')], async () => [], { engines })
    expect((await other.browser().get('/status')).body).not.toContain('without a contract')
  })

  it('shows each provider’s state and its last days, those that are down first', async () => {
    const { browser } = await open([provider('Brave', 'up'), provider('Mojeek', 'down')], async () => [wentDown])
    const { body } = await browser().get('/status')
    expect(body).toContain('One of 2 providers is down.')
    expect(body.match(/class="day-bars"/g)).toHaveLength(2)
    // What is down comes first, and the days of a provider are a few shapes, not one each.
    expect(body.indexOf('Mojeek')).toBeLessThan(body.indexOf('Brave'))
    expect(body.match(/<path class="bar-/g)?.length).toBeLessThan(8)
    expect(body).toContain('Up 100% of the observed time')
    expect(body).toContain('It is rate-limiting this server.')
  })

  it('tells administrators, and only them, what can be done', async () => {
    const { browser } = await open([provider('Mojeek', 'down')], async () => [wentDown])
    expect((await browser().get('/status')).body).not.toContain('Lower its rate limit')
    expect((await browser(ADMIN).get('/status')).body).toContain('Lower its rate limit')
  })

  it('still shows the current state if the history cannot be read', async () => {
    const { browser } = await open([provider('Brave', 'up')], () => Promise.reject(new Error('away')))
    const reply = await browser().get('/status')
    expect(reply.status).toBe(200)
    expect(reply.body).toContain('All providers are up.')
    expect(reply.body).toContain('The history is not available right now.')
  })

  it('says so if no provider is configured', async () => {
    const { browser } = await open([], async () => [])
    expect((await browser().get('/status')).body).toContain('No providers configured')
  })
})
