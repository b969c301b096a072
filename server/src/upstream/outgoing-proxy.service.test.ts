// Over real sockets: a proxy that opens tunnels, refuses, hangs or is down. The target tells what came through the proxy
// by the address that it came from.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { LookupFunction, Socket } from 'node:net'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { inspect } from 'node:util'
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type ConnectProxyOptions, PROXY_ADDRESS, startConnectProxy } from '../../test/support/connect-proxy.ts'
import { setUpLocalServers } from './local-servers.test-harness.ts'
import { parseOutgoingProxy } from './outgoing-proxy.ts'
import { openProviderClient, type ProviderClientOptions } from './provider-client.ts'

const { closeLater, listen, serveTcp } = setUpLocalServers()

/** A provider that records where its connections came from, and the headers of its requests. */
async function startTarget(tls?: { key: Buffer; cert: Buffer }) {
  const requests: IncomingHttpHeaders[] = []
  const sources: string[] = []
  const answer: RequestListener = ({ headers }, response) => {
    requests.push(headers)
    response.end('ok')
  }
  const server = tls ? createTlsServer(tls, answer) : createServer(answer)
  server.on('connection', ({ remoteAddress = '' }) => sources.push(remoteAddress))
  const url = await listen(server)
  const port = Number(new URL(url).port)
  return { url, requests, sources, leadsTo: () => port }
}

async function startProxy(options: ConnectProxyOptions = {}) {
  const proxy = await startConnectProxy(options)
  closeLater(proxy)
  return proxy
}

const neverResolve: LookupFunction = (hostname) => expect.unreachable(`${hostname} is resolved here`)

/** The reply to a request through this proxy, or the error. */
function open(proxyUrl: string, options: Partial<ProviderClientOptions> = {}) {
  const client = openProviderClient({
    baseUrl: 'http://engine.example',
    isTrustedAddress: false,
    proxy: parseOutgoingProxy(proxyUrl),
    userAgent: 'Bowerbird/test',
    lookup: neverResolve,
    ...options,
  })
  closeLater(client)
  return async () => {
    const deadline = createDeadline(30_000)
    const asked = client.send({ path: '/canary' }, deadline, () => Promise.resolve())
    return await asked.catch((error: unknown) => error).finally(() => deadline.cancel())
  }
}

const OK = { status: 200, body: 'ok' }

describe('calls through the proxy', () => {
  it('are all carried by it, with its credentials, of which the provider sees nothing', async () => {
    const { leadsTo, requests, sources } = await startTarget()
    const proxy = await startProxy({ leadsTo, credentials: 'ada:p@ss:wörd' })
    const ask = open(proxy.url.replace('//', `//ada:${encodeURIComponent('p@ss:wörd')}@`), { connections: 2 })
    expect(await Promise.all(Array.from({ length: 8 }, ask))).toEqual(Array(8).fill(expect.objectContaining(OK)))
    expect(new Set(proxy.asked)).toEqual(new Set(['engine.example:80']))
    expect(sources).toEqual(proxy.asked.map(() => PROXY_ADDRESS))
    expect(proxy.asked.length).toBeLessThanOrEqual(2)
    expect(requests[0]).toEqual({
      host: 'engine.example',
      connection: 'keep-alive',
      'user-agent': 'Bowerbird/test',
      'accept-encoding': expect.any(String),
    })
  })

  it.each([
    ['http://engine.example:8080', 'engine.example:8080'],
    ['http://[2606:4700::1111]', '[2606:4700::1111]:80'],
    ['http://8.8.8.8', '8.8.8.8:80'],
  ])('for %s ask for %s', async (baseUrl, authority) => {
    const { leadsTo } = await startTarget()
    const proxy = await startProxy({ leadsTo })
    expect(await open(proxy.url, { baseUrl })()).toMatchObject(OK)
    expect(proxy.asked).toEqual([authority])
  })

  it('are never made for a literal private address or localhost, unless the operator set it', async () => {
    const { url, sources } = await startTarget()
    const proxy = await startProxy()
    for (const host of ['127.0.0.1', '0x7f.1', '[::ffff:127.0.0.1]', '10.0.0.1', '169.254.169.254', 'localhost']) {
      const ask = open(proxy.url, { baseUrl: url.replace('127.0.0.1', host) })
      expect(await ask(), host).toMatchObject({ kind: 'guarded' })
    }
    expect(proxy.asked).toEqual([])
    expect(await open(proxy.url, { baseUrl: url, isTrustedAddress: true })()).toMatchObject(OK)
    expect(sources).toEqual([PROXY_ADDRESS])
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

  it.each([
    ['without', {}],
    ['within', { tls: ofProxy }],
  ])('is between us and the provider, %s TLS to the proxy', async (_, options) => {
    const { leadsTo } = await startTarget(ofEngine)
    const proxy = await startProxy({ leadsTo, ...options })
    expect(await open(proxy.url, { baseUrl: 'https://engine.example' })()).toMatchObject(OK)
    expect(proxy.asked).toEqual(['engine.example:443'])
  })

  it('with a certificate of another name ends the call, and the proxy is not blamed', async () => {
    const { leadsTo, requests } = await startTarget(ofEngine)
    const proxy = await startProxy({ leadsTo })
    const ask = open(proxy.url, { baseUrl: 'https://other.example' })
    expect(await ask()).toMatchObject({ kind: 'unreachable', isProxyFault: false })
    expect(requests).toEqual([])
  })

  it('to a proxy whose certificate is not trusted sends it nothing', async () => {
    const proxy = await startProxy({ tls: certificate('stranger.example') })
    expect(await open(proxy.url)()).toMatchObject({ kind: 'unreachable', isProxyFault: true })
    expect(proxy.asked).toEqual([])
  })
})

describe('a proxy that does not connect', () => {
  const SECRET = 'hunter2'
  const withSecret = (url: string) => url.replace('//', `//ada:${SECRET}@`)
  const secrets = new RegExp(`${SECRET}|${btoa(`ada:${SECRET}`)}|canary`)

  it.each([
    [407, 'The outgoing proxy wants other credentials (status 407).'],
    [403, 'The outgoing proxy refused to connect to the provider (status 403).'],
    [302, 'The outgoing proxy refused to connect to the provider (status 302).'],
    [502, 'The outgoing proxy could not connect to the provider (status 502).'],
  ])('is named when it answers %i, and used again when it connects', async (refusal, message) => {
    const { leadsTo, sources } = await startTarget()
    const proxy = await startProxy({ leadsTo, refusal })
    const ask = open(withSecret(proxy.url))
    const error = await ask()
    expect(error).toBeInstanceOf(UpstreamError)
    expect(error).toMatchObject({ kind: 'unreachable', isProxyFault: true, message })
    expect(inspect(error, { depth: 9 })).not.toMatch(secrets)
    expect(sources).toEqual([])
    proxy.options = { leadsTo }
    expect(await ask()).toMatchObject(OK)
  })

  it.each<[string, (socket: Socket) => unknown]>([
    ['closes the connection', (socket) => socket.destroy()],
    ['speaks no HTTP', (socket) => socket.resume().end('220 mail.example ESMTP\r\n\r\n')],
  ])('is named when it %s, and nothing goes around it', async (_, onConnection) => {
    const { url: baseUrl, sources } = await startTarget()
    const error = await open(withSecret(await serveTcp(onConnection)), { baseUrl, isTrustedAddress: true })()
    const message = 'The outgoing proxy did not answer.'
    expect(error).toMatchObject({ kind: 'unreachable', isProxyFault: true, message })
    expect(inspect(error, { depth: 9 })).not.toMatch(secrets)
    expect(sources).toEqual([])
  })
})
