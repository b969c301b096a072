// An operator installs a real proxy, Tinyproxy, and the instance calls one engine, or everything, through it. The
// sandbox tells by the address that a connection comes from, and the proxy's log has every tunnel.
// `spec/outgoing-proxy.test.ts` has what a proxy of our own refuses.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { ALL_SOURCES } from '@bowerbird/engines/sources/all.ts'
import { SANDBOX_KEYS } from '@bowerbird/sandbox'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { PROXY_ADDRESS } from '../support/connect-proxy.ts'
import { isTinyproxyInstalled, type PrivateTinyproxy, startPrivateTinyproxy } from '../support/private-tinyproxy.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

const USER = 'ada'
const PASSWORD = 'tinyproxy-password'

const isInstalled = isTinyproxyInstalled()
let proxy: PrivateTinyproxy
let server: TestInstance | undefined
/** Connections that servers of this process accepted: to which port, and from where. */
let accepted: { to: number | undefined; from: string | undefined }[] = []
const record = (message: unknown) => {
  // What Node publishes for every connection that a server accepts.
  const { localPort: to, remoteAddress: from } = (message as { socket: Socket }).socket
  accepted.push({ to, from })
}

beforeAll(async () => {
  if (!isInstalled) return
  subscribe('net.server.socket', record)
  proxy = await startPrivateTinyproxy(USER, PASSWORD)
})
afterEach(async () => {
  await server?.close()
  accepted = []
})
afterAll(async () => {
  unsubscribe('net.server.socket', record)
  await proxy?.stop()
})

const urlWith = (password: string) => proxy.url.replace('//', `//${USER}:${password}@`)

/** One engine and no health checks, so that all calls to the sandbox are that engine's. */
const ONE_ENGINE: Record<string, string> = {
  BRAVE_API_KEY: '',
  MOJEEK_API_KEY: '',
  MARGINALIA_RATE_LIMIT: 'off',
  SEARCH_CACHE_SECONDS: '0',
  ...Object.fromEntries(ALL_SOURCES.filter(({ probe }) => probe).map(({ settings }) => [settings.baseUrl.env, 'off'])),
}

async function start(settings: Record<string, string>): Promise<TestInstance> {
  server = await startTestInstance({ ...ONE_ENGINE, ...settings })
  return server
}

/** Where connections to the sandbox came from. */
const sources = ({ sandbox }: TestInstance) =>
  accepted.filter(({ to }) => to === Number(new URL(sandbox.url).port)).map(({ from }) => from)

const search = async ({ api }: TestInstance, count: number): Promise<number[]> => {
  const replies = await Promise.all(Array.from({ length: count }, (_, n) => api.get(`/api/v1/web/?q=tide${n}`)))
  return replies.map(({ status }) => status)
}

describe.skipIf(!isInstalled)('a real Tinyproxy', () => {
  it('carries every call of the engine that names it, and nothing goes around it', async () => {
    const instance = await start({ MARGINALIA_PROXY: urlWith(PASSWORD) })
    const before = (await proxy.asked()).length
    expect(new Set(await search(instance, 100))).toEqual(new Set([200]))
    expect(instance.sandbox.callCount('marginalia')).toBe(100)
    const tunnels = (await proxy.asked()).slice(before)
    const from = sources(instance)
    expect(new Set(from)).toEqual(new Set([PROXY_ADDRESS]))
    expect(tunnels).toEqual(from.map(() => new URL(instance.sandbox.url).host))
  })

  it('carries the calls of all providers, but not of one that is called directly', async () => {
    const instance = await start({
      MOJEEK_API_KEY: SANDBOX_KEYS.mojeek,
      OUTGOING_PROXY: urlWith(PASSWORD),
      MOJEEK_PROXY: 'direct',
    })
    expect(await search(instance, 1)).toEqual([200])
    expect(instance.sandbox.callCount('marginalia')).toBe(1)
    expect(instance.sandbox.callCount('mojeek')).toBe(1)
    expect(sources(instance)).toHaveLength(2)
    expect(new Set(sources(instance))).toEqual(new Set(['127.0.0.1', PROXY_ADDRESS]))
  })

  it('that is stopped fails the calls, and none goes around it', async () => {
    const instance = await start({ MARGINALIA_PROXY: urlWith(PASSWORD) })
    expect(await search(instance, 1)).toEqual([200])
    const before = sources(instance).length
    await proxy.stop()
    expect(await search(instance, 3)).toEqual([503, 503, 503])
    expect(sources(instance)).toHaveLength(before)
    expect(instance.logged()).not.toContain(PASSWORD)
  })
})
