import { describe, expect, it } from 'vitest'
import type { BudgetSettings } from '../../budget/provider-budget.ts'
import type { ProviderStatus } from '../../health/provider-status.ts'
import type { ProviderTransition } from '../../health/transition-history.ts'
import type { DayCount } from '../../usage/usage.ts'
import { ADMIN, openSiteStage, pagesUnder, providerStatus, type SiteStubs, statusBoard } from '../site.test-harness.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const away = () => Promise.reject(new Error('away'))

async function read(path: string, services: Partial<SiteStubs>) {
  const { browser, logged } = await openSiteStage({ clock: () => NOW, ...services }, pagesUnder(path))
  const { status, body, text } = await browser(ADMIN).get(path)
  return { status, body, text, logged: logged() }
}

const changed = (
  hoursAgo: number,
  from: ProviderTransition['from'],
  to: ProviderTransition['to'],
  reason: ProviderTransition['reason'],
): ProviderTransition => ({ provider: 'mojeek', group: 'web', at: NOW - hoursAgo * 3_600_000, from, to, reason })

interface ProviderScene {
  roles?: ProviderStatus[]
  costs?: Record<string, [calls: number, micros: number]>
  budgets?: Record<string, BudgetSettings>
  changes?: ProviderTransition[]
}

const readProviders = (
  { roles = [], costs = {}, budgets = {}, changes = [] }: ProviderScene,
  services: Partial<SiteStubs> = {},
) =>
  read('/admin/providers', {
    status: statusBoard(...roles),
    transitions: async (sinceMs) => changes.filter(({ at }) => at >= sinceMs),
    costs: {
      async ofMonth(month) {
        if (month !== '2026-11') return []
        return Object.entries(costs).map(([provider, [calls, micros]]) => ({ provider, calls, micros }))
      },
      budgets: new Map(Object.entries(budgets)),
    },
    ...services,
  })

const BRAVE = providerStatus('Brave', 'up')

describe('Administration → Providers', () => {
  it('shows what each provider serves, its health, and its costs against its caps', async () => {
    const { body, text } = await readProviders({
      roles: [{ ...BRAVE, slug: 'engine_a' }, providerStatus('Brave', 'up', 'images'), providerStatus('Mojeek', 'up')],
      costs: { brave: [1_234, 6_170_000], mojeek: [2, 8_000] },
      budgets: {
        brave: { callsPerMonth: 3_000, microsPerMonth: 20_000_000, pricePerCallMicros: 5_000 },
        mojeek: { pricePerCallMicros: 4_000 },
      },
    })
    expect(text).toContain('November 2026 so far: 1,236 calls, US$6.18.')
    expect(text).toMatch(/Brave brave Web engine_a .* Up Images .* Up Spent this month US\$6\.17 of US\$20\.00/)
    expect(text).toContain('Calls this month 1,234 of 3,000')
    expect(body).toContain('value="6170000"')
    expect(text).toContain('2 calls this month, US$0.01 at US$0.004 each. No cap. Set MOJEEK_MONTHLY_USD to add one.')
    expect(body.match(/<li class="provider">/g)).toHaveLength(2)
    expect(body.match(/class="day-bars"/g)).toHaveLength(3)
    expect(text).not.toContain('used up')
  })

  it.each<[string, [number, number], BudgetSettings]>([
    ['calls', [40, 0], { callsPerMonth: 40, pricePerCallMicros: 0 }],
    ['money', [3, 14_000], { microsPerMonth: 15_000, pricePerCallMicros: 5_000 }],
  ])('says until when a provider is not asked whose %s do not allow another call', async (_, cost, brave) => {
    const { body } = await readProviders({ roles: [BRAVE], costs: { brave: cost }, budgets: { brave } })
    expect(body).toContain('This provider will not be used again until 1 December 2026.')
  })

  it('shows what is wrong and what to do about it, and lists state changes, newest first', async () => {
    const changes = [
      changed(24 * 60, 'up', 'down', 'blocked'),
      changed(300, 'unknown', 'up', 'ok'),
      changed(20, 'up', 'down', 'timeout'),
      changed(19, 'down', 'up', 'ok'),
      changed(2, 'up', 'down', 'throttled'),
    ]
    const { text } = await readProviders({ roles: [providerStatus('Mojeek', 'down')], changes })
    expect(text).toContain('It is rate-limiting this server. Lower its rate limit')
    const list = text.slice(text.lastIndexOf('State changes'))
    expect(list).toMatch(/Down It is rate-limiting this server\. .* Up It responded\. .* Down It does not respond in/)
    expect(list).toContain('15 Nov 2026, 10:00 UTC')
    expect(list.match(/Mojeek/g)).toHaveLength(3)
  })

  it('handles an unused provider, a free one, and a month without changes', async () => {
    const roles = [providerStatus('<b>Marginalia</b>', 'up'), providerStatus('Photon', 'up', 'maps')]
    const { body } = await readProviders({ roles, costs: { photon: [1, 0] } })
    expect(body).toContain('&lt;b&gt;Marginalia')
    expect(body).toContain('No calls this month.')
    expect(body).toContain('1 call this month, free of charge.')
    expect(body).toContain('No changes in the last 30 days.')
  })

  it('still shows current health when history and costs cannot be read, and logs why', async () => {
    const costs = { ofMonth: away, budgets: new Map() }
    const page = await readProviders({ roles: [BRAVE] }, { transitions: away, costs })
    expect(page.status).toBe(200)
    expect(page.text).toMatch(/Costs are not available .* The history is not available .* Brave brave Web Up/)
    expect(page.logged).toContain('could not read the history or costs of the providers')
  })

  it('shows the first step when nothing is configured', async () => {
    expect((await readProviders({})).body).toContain('No providers configured')
  })
})

describe('Administration → Instance usage', () => {
  const readUsage = (ofInstance: () => Promise<DayCount[]>) =>
    // The page asks for nothing else.
    read('/admin/usage', { usage: { ofInstance } } as unknown as Partial<SiteStubs>)

  it('shows all keys together by day and kind', async () => {
    const { body, text } = await readUsage(async () => [
      { day: '2026-11-14', endpoint: 'web_search', count: 1_000 },
      { day: '2026-11-15', endpoint: 'instant', count: 1 },
    ])
    expect(body).toContain('1,001 requests in the last 30 days')
    expect(body).toContain('<title>14 Nov: 1,000</title>')
    expect(text).toContain('Web 1,000 1,000 Instant answers 1 1 Total 1,001 1,001')
  })

  it('explains itself while there is no usage', async () => {
    expect((await readUsage(async () => [])).body).toContain('No API requests yet')
  })

  it('503: the usage cannot be read, and the log says why', async () => {
    const page = await readUsage(away)
    expect(page.status).toBe(503)
    expect(page.body).toContain('No data is lost')
    expect(page.logged).toContain('could not read the usage of the instance')
  })
})
