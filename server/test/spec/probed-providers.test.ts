// Providers called too rarely to be observed are probed. Each of them changes state by probes alone.
import { setTimeout as sleep } from 'node:timers/promises'
import { ALL_SOURCES } from '@bowerbird/engines/sources/all.ts'
import { type Fault, SANDBOX_KEYS } from '@bowerbird/sandbox'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startTestInstance, useTestInstance } from '../support/test-instance.ts'

const PROBED = ALL_SOURCES.filter(({ probe }) => probe)
const PATIENCE_MS = 20_000
const LOOK_EVERY_MS = 50

interface Listed {
  slug: string
  group: string
  monitor: string
  state: string
  last_error: string
}

it('every probed group has a probed provider, and the sandbox implements each', () => {
  expect(new Set(PROBED.map(({ group }) => group))).toEqual(new Set(['maps', 'translate', 'weather', 'currency']))
  expect(PROBED.map(({ slug }) => slug).filter((slug) => !(slug in SANDBOX_KEYS))).toEqual([])
})

describe('a probed provider', () => {
  const server = useTestInstance({ PROBE_SECONDS: '1' })

  const listed = async (): Promise<Listed[]> => {
    const { json } = await server.api.get('/api/v1/status/')
    return json.providers.filter(({ monitor }: Listed) => monitor === 'probe')
  }

  /** From now on all of them fail, or none. */
  function setFaults(fault: Fault | undefined): void {
    server.sandbox.reset()
    for (const { slug } of PROBED) server.sandbox.setFault(slug, fault)
  }

  /** For each provider, the number of probes between setting the faults and first seeing it in this state. */
  async function checksUntil(wanted: string): Promise<number[]> {
    const checks = new Map<string, number>()
    const until = performance.now() + PATIENCE_MS
    while (checks.size < PROBED.length && performance.now() < until) {
      for (const { slug, state } of await listed()) {
        if (state === wanted && !checks.has(slug)) checks.set(slug, server.sandbox.callCount(slug))
      }
      await sleep(LOOK_EVERY_MS)
    }
    expect([...checks.keys()].sort()).toEqual(PROBED.map(({ slug }) => slug).sort())
    return [...checks.values()]
  }

  it('is listed as probed, and a successful probe makes it up', async () => {
    expect((await listed()).map(({ slug, group }) => `${slug} ${group}`).sort()).toEqual(
      PROBED.map(({ slug, group }) => `${slug} ${group}`).sort(),
    )
    await checksUntil('up')
  })

  it('is down after two failed probes, not one, and last_error is in our own words', async () => {
    setFaults({ kind: 'status', status: 500 })
    expect(Math.min(...(await checksUntil('down')))).toBeGreaterThanOrEqual(2)
    for (const { last_error } of await listed()) expect(last_error).toMatch(/^[A-Z][a-z ,;']+\.$/)
  })

  it('is up again after a successful probe', async () => {
    setFaults(undefined)
    await checksUntil('up')
    for (const { last_error } of await listed()) expect(last_error).toBe('')
  })

  it('is not searched by probes', async () => {
    expect((await server.api.get('/api/v1/usage/')).json.searches).toBe(0)
  })
})

it('probes count towards a monthly cap like any call: after two there is no third, and the provider stays up', async () => {
  const server = await startTestInstance({ PROBE_SECONDS: '1', OPENMETEO_MONTHLY_CALLS: '2' })
  onTestFinished(() => server.close())
  const { sandbox, api } = server
  await expect.poll(() => sandbox.callCount('openmeteo'), { timeout: PATIENCE_MS }).toBe(2)
  const others = sandbox.callCount('frankfurter')
  await expect.poll(() => sandbox.callCount('frankfurter'), { timeout: PATIENCE_MS }).toBeGreaterThan(others + 2)
  expect(sandbox.callCount('openmeteo')).toBe(2)
  const { json } = await api.get('/api/v1/status/')
  const weather = json.providers.find(({ slug }: Listed) => slug === 'openmeteo')
  expect(weather).toMatchObject({ state: 'up', last_error: '' })
  expect((await api.get('/api/v1/instant/?q=weather+in+paris')).status).toBe(503)
  expect(sandbox.callCount('openmeteo')).toBe(2)
})
