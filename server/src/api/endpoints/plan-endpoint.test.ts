import { describe, expect, it } from 'vitest'
import type { PreviewedEngine } from '../../search/preview.ts'
import { setUpApi } from '../api.test-harness.ts'

const stage = setUpApi()

const engine = (slug: string, own: Partial<PreviewedEngine> = {}): PreviewedEngine => ({
  slot: `engine_${slug}`,
  slug,
  name: slug.toUpperCase(),
  index: slug,
  isLater: false,
  isCached: false,
  ignoresRegion: false,
  priceFactor: 1,
  ...own,
})

const plan = async (engines: PreviewedEngine[], parameters = '') => {
  stage.says.preview = async () => ({
    engines,
    skips: [{ slot: 'engine_z', name: 'Z', reason: 'date' }],
  })
  return await stage.get(`/api/v1/plan/?q=oak${parameters}`)
}
const actionsOf = ({ json }: Awaited<ReturnType<typeof plan>>) =>
  json.engines.map(({ action, cost_usd }: { action: string; cost_usd: number }) => [action, cost_usd])

describe('GET /api/v1/plan/', () => {
  it('says who would be asked, what it would cost, and who is skipped; asks nobody, and isn’t counted', async () => {
    stage.budgets.set('a', { pricePerCallMicros: 5_000 })
    stage.budgets.set('b', { pricePerCallMicros: 3_000 })
    const { status, json, headers } = await plan([
      engine('a'),
      engine('b', { isLater: true, priceFactor: 2 }),
      engine('c', { isCached: true }),
    ])
    expect(status).toBe(200)
    expect(json).toEqual({
      query: 'oak',
      tab: 'web',
      page: 1,
      engines: [
        { engine: 'engine_a', name: 'A', index: 'a', action: 'ask', cost_usd: 0.005, calls_left: null, usd_left: null },
        {
          engine: 'engine_b',
          name: 'B',
          index: 'b',
          action: 'ask_if_thin',
          cost_usd: 0.006,
          calls_left: null,
          usd_left: null,
        },
        { engine: 'engine_c', name: 'C', index: 'c', action: 'cached', cost_usd: 0, calls_left: null, usd_left: null },
      ],
      skipped: [{ engine: 'engine_z', name: 'Z', reason: 'date' }],
      cost_usd: { min: 0.005, max: 0.011 },
      complete: true,
    })
    expect(stage.asked.map(([name]) => name)).toEqual(['preview'])
    expect([stage.counted, stage.consumed.map(({ counts }) => counts)]).toEqual([[], [false]])
    expect(headers['ratelimit']).toBeDefined()
  })

  it('shows what is left of caps and quotas, and that an engine without any isn’t called', async () => {
    stage.budgets.set('a', { pricePerCallMicros: 5_000, callsPerMonth: 100, microsPerMonth: 1_000_000 })
    stage.budgets.set('b', { pricePerCallMicros: 5_000, microsPerMonth: 12_000 })
    stage.spentQuotas = [{ slug: 'c' }]
    stage.says.costs = async () => [
      { provider: 'a', calls: 40, micros: 200_000 },
      { provider: 'b', calls: 2, micros: 10_000 },
    ]
    const reply = await plan([engine('a'), engine('b'), engine('c')])
    expect(actionsOf(reply)).toEqual([
      ['ask', 0.005],
      ['over_budget', 0],
      ['quota_used_up', 0],
    ])
    expect(reply.json.engines[0]).toMatchObject({ calls_left: 60, usd_left: 0.8 })
    expect(reply.json.engines[1]).toMatchObject({ calls_left: null, usd_left: 0.002 })
    expect(stage.asked).toContainEqual(['costs', '2026-11'])
  })

  it('while budgets can’t be read, says so: engines with a cap rest until they can', async () => {
    stage.budgets.set('a', { pricePerCallMicros: 5_000, callsPerMonth: 100 })
    stage.says.costs = () => Promise.reject(new Error('away'))
    const reply = await plan([engine('a'), engine('b')])
    expect([reply.status, reply.json.complete, actionsOf(reply)]).toEqual([
      200,
      false,
      [
        ['over_budget', 0],
        ['ask', 0],
      ],
    ])
  })

  it('takes the parameters of a search, and a tab', async () => {
    await plan([], '&tab=news&page=2&safe=off&lang=de&date=w&engine=engine_a&include_domains=a.example')
    const [, tab, request] = stage.asked[0] ?? []
    expect(tab).toBe('news')
    expect(request).toMatchObject({
      text: 'oak',
      page: 2,
      safe: false,
      lang: 'de',
      date: 'w',
      engines: ['engine_a'],
      includeDomains: ['a.example'],
    })
  })

  it.each([
    ['tab=maps', { tab: ['Send one of web, images, news, videos, science, code.'] }],
    ['tab=images&date=d', { tab: ['Images have no dates. Leave date, date_from and date_to out.'] }],
  ])('400: %s', async (parameters, body) => {
    expect(await plan([], `&${parameters}`)).toMatchObject({ status: 400, json: body })
  })
})
