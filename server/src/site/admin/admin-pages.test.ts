import { afterEach, describe, expect, it } from 'vitest'
import type { BudgetSettings } from '../../budget/provider-budget.ts'
import type { ProviderStatus } from '../../health/provider-status.ts'
import type { ProviderTransition } from '../../health/transition-history.ts'
import type { DayCount } from '../../usage/usage.ts'
import { openSiteStage, type SiteStage, textOf } from '../site.test-harness.ts'
import type { SiteServices } from '../site-services.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const ADMIN = { userId: '1', username: 'ada', isAdmin: true, sessionId: '1' }
const HOUR = 3_600_000

let stage: SiteStage | undefined
afterEach(() => stage?.close())

async function open(given: Partial<SiteServices>) {
  stage = await openSiteStage({ clock: () => NOW, ...given })
  return stage
}

const role = (name: string, group: string, state: 'up' | 'down'): ProviderStatus => ({
  provider: name.toLowerCase(),
  slug: name.toLowerCase(),
  name,
  group,
  monitor: 'query',
  health: {
    state,
    checkedAt: NOW,
    lastOkAt: NOW,
    lastError: 'The provider did not respond in time.',
    consecutiveFailures: 0,
  },
})

type Move = Pick<ProviderTransition, 'from' | 'to' | 'reason'>
const change = (hoursAgo: number, move: Move): ProviderTransition => ({
  provider: 'mojeek',
  group: 'web',
  at: NOW - hoursAgo * HOUR,
  ...move,
})

const NO_ENGINES: SiteServices['engines'] = {
  catalogue: [],
  contributions: async () => [],
  tryEngine: async () => undefined,
  spentQuotas: async () => [],
}

interface ProviderScene {
  roles?: ProviderStatus[]
  costs?: Record<string, [calls: number, micros: number]>
  budgets?: Record<string, BudgetSettings>
  changes?: ProviderTransition[]
}

function providerServices({
  roles = [],
  costs = {},
  budgets = {},
  changes = [],
}: ProviderScene): Partial<SiteServices> {
  return {
    status: { list: async () => roles, record: () => undefined, close: async () => undefined },
    engines: NO_ENGINES,
    transitions: async (sinceMs) => changes.filter(({ at }) => at >= sinceMs),
    costs: {
      ofMonth: async (month) =>
        month === '2026-11'
          ? Object.entries(costs).map(([provider, [calls, micros]]) => ({ provider, calls, micros }))
          : [],
      budgets: new Map(Object.entries(budgets)),
    },
  }
}

const readProviders = async (scene: ProviderScene) =>
  await (await open(providerServices(scene))).browser(ADMIN).get('/admin/providers')

describe('Administration → Providers', () => {
  it('shows what each provider serves, its health, and its costs against its caps', async () => {
    const { body } = await readProviders({
      roles: [
        { ...role('Brave', 'web', 'up'), slug: 'engine_a' },
        role('Brave', 'images', 'up'),
        role('Mojeek', 'web', 'up'),
      ],
      costs: { brave: [1_234, 6_170_000], mojeek: [2, 8_000] },
      budgets: {
        brave: { callsPerMonth: 3_000, microsPerMonth: 20_000_000, pricePerCallMicros: 5_000 },
        mojeek: { pricePerCallMicros: 4_000 },
      },
    })
    const text = textOf(body)
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
  ])('says until when a provider is not asked whose %s do not allow another call', async (_, cost, budget) => {
    const { body } = await readProviders({
      roles: [role('Brave', 'web', 'up')],
      costs: { brave: cost },
      budgets: { brave: budget },
    })
    expect(body).toContain('This provider will not be used again until 1 December 2026.')
  })

  it('shows what is wrong and what to do about it, and lists state changes, newest first', async () => {
    const changes = [
      change(24 * 60, { from: 'up', to: 'down', reason: 'blocked' }),
      change(300, { from: 'unknown', to: 'up', reason: 'ok' }),
      change(20, { from: 'up', to: 'down', reason: 'timeout' }),
      change(19, { from: 'down', to: 'up', reason: 'ok' }),
      change(2, { from: 'up', to: 'down', reason: 'throttled' }),
    ]
    const { body } = await readProviders({ roles: [role('Mojeek', 'web', 'down')], changes })
    expect(body).toContain('It is rate-limiting this server. Lower its rate limit')
    const list = textOf(body.slice(body.lastIndexOf('State changes</h2>')))
    expect(list).toMatch(
      /Down It is rate-limiting this server\. .* Up It responded\. .* Down It does not respond in time\./,
    )
    expect(list).toContain('15 Nov 2026, 10:00 UTC')
    expect(list.match(/Mojeek/g)).toHaveLength(3)
  })

  it('handles an unused provider, a free one, and a month without changes', async () => {
    const { body } = await readProviders({
      roles: [role('Marginalia', 'web', 'up'), role('Photon', 'maps', 'up')],
      costs: { photon: [1, 0] },
    })
    expect(body).toContain('No calls this month.')
    expect(body).toContain('1 call this month, free of charge.')
    expect(body).toContain('No changes in the last 30 days.')
  })

  it('still shows current health when history and costs cannot be read, and logs why', async () => {
    const away = () => Promise.reject(new Error('away'))
    const given = providerServices({ roles: [role('Brave', 'web', 'up')] })
    const { browser, logged } = await open({
      ...given,
      transitions: away,
      costs: { ofMonth: away, budgets: new Map() },
    })
    const reply = await browser(ADMIN).get('/admin/providers')
    expect(reply.statusCode).toBe(200)
    expect(textOf(reply.body)).toMatch(/Costs are not available .* The history is not available .* Brave brave Web Up/)
    expect(logged()).toContain('could not read the history or costs of the providers')
  })

  it('shows the first step when nothing is configured', async () => {
    expect((await readProviders({})).body).toContain('No providers configured')
  })

  it('escapes names', async () => {
    const { body } = await readProviders({ roles: [role('<b>x</b>', '<i>y</i>', 'up')] })
    expect(body).toContain('&lt;b&gt;x&lt;/b&gt;')
    expect(body).not.toMatch(/<b>|<i>/)
  })
})

const usageServices = (counts: () => Promise<DayCount[]>) =>
  // The page asks for nothing else.
  ({ usage: { ofInstance: counts } }) as unknown as Partial<SiteServices>

describe('Administration → Instance usage', () => {
  it('shows all keys together by day and kind', async () => {
    const { browser } = await open(
      usageServices(async () => [
        { day: '2026-11-14', endpoint: 'web_search', count: 1_000 },
        { day: '2026-11-15', endpoint: 'instant', count: 1 },
      ]),
    )
    const { body } = await browser(ADMIN).get('/admin/usage')
    expect(body).toContain('1,001 requests in the last 30 days')
    expect(body).toContain('<title>14 Nov: 1,000</title>')
    expect(textOf(body)).toContain('Web 1,000 1,000 Instant answers 1 1 Total 1,001 1,001')
  })

  it('explains itself while there is no usage', async () => {
    const { browser } = await open(usageServices(async () => []))
    expect((await browser(ADMIN).get('/admin/usage')).body).toContain('No API requests yet')
  })

  it('503: the usage cannot be read, and the log says why', async () => {
    const { browser, logged } = await open(usageServices(() => Promise.reject(new Error('away'))))
    const reply = await browser(ADMIN).get('/admin/usage')
    expect(reply.statusCode).toBe(503)
    expect(reply.body).toContain('No data is lost')
    expect(logged()).toContain('could not read the usage of the instance')
  })
})

describe.each(['/admin/providers', '/admin/usage'])('%s', (path) => {
  it('403: users who are not administrators; visitors are sent to sign in', async () => {
    const { browser } = await open({})
    expect((await browser({ ...ADMIN, isAdmin: false }).get(path)).statusCode).toBe(403)
    expect((await browser().get(path)).headers.location).toBe(`/login?next=${encodeURIComponent(path)}`)
  })
})
