import { afterEach, describe, expect, it } from 'vitest'
import { type HealthListener, serveHealth } from './health-listener.ts'

let listener: HealthListener | undefined
afterEach(() => listener?.close())

const HERE = { host: '127.0.0.1', port: 0 }

const ask = async (path: string) => {
  const reply = await fetch(`http://127.0.0.1:${listener?.port}${path}`)
  return [reply.status, await reply.json()]
}

describe('health on its own port', () => {
  it('answers with the state of the node as soon as it changes', async () => {
    const state = { isReady: false, missing: [] as string[] }
    listener = await serveHealth(HERE, () => state)
    expect(await ask('/livez')).toEqual([200, { status: 'ok' }])
    expect(await ask('/readyz')).toEqual([503, { status: 'draining' }])
    state.isReady = true
    listener.sendState()
    await expect.poll(() => ask('/readyz')).toEqual([200, { status: 'ok' }])
    state.missing = ['Redis']
    await expect
      .poll(() => ask('/readyz'), { timeout: 5_000 })
      .toEqual([200, { status: 'degraded', detail: 'degraded: Redis' }])
    expect(await ask('/metrics')).toEqual([404, { detail: 'Not found. Check the URL.' }])
  })

  it('rejects with EADDRINUSE if the port is taken', async () => {
    listener = await serveHealth(HERE, () => ({ isReady: true, missing: [] }))
    const again = serveHealth({ ...HERE, port: listener.port }, () => ({ isReady: true, missing: [] }))
    await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})
