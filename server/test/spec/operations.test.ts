// What an operator sees besides the API: health and metrics.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onFreePort } from '../support/on-free-port.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

const METRICS_TOKEN = 'only the collector knows it'

let instance: TestInstance
let metricsPort: number

beforeAll(async () => {
  await onFreePort(async (port) => {
    instance = await startTestInstance({ HOST: '0.0.0.0', METRICS_PORT: String(port), METRICS_TOKEN })
    metricsPort = port
  })
})
afterAll(() => instance?.close())

const mainPort = () => new URL(instance.url).port

describe('health', () => {
  it('200: /livez and /readyz', async () => {
    for (const path of ['/livez', '/readyz']) {
      const reply = await fetch(`http://127.0.0.1:${mainPort()}${path}`)
      expect([reply.status, await reply.json()]).toEqual([200, { status: 'ok' }])
    }
  })
})

describe('METRICS_PORT', () => {
  const ask = (host: string, authorization?: string) =>
    fetch(`http://${host}:${metricsPort}/metrics`, { headers: authorization ? { authorization } : {} })

  it('requires the token', async () => {
    expect((await ask('127.0.0.1')).status).toBe(401)
    const reply = await ask('127.0.0.1', `Bearer ${METRICS_TOKEN}`)
    expect(reply.status).toBe(200)
    expect(await reply.text()).toMatch(/^bowerbird_redis_up 1$/m)
  })

  it('is open only to this machine, whatever HOST is', async () => {
    // Another address of this machine stands in for one that others can reach.
    expect((await fetch(`http://127.0.0.2:${mainPort()}/livez`)).status).toBe(200)
    await expect(ask('127.0.0.2', `Bearer ${METRICS_TOKEN}`)).rejects.toThrow('fetch failed')
  })
})
