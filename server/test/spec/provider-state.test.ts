// How real searches make a provider up or down.
// Each test has its own slot, because a provider's state persists.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { EVERY_FAILURE } from './every-failure.ts'
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

  it('a success between two failures resets the count', async () => {
    expect(await stateAfterSearch('engine_d')).toBe('up')
    for (let round = 0; round < 3; round++) {
      fail('engine_d')
      expect(await stateAfterSearch('engine_d')).toBe('up')
      heal('engine_d')
      expect(await stateAfterSearch('engine_d')).toBe('up')
    }
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

  it('a failure updates checked_at but not last_ok_at', async () => {
    await search('engine_e')
    const good = await healthOf('engine_e')
    expect(good.last_ok_at).toBe(good.checked_at)
    await new Promise((resolve) => setTimeout(resolve, 5))
    fail('engine_e')
    await search('engine_e')
    const bad = await healthOf('engine_e')
    expect(bad.last_ok_at).toBe(good.last_ok_at)
    expect(Date.parse(bad.checked_at)).toBeGreaterThan(Date.parse(good.checked_at))
    expect(bad.last_error).not.toBe('')
    heal('engine_e')
    await search('engine_e')
    expect(await healthOf('engine_e')).toMatchObject({ state: 'up', last_error: '' })
  })

  it.each(EVERY_FAILURE)(
    'last_error after $kind is in our own words, without URL, key, status or upstream text',
    async (fault) => {
      await search('engine_c')
      server.sandbox.setFault('marginalia', fault)
      await search('engine_c')
      heal('engine_c')
      const { last_error } = await healthOf('engine_c')
      expect(last_error).toMatch(/^[A-Z][a-z ,;']+\.$/)
      expect(last_error).not.toMatch(/http|sandbox|marginalia|limit exceeded|browser/i)
    },
  )

  it.each([
    [{ kind: 'status', status: 500 }, 'The provider responded with a server error.'],
    [{ kind: 'status', status: 503 }, 'The provider responded with a server error.'],
    [{ kind: 'reset' }, 'The connection to the provider failed.'],
    [{ kind: 'refuse' }, 'The connection to the provider failed.'],
  ] as const)('last_error after %j: %s', async (fault, sentence) => {
    server.sandbox.setFault('staan', fault)
    await search('engine_e')
    heal('engine_e')
    expect((await healthOf('engine_e')).last_error).toBe(sentence)
    await search('engine_e')
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

  it('an empty response is a success', async () => {
    server.sandbox.setFault('kagi', { kind: 'no-results' })
    expect(await stateAfterSearch('engine_d')).toBe('up')
    expect(await stateAfterSearch('engine_d')).toBe('up')
    heal('engine_d')
  })

  it('an engine not used in a search is not observed', async () => {
    const before = await healthOf('engine_e')
    await server.api.get(`/api/v1/web/?q=${freshQuery()}&safe=on`)
    expect(await healthOf('engine_e')).toEqual(before)
  })
})
