// How real searches make a provider up or down.
// Each test has its own slot, because a provider's state persists.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'
import { type ScriptedProvider, startScriptedProvider } from './scripted-provider.ts'

const PROVIDERS = { engine_b: 'mojeek', engine_c: 'marginalia', engine_d: 'kagi', engine_e: 'staan' } as const
type Slot = keyof typeof PROVIDERS

let server: TestInstance
let scripted: ScriptedProvider
beforeAll(async () => {
  scripted = await startScriptedProvider()
  server = await startTestInstance({
    ...scripted.settings('brave'),
    ENGINE_D: 'kagi',
    ENGINE_E: 'staan',
    // A busy machine must not look like a slow provider.
    SEARCH_TIMEOUT_MS: '2000',
  })
})
afterAll(async () => {
  await server.close()
  await scripted.close()
})

const search = (slot: string) => server.api.get(`/api/v1/web/?q=${freshQuery()}&safe=off&engine=${slot}`)
const fail = (slot: Slot) => server.sandbox.setFault(PROVIDERS[slot], { kind: 'status', status: 500 })
const heal = (slot: Slot) => server.sandbox.setFault(PROVIDERS[slot], undefined)

async function healthOf(slot: string) {
  const { json } = await server.api.get('/api/v1/status/')
  return json.providers.find(({ slug }: { slug: string }) => slug === slot)
}

const stateAfterSearch = async (slot: string): Promise<string> => {
  await search(slot)
  return (await healthOf(slot)).state
}

describe('the state of a provider', () => {
  it('a first success makes it up; then one failure is forgiven, and a second in a row makes it down', async () => {
    expect((await healthOf('engine_b')).state).toBe('unknown')
    expect(await stateAfterSearch('engine_b')).toBe('up')
    fail('engine_b')
    expect(await stateAfterSearch('engine_b')).toBe('up')
    expect(await stateAfterSearch('engine_b')).toBe('down')
    expect(await stateAfterSearch('engine_b')).toBe('down')
    heal('engine_b')
    expect(await stateAfterSearch('engine_b')).toBe('up')
  })

  it('a first failure makes it down immediately, and one success makes it up', async () => {
    fail('engine_c')
    expect((await healthOf('engine_c')).state).toBe('unknown')
    expect(await stateAfterSearch('engine_c')).toBe('down')
    expect(await healthOf('engine_c')).toMatchObject({ last_ok_at: '' })
    heal('engine_c')
    expect(await stateAfterSearch('engine_c')).toBe('up')
    expect((await healthOf('engine_c')).last_error).toBe('')
  })

  it('client errors change nothing: neither our 400 nor a query that the provider rejects', async () => {
    scripted.show('brave', [{ title: 'A page', url: 'https://site.example/' }])
    await search('engine_a')
    const good = await healthOf('engine_a')
    expect(good.state).toBe('up')
    scripted.answer('brave', 422, {
      type: 'ErrorResponse',
      error: { code: 'VALIDATION', meta: { errors: [{ loc: ['query', 'q'], msg: 'too odd' }] } },
    })
    for (let round = 0; round < 3; round++) {
      await search('engine_a')
      await server.api.get('/api/v1/web/?q=climate&engine=engine_a&page=zero')
      await server.api.get('/api/v1/web/?engine=engine_a')
    }
    expect(await healthOf('engine_a')).toEqual(good)
  })

  it('an engine not used in a search is not observed', async () => {
    const before = await healthOf('engine_e')
    await server.api.get(`/api/v1/web/?q=${freshQuery()}&safe=on`)
    expect(await healthOf('engine_e')).toEqual(before)
  })
})
