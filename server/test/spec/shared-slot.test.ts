// Several providers in one slot, languages that a provider can't filter by, and daily quotas.
import { describe, expect, it } from 'vitest'
import { createCostLedger } from '../../src/budget/cost-ledger.ts'
import { createLog } from '../../src/log.ts'
import { useTestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'

const server = useTestInstance({
  ENGINE_D: 'wikipedia ollama',
  ENGINE_E: 'youfree',
  ENGINE_F: 'jina',
  JINA_MONTHLY_CALLS: '1000',
})

describe('a provider that cannot filter by language', () => {
  it('is called, and results clearly in another language are left out', async () => {
    const query = `safe=off&engine=engine_d&q=${freshQuery('what the weather will be like in the mountains')}`
    const english = await server.api.get(`/api/v1/web/?${query}&lang=en`)
    const finnish = await server.api.get(`/api/v1/web/?${query}&lang=fi`)
    const fromOllama = ({ json }: typeof english) =>
      json.results.filter((result: Record<string, string>) => result['source_label'] === 'Ollama').length
    expect(fromOllama(english)).toBeGreaterThan(5)
    expect(fromOllama(finnish)).toBeLessThan(fromOllama(english) / 2)
  })
})

describe('a provider with a daily quota', () => {
  it('is not called for an hour after a 429 without Retry-After', async () => {
    server.sandbox.setFault('youfree', { kind: 'status', status: 429 })
    const first = await server.api.get(`/api/v1/web/?q=${freshQuery()}&engine=engine_e`)
    server.sandbox.setFault('youfree', undefined)
    expect([first.status, first.headers.get('engine-status')]).toEqual([
      503,
      expect.stringMatching(/engine_e;throttled/),
    ])
    const calls = server.sandbox.callCount('youfree')
    const second = await server.api.get(`/api/v1/web/?q=${freshQuery()}&engine=engine_e`)
    expect([second.status, second.headers.get('engine-status')]).toEqual([503, expect.stringMatching(/engine_e;open/)])
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(3_500)
    expect(server.sandbox.callCount('youfree')).toBe(calls)
  })
})

describe('a tab that costs more than others', () => {
  it('is billed at its own price', async () => {
    const { db } = server.instance.services.access
    const ledger = createCostLedger({ db, clock: Date.now, log: createLog('silent') })
    const micros = async () => {
      const month = new Date().toISOString().slice(0, 7)
      const costs = await ledger.readCosts(month)
      return costs.find(({ provider }) => provider === 'jina')?.micros ?? 0
    }
    await server.api.get(`/api/v1/web/?q=${freshQuery()}&engine=engine_f&safe=off`)
    await expect.poll(micros, { timeout: 10_000 }).toBe(500)
    await server.api.get(`/api/v1/news/?q=${freshQuery()}&engine=engine_f&safe=off`)
    await expect.poll(micros, { timeout: 10_000 }).toBe(500 + 2_500)
  })
})
