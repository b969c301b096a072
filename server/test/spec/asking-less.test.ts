// Whose index, engines that wait for the others, and the plan of a search, on a whole instance with real stores.
import { describe, expect, it } from 'vitest'
import { useTestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'
import { WITHOUT_RATE_LIMIT } from './without-upstream-rate-limit.ts'

const CAP = 3

const server = useTestInstance({
  ...WITHOUT_RATE_LIMIT,
  ENGINE_A: 'web:brave',
  ENGINE_B: 'web:serper',
  ENGINE_C: 'web:searchapi',
  ENGINE_D: 'web:mojeek',
  ENGINE_D_WHEN: 'thin:5:0',
  ENGINE_E: 'web:kagi',
  ENGINE_E_WHEN: 'thin:50:0',
  KAGI_MONTHLY_CALLS: `${CAP}`,
  KAGI_PRICE_PER_CALL: '0.025',
})

interface Result {
  url: string
  explain: { score: number; engines: { engine: string; index: string; addition: number }[] }
}

/** Serper can't filter, so it is only asked without. */
const unsafe = (parameters: string) => (parameters.includes('safe=') ? parameters : `safe=off&${parameters}`)

const search = async (parameters: string) => {
  const { status, json, headers } = await server.api.get(`/api/v1/web/?${unsafe(parameters)}`)
  const results: Result[] = json.results
  return { status, json, results, headers }
}
const calls = (slug: string) => server.sandbox.callCount(slug)

describe('an engine that waits', () => {
  it('isn’t called if the others find enough, and the reply says so', async () => {
    const before = calls('mojeek')
    const { headers, json } = await search(`q=${freshQuery()}`)
    expect([calls('mojeek') - before, headers.get('search-status')]).toEqual([0, 'complete'])
    expect(headers.get('engine-status')).toContain('engine_d;skipped;for=enough')
    expect(json.engine).not.toContain('engine_d')
    expect(json.engine).toContain('engine_e')
  })

  it('is called if a search names it, and its cap is never exceeded', async () => {
    for (let n = 0; n < CAP + 3; n++) await search(`q=${freshQuery()}`)
    expect(calls('kagi')).toBe(CAP)
    const { headers } = await search(`q=${freshQuery()}&engine=engine_d`)
    expect(headers.get('engine-status')).toMatch(/^engine_d;ok;/)
  })
})

describe('the plan of a search', () => {
  const planned = async (parameters: string) => {
    const { status, json } = await server.api.get(`/api/v1/plan/?${unsafe(parameters)}`)
    expect(status).toBe(200)
    const actions = json.engines.map(({ engine, action }: { engine: string; action: string }) => [engine, action])
    return { json, actions: Object.fromEntries(actions) }
  }

  it('asks nobody, and says what the search then does', async () => {
    const q = freshQuery()
    const counted = () => ['brave', 'serper', 'searchapi', 'mojeek', 'kagi'].map(calls)
    const before = counted()
    const { json, actions } = await planned(`q=${q}`)
    expect(counted()).toEqual(before)
    expect(actions).toEqual({
      engine_a: 'ask',
      engine_b: 'ask',
      engine_c: 'ask',
      engine_d: 'ask_if_thin',
      engine_e: 'over_budget',
    })
    expect(json.engines.at(-1)).toMatchObject({ name: 'Kagi', index: 'unknown', cost_usd: 0, calls_left: 0 })
    expect(json.cost_usd.min).toBeGreaterThan(0)
    expect(json.cost_usd.max).toBeGreaterThan(json.cost_usd.min)
    await search(`q=${q}`)
    const after = await planned(`q=${q}`)
    expect(after.actions).toMatchObject({ engine_a: 'cached', engine_b: 'cached', engine_d: 'ask_if_thin' })
    expect(after.json.cost_usd.min).toBe(0)
  })
})
