import { afterEach, describe, expect, it } from 'vitest'
import { serveMetrics } from '../http/metrics-listener.ts'
import type { RedisState, RedisStates } from '../redis/redis-availability.ts'
import { createMetrics } from './metrics.ts'

let server: Awaited<ReturnType<typeof serveMetrics>> | undefined
afterEach(() => server?.close())

async function open(token: string | undefined, states?: () => RedisStates) {
  server = await serveMetrics(createMetrics(states), { host: '127.0.0.1', port: 0, token })
  const url = `http://127.0.0.1:${server.port}`
  return (path: string, authorization?: string) =>
    fetch(url + path, { headers: authorization === undefined ? {} : { authorization } })
}

describe('the metrics on their own port', () => {
  it('are open to any client if there is no token', async () => {
    const ask = await open(undefined)
    const reply = await ask('/metrics')
    expect(reply.status).toBe(200)
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await reply.text()).toContain('bowerbird_process_cpu_seconds_total')
    expect((await ask('/')).status).toBe(404)
  })

  it('are only collected about the process, a hundred times a second, if a listener serves them', async () => {
    expect(await createMetrics().text()).toContain('bowerbird_nodejs_eventloop_lag_p99_seconds')
    expect(await createMetrics(undefined, { areServed: false }).text()).not.toContain('bowerbird_nodejs_')
  })

  it('401: a request without the token, or with a wrong one, is refused', async () => {
    const ask = await open('right')
    for (const authorization of [undefined, 'Bearer wrong', 'Bearer right2', 'right']) {
      const reply = await ask('/metrics', authorization)
      expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
      expect(await reply.text()).not.toContain('bowerbird_')
    }
    expect((await ask('/metrics', 'Bearer right')).status).toBe(200)
  })

  it('show whether Redis is up, if the instance uses one', async () => {
    let state: RedisState['state'] = 'connected'
    const ask = await open(undefined, () => ({ limits: { state }, cache: { state: 'connected' } }))
    expect(await (await ask('/metrics')).text()).toMatch(/^bowerbird_redis_up 1$/m)
    state = 'away'
    const away = await (await ask('/metrics')).text()
    expect(away).toMatch(/^bowerbird_redis_up 0$/m)
    expect(away).toMatch(/^bowerbird_redis_state\{redis="limits",state="away"\} 1$/m)
    expect(away).toMatch(/^bowerbird_redis_state\{redis="limits",state="connected"\} 0$/m)
    expect(away).toMatch(/^bowerbird_redis_state\{redis="cache",state="connected"\} 1$/m)
    await server?.close()
    expect(await (await (await open(undefined))('/metrics')).text()).not.toContain('redis_up')
  })
})
