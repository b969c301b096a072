// A whole instance with OUTGOING_PROXY: every provider is called through the proxy, pages and pictures are fetched
// through it, and nothing goes around it. What a connection came through is told by the address that it came from.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConnectProxy, PROXY_ADDRESS, startConnectProxy } from '../support/connect-proxy.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

const PASSWORD = 'a-password-of-the-proxy'
const TOKEN = 'a-token-for-the-metrics'
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const PAGE = `<title>Tides</title><article>${'<p>Low tide is at noon, and the harbour is dry.</p>'.repeat(20)}</article>`

let proxy: ConnectProxy
let server: TestInstance
let readKey: string
/** Where connections came from, by the port that they came to. */
const sources = new Map<number | undefined, Set<string | undefined>>()
const record = (message: unknown) => {
  // What Node publishes for every connection that a server accepts.
  const { localPort, remoteAddress } = (message as { socket: Socket }).socket
  sources.set(localPort, (sources.get(localPort) ?? new Set()).add(remoteAddress))
}
/** The host of all pages and pictures. */
const elsewhere = createServer(({ url }, response) => {
  if (url === '/robots.txt') response.writeHead(404).end()
  else if (url?.endsWith('.png')) response.end(PNG)
  else response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE)
})
// A listening TCP server has a port.
const portElsewhere = () => (elsewhere.address() as AddressInfo).port
const portOfSandbox = () => Number(new URL(server.sandbox.url).port)

beforeAll(async () => {
  subscribe('net.server.socket', record)
  elsewhere.listen(0, '127.0.0.1')
  await once(elsewhere, 'listening')
  proxy = await startConnectProxy({
    credentials: `ada:${PASSWORD}`,
    leadsTo: (host) => (host.endsWith('.invalid') ? portElsewhere() : undefined),
  })
  server = await startTestInstance({
    OUTGOING_PROXY: proxy.url.replace('//', `//ada:${PASSWORD}@`),
    IMAGE_PROXY_URL: '',
    READER_PROXY_URL: '',
    SITE_ACCESS: 'public',
    METRICS_TOKEN: TOKEN,
    PROBE_SECONDS: '1',
    SEARCH_CACHE_SECONDS: '0',
  })
  readKey = await server.createKey({ scopes: ['read', 'read_any'] })
})
afterAll(async () => {
  unsubscribe('net.server.socket', record)
  await server.close()
  await proxy.close()
  elsewhere.close()
})

describe('with an outgoing proxy', () => {
  it.each([
    'web/?q=tide',
    'images/?q=tide',
    'news/?q=tide',
    'videos/?q=tide',
    'science/?q=tide',
    'code/?q=tide',
    'suggest/?q=tide',
    'maps/?q=paris',
    'cards/?q=moon',
    'instant/?q=weather+in+paris',
    'instant/?q=5+usd+in+eur',
    'translate/?q=hello&target=es',
  ])('%s is answered', async (path) => {
    expect((await server.api.get(`/api/v1/${path}`)).status).toBe(200)
  })

  it('all calls to providers came through it', () => {
    const host = `127.0.0.1:${portOfSandbox()}`
    expect(proxy.asked.filter((asked) => asked === host).length).toBeGreaterThan(10)
    expect(sources.get(portOfSandbox())).toEqual(new Set([PROXY_ADDRESS]))
  })

  it('a page, its robots.txt and pictures come through it, and their hosts are not resolved here', async () => {
    const before = proxy.asked.length
    const { status, json } = await server.api.get('/api/v1/read/?url=http://page.invalid/tides', { key: readKey })
    expect([status, json.content]).toEqual([200, expect.stringContaining('Low tide is at noon')])
    const { pictures } = server.instance.services
    for (const kind of ['icon', 'thumbnail', 'picture'] as const) {
      const picture = await fetch(server.url + pictures.signedPath(`http://${kind}.invalid/x.png`, kind))
      expect([kind, picture.status]).toEqual([kind, 200])
    }
    expect(new Set(proxy.asked.slice(before))).toEqual(
      new Set(['page.invalid:80', 'icon.invalid:80', 'thumbnail.invalid:80', 'picture.invalid:80']),
    )
    expect(sources.get(portElsewhere())).toEqual(new Set([PROXY_ADDRESS]))
  })

  it('a proxy that refuses us is named in status/, and nothing goes around it', async () => {
    proxy.options = { credentials: 'ada:another' }
    proxy.breakTunnels()
    sources.clear()
    const statuses: number[] = []
    for (let n = 0; n < 3; n++) statuses.push((await server.api.get(`/api/v1/web/?q=tide${n}`)).status)
    expect(statuses).toEqual([503, 503, 503])
    const { json } = await server.api.get('/api/v1/status/')
    const down = json.providers.filter(({ state }: { state: string }) => state === 'down')
    expect(down).toContainEqual(
      expect.objectContaining({
        group: 'web',
        last_error: 'The outgoing proxy did not connect to the provider.',
      }),
    )
    expect((await server.api.get('/api/v1/read/?url=http://page.invalid/other', { key: readKey })).status).not.toBe(200)
    expect([sources.get(portOfSandbox()), sources.get(portElsewhere())]).toEqual([undefined, undefined])
  })

  it('its password is in no log and no metric', async () => {
    const metrics = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
    expect(metrics.status).toBe(200)
    const secrets = new RegExp(`${PASSWORD}|${btoa(`ada:${PASSWORD}`)}`)
    expect(await metrics.text()).not.toMatch(secrets)
    expect(server.logged()).not.toMatch(secrets)
  })
})
