// Over real sockets: a proxy that opens tunnels, refuses, hangs or is down. The target tells what came through the proxy
// by the address that it came from.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type LookupFunction, type Socket } from 'node:net'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { inspect } from 'node:util'
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import type { ProviderRequest } from '@bowerbird/engines/engine.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { type ConnectProxyOptions, PROXY_ADDRESS, startConnectProxy } from '../../test/support/connect-proxy.ts'
import { NO_ADDRESSES, PRIVATE_ADDRESSES } from './hostile-addresses.test-table.ts'
import { parseOutgoingProxy } from './outgoing-proxy.ts'
import { createPageFetch } from './page-fetch.ts'
import { createPictureFetch } from './picture-fetch.ts'
import { openProviderClient, type ProviderClientOptions } from './provider-client.ts'
import { FetchRefusal } from './untrusted-fetch.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

interface Target {
  port: number
  /** Where each request came from, and what it was. */
  requests: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[]
  sources: string[]
}

async function startTarget(tls?: { key: Buffer; cert: Buffer }): Promise<Target> {
  const requests: Target['requests'] = []
  const sources: string[] = []
  const answer: RequestListener = (request, response) => {
    const { method, url, headers } = request
    requests.push({ method, url, headers })
    if (url === '/x.png') response.end(PNG)
    else if (url === '/moved') response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end()
    else response.writeHead(200, { 'content-type': 'text/html' }).end('ok')
  }
  const server = tls ? createTlsServer(tls, answer) : createServer(answer)
  server.on('connection', ({ remoteAddress = '' }) => sources.push(remoteAddress))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => {
    server.closeAllConnections()
    return new Promise((closed) => server.close(closed))
  })
  // A TCP server's address is never a string.
  return { port: (server.address() as AddressInfo).port, requests, sources }
}

async function startTcpServer(onConnection: (socket: Socket) => unknown): Promise<string> {
  const server = createTcpServer((socket) => onConnection(socket.resume().on('error', () => socket.destroy())))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => new Promise((closed) => server.close(closed)))
  // A TCP server's address is never a string.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function startProxy(options: ConnectProxyOptions = {}) {
  const proxy = await startConnectProxy(options)
  cleanups.push(() => proxy.close())
  return proxy
}

const neverResolve: LookupFunction = (hostname) => expect.unreachable(`${hostname} is resolved here`)

function open(proxyUrl: string, options: Partial<ProviderClientOptions> = {}) {
  const client = openProviderClient({
    baseUrl: 'http://engine.example',
    isTrustedAddress: false,
    proxy: parseOutgoingProxy(proxyUrl),
    userAgent: 'Bowerbird/test',
    lookup: neverResolve,
    ...options,
  })
  cleanups.push(() => client.close())
  /** The reply, or the error. */
  return async (request: ProviderRequest, ms = 10_000) => {
    const deadline = createDeadline(ms)
    try {
      return await client.ask(request, deadline, () => Promise.resolve())
    } catch (error) {
      return error
    } finally {
      deadline.cancel()
    }
  }
}

describe('calls through the proxy', () => {
  it('are all carried by it, and the name of the provider is not resolved here', async () => {
    const target = await startTarget()
    const proxy = await startProxy({ leadsTo: () => target.port })
    const ask = open(proxy.url, { connections: 8 })
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        ask(n % 2 ? { path: `/${n}` } : { method: 'POST', path: `/${n}`, body: 'a' }),
      ),
    )
    expect(replies).toEqual(Array.from({ length: 40 }, () => expect.objectContaining({ status: 200, body: 'ok' })))
    expect(target.requests).toHaveLength(40)
    expect(new Set(target.sources)).toEqual(new Set([PROXY_ADDRESS]))
    expect(new Set(proxy.asked)).toEqual(new Set(['engine.example:80']))
    expect(target.sources).toHaveLength(proxy.asked.length)
    expect(proxy.asked.length).toBeLessThanOrEqual(8)
  })

  it('send the credentials to the proxy, and not to the provider', async () => {
    const target = await startTarget()
    const proxy = await startProxy({ leadsTo: () => target.port, credentials: 'ada:p@ss:wörd' })
    const url = proxy.url.replace('//', `//ada:${encodeURIComponent('p@ss:wörd')}@`)
    expect(await open(url)({ path: '/' })).toMatchObject({ body: 'ok' })
    expect(Object.keys(target.requests[0]?.headers ?? {})).toEqual([
      'host',
      'connection',
      'user-agent',
      'accept-encoding',
    ])
    expect(target.requests[0]?.headers.host).toBe('engine.example')
  })

  it.each([
    ['http://engine.example:8080', 'engine.example:8080'],
    ['http://[2606:4700::1111]', '[2606:4700::1111]:80'],
    ['http://8.8.8.8', '8.8.8.8:80'],
  ])('for %s ask for %s', async (baseUrl, authority) => {
    const target = await startTarget()
    const proxy = await startProxy({ leadsTo: () => target.port })
    expect(await open(proxy.url, { baseUrl })({ path: '/' })).toMatchObject({ body: 'ok' })
    expect(proxy.asked).toEqual([authority])
  })

  it('are never made for a literal private address or localhost, unless the operator set it', async () => {
    const target = await startTarget()
    const proxy = await startProxy()
    for (const host of ['127.0.0.1', '0x7f.1', '[::ffff:127.0.0.1]', '10.0.0.1', '169.254.169.254', 'localhost']) {
      const ask = open(proxy.url, { baseUrl: `http://${host}:${target.port}` })
      expect(await ask({ path: '/' }), host).toMatchObject({ kind: 'guarded' })
    }
    expect(proxy.asked).toEqual([])
    const trusted = open(proxy.url, { baseUrl: `http://127.0.0.1:${target.port}`, isTrustedAddress: true })
    expect(await trusted({ path: '/' })).toMatchObject({ body: 'ok' })
    expect(target.sources).toEqual([PROXY_ADDRESS])
  })
})

describe('TLS', () => {
  const folder = mkdtempSync(join(inject('temporaryFolder'), 'tls-'))
  const certificate = (name: string) => {
    const [keyFile, certFile] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)]
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    const names = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name},IP:127.0.0.1`]
    execFileSync('openssl', ['req', '-x509', ...kind, ...names, '-keyout', keyFile, '-out', certFile], {
      stdio: 'ignore',
    })
    return { key: readFileSync(keyFile), cert: readFileSync(certFile) }
  }
  const ofEngine = certificate('engine.example')
  const ofProxy = certificate('proxy.example')
  const before = getCACertificates('default')
  beforeAll(() => setDefaultCACertificates([...before, ofEngine.cert.toString(), ofProxy.cert.toString()]))
  afterAll(() => setDefaultCACertificates(before))

  it('is between us and the provider, within TLS to the proxy or without', async () => {
    const target = await startTarget(ofEngine)
    for (const options of [{ leadsTo: () => target.port }, { leadsTo: () => target.port, tls: ofProxy }]) {
      const proxy = await startProxy(options)
      const ask = open(proxy.url, { baseUrl: 'https://engine.example' })
      expect(await ask({ path: '/' })).toMatchObject({ body: 'ok' })
      expect(proxy.asked).toEqual(['engine.example:443'])
    }
    expect(target.sources).toEqual([PROXY_ADDRESS, PROXY_ADDRESS])
  })

  it('with a certificate of another name ends the call, and the proxy is not blamed', async () => {
    const target = await startTarget(ofEngine)
    const proxy = await startProxy({ leadsTo: () => target.port })
    const ask = open(proxy.url, { baseUrl: 'https://other.example' })
    expect(await ask({ path: '/' })).toMatchObject({ kind: 'unreachable', isProxyFault: false })
    expect(target.requests).toEqual([])
  })

  it('to a proxy whose certificate is not trusted sends it nothing', async () => {
    const target = await startTarget()
    const proxy = await startProxy({ leadsTo: () => target.port, tls: certificate('stranger.example') })
    expect(await open(proxy.url)({ path: '/' })).toMatchObject({ kind: 'unreachable', isProxyFault: true })
    expect(proxy.asked).toEqual([])
  })
})

describe('a proxy that does not connect', () => {
  const SECRET = 'hunter2'

  it.each([
    [407, 'The outgoing proxy wants other credentials (status 407).'],
    [403, 'The outgoing proxy refused to connect to the provider (status 403).'],
    [302, 'The outgoing proxy refused to connect to the provider (status 302).'],
    [502, 'The outgoing proxy could not connect to the provider (status 502).'],
  ])('is named: %i', async (status, message) => {
    const target = await startTarget()
    const proxy = await startProxy({ leadsTo: () => target.port, refusal: status })
    const error = await open(proxy.url.replace('//', `//ada:${SECRET}@`))({ path: '/canary' })
    expect(error).toBeInstanceOf(UpstreamError)
    expect(error).toMatchObject({ kind: 'unreachable', isProxyFault: true, message })
    expect(inspect(error, { depth: 9 })).not.toMatch(new RegExp(`${SECRET}|${btoa(`ada:${SECRET}`)}|canary`))
    expect([target.sources, proxy.asked]).toEqual([[], ['engine.example:80']])
  })

  it('wants the credentials that it was configured with', async () => {
    const target = await startTarget()
    const proxy = await startProxy({ leadsTo: () => target.port, credentials: 'ada:right' })
    for (const credentials of ['', 'ada:wrong@', 'ada@']) {
      const error = await open(proxy.url.replace('//', `//${credentials}`))({ path: '/' })
      expect(error).toMatchObject({ isProxyFault: true, message: expect.stringContaining('407') })
    }
    expect(target.sources).toEqual([])
  })

  it('is named when it is down, closes the connection or speaks no HTTP, and nothing goes around it', async () => {
    const target = await startTarget()
    const message = 'The outgoing proxy did not answer.'
    const gone = await startConnectProxy()
    await gone.close()
    const rude = [
      (socket: Socket) => socket.destroy(),
      (socket: Socket) => socket.end('220 mail.example ESMTP\r\n\r\n'),
    ]
    const proxies = [gone.url, ...(await Promise.all(rude.map(startTcpServer)))]
    for (const url of proxies) {
      const ask = open(url.replace('//', `//ada:${SECRET}@`), {
        baseUrl: `http://127.0.0.1:${target.port}`,
        isTrustedAddress: true,
      })
      const error = await ask({ path: '/' })
      expect(error).toMatchObject({ kind: 'unreachable', isProxyFault: true, message })
      expect(inspect(error, { depth: 9 })).not.toContain(SECRET)
    }
    expect(target.sources).toEqual([])
  })

  it('and never answers holds no call past its deadline', async () => {
    const proxy = await startProxy({ refusal: 0 })
    expect(await open(proxy.url)({ path: '/' }, 300)).toMatchObject({ kind: 'timeout' })
  })

  it('does its work again when it is back', async () => {
    const target = await startTarget()
    const proxy = await startProxy({ leadsTo: () => target.port, refusal: 502 })
    const ask = open(proxy.url)
    expect(await ask({ path: '/' })).toMatchObject({ isProxyFault: true })
    proxy.options = { leadsTo: () => target.port }
    expect(await ask({ path: '/' })).toMatchObject({ body: 'ok' })
  })
})

describe('pages and pictures', () => {
  const PAGES = { viaProxy: undefined, userAgent: () => 'Bowerbird/test', ownHost: 'search.example' }
  const fetching = async (proxyUrl: string, address: string, viaProxy?: string) => {
    const outgoingProxy = parseOutgoingProxy(proxyUrl)
    const pages = createPageFetch({ ...PAGES, viaProxy, outgoingProxy, lookup: neverResolve })
    const pictures = createPictureFetch({ viaProxy, outgoingProxy, lookup: neverResolve })
    const outcomeOf = (fetched: Promise<unknown>) =>
      fetched.then(
        () => 'fetched',
        (error: unknown) => (error instanceof FetchRefusal ? error.reason : (error as UpstreamError).kind),
      )
    try {
      return [
        await outcomeOf(pages.fetch(address)),
        await outcomeOf(pictures.fetch(address, { maxBytes: 1_000, grow: () => undefined })),
      ]
    } finally {
      await Promise.all([pages.close(), pictures.close()])
    }
  }

  it('come through it, and their hosts are not resolved here', async () => {
    const target = await startTarget()
    const proxy = await startProxy({ leadsTo: () => target.port })
    expect(await fetching(proxy.url, 'http://blog.example/x.png')).toEqual(['fetched', 'fetched'])
    expect(proxy.asked).toEqual(['blog.example:80', 'blog.example:80'])
    expect(target.sources).toEqual([PROXY_ADDRESS, PROXY_ADDRESS])
  })

  it.each([...PRIVATE_ADDRESSES, ...NO_ADDRESSES, 'http://blog.example:25/'])(
    '%s is not asked for',
    async (address) => {
      const proxy = await startProxy()
      expect(await fetching(proxy.url, address)).toEqual(['blocked', 'guarded'])
      expect(proxy.asked).toEqual([])
    },
  )

  it('a redirect to a private address is not followed', async () => {
    const target = await startTarget()
    const proxy = await startProxy({ leadsTo: () => target.port })
    expect(await fetching(proxy.url, 'http://blog.example/moved')).toEqual(['blocked', 'guarded'])
    expect(proxy.asked).toEqual(['blog.example:80', 'blog.example:80'])
  })

  it('are unreachable, and nothing goes around it, while it refuses', async () => {
    const target = await startTarget()
    const proxy = await startProxy({ leadsTo: () => target.port, refusal: 403 })
    expect(await fetching(proxy.url, 'http://blog.example/x.png')).toEqual(['unreachable', 'unreachable'])
    expect(target.sources).toEqual([])
  })
  it('are left to the operator’s own proxies for them, which are called directly', async () => {
    const target = await startTarget()
    const proxy = await startProxy()
    const own = `http://127.0.0.1:${target.port}/fetch`
    expect(await fetching(proxy.url, 'http://blog.example/a', own)).toEqual(['fetched', 'malformed'])
    expect(target.requests.map(({ url }) => url)).toEqual(Array(2).fill('/fetch?url=http%3A%2F%2Fblog.example%2Fa'))
    expect(target.sources).toEqual(['127.0.0.1', '127.0.0.1'])
    expect(proxy.asked).toEqual([])
  })
})
