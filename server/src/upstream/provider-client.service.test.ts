// Over real sockets: a provider that answers, compresses, redirects, disconnects, hangs, drips and floods.
import { createServer as createTcpServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import type { ProviderRequest } from '@bowerbird/engines/engine.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { describe, expect, it } from 'vitest'
import { setUpLocalServers } from './local-servers.test-harness.ts'
import { openProviderClient, type ProviderClientOptions } from './provider-client.ts'

const REPLY = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const GET: ProviderRequest = { path: '/' }

const { closeLater, listen, serveHttp, serveTcp } = setUpLocalServers()

const open = (baseUrl: string, options: Partial<ProviderClientOptions> = {}) => {
  const client = openProviderClient({
    baseUrl,
    isTrustedAddress: true,
    proxy: undefined,
    userAgent: 'Bowerbird/test',
    ...options,
  })
  closeLater(client)
  /** The reply, or the error. */
  const ask = async (request = GET, deadline = createDeadline(30_000), mayRetry = () => Promise.resolve()) => {
    const asked = client.send(request, deadline, mayRetry)
    return await asked.catch((error: unknown) => error).finally(() => deadline.cancel())
  }
  return { ask, client }
}

describe('a provider client, answered', () => {
  it('sends the request below the base path and returns status, headers and body', async () => {
    const url = await serveHttp(async (request, response) => {
      const { method, url, headers } = request
      const sent = Buffer.concat(await request.toArray()).toString()
      response.writeHead(429, { 'Retry-After': '7', 'X-Kind': ['a', 'b'] })
      response.end(JSON.stringify({ method, url, agent: headers['user-agent'], type: headers['content-type'], sent }))
    })
    const { ask } = open(`${url}/brave/`)
    expect(
      await ask({ method: 'POST', path: '/s?q=%C3%A9', headers: { 'Content-Type': 'text/x' }, body: 'né' }),
    ).toMatchObject({
      status: 429,
      headers: { 'retry-after': '7', 'x-kind': ['a', 'b'] },
      body: '{"method":"POST","url":"/brave/s?q=%C3%A9","agent":"Bowerbird/test","type":"text/x","sent":"né"}',
    })
  })

  it('lets the headers of a request override its own, in any case', async () => {
    const url = await serveHttp(({ rawHeaders }, response) => {
      response.end(rawHeaders.filter((_, at) => /user-agent/i.test(rawHeaders[at - 1] ?? '')).join())
    })
    expect(await open(url).ask({ path: '/', headers: { 'User-Agent': 'other' } })).toMatchObject({ body: 'other' })
  })

  it('requests compression and decompresses the reply', async () => {
    const url = await serveHttp((request, response) => {
      const encoding = String(request.headers['accept-encoding']).split(', ')[0]
      response.writeHead(200, { 'content-encoding': encoding }).end(gzipSync('unpacked — ü'))
    })
    expect(await open(url).ask()).toMatchObject({ status: 200, body: 'unpacked — ü' })
  })

  it('joins a body that arrives in chunks, split within a character', async () => {
    const bytes = Buffer.from('aé'.repeat(5_000))
    const url = await serveHttp((_, response) => {
      response.write(bytes.subarray(0, 2), () => setImmediate(() => response.end(bytes.subarray(2))))
    })
    expect(await open(url).ask()).toMatchObject({ body: 'aé'.repeat(5_000) })
  })

  it('waits for the reply after early hints', async () => {
    const url = await serveTcp((socket) =>
      socket.on('data', () => socket.write(`HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${REPLY}`)),
    )
    expect(await open(url).ask()).toMatchObject({ status: 200, body: 'ok' })
  })

  it('leaves no listener on the deadline, neither after a reply nor after a failure', async () => {
    const url = await serveHttp((request, response) => {
      if (request.url === '/') response.end('ok')
      else request.socket.destroy()
    })
    let listeners = 0
    const deadline = {
      ...createDeadline(30_000),
      signalled: false,
      onExpire: () => {
        listeners += 1
        return () => {
          listeners -= 1
        }
      },
    }
    const { ask } = open(url)
    expect(await ask(GET, deadline)).toMatchObject({ status: 200 })
    expect(await ask({ path: '/broken' }, deadline)).toMatchObject({ kind: 'unreachable' })
    expect(listeners).toBe(0)
  })
})

describe('a provider client, refused', () => {
  it.each([301, 302, 304, 307, 308])('malformed: a redirect (%i) is not followed', async (status) => {
    const asked: unknown[] = []
    const url = await serveHttp((request, response) => {
      asked.push(request.url)
      response.writeHead(status, { location: '/elsewhere' }).end()
    })
    expect(await open(url).ask({ path: '/a' })).toMatchObject({ kind: 'malformed' })
    expect(asked).toEqual(['/a'])
  })

  const cutOff = (connection: string) => `HTTP/1.1 200 OK\r\nconnection: ${connection}\r\ncontent-length: 9\r\n\r\nabc`
  it.each([
    ['malformed', 'a reply that is not HTTP', '220 mail.example ESMTP\r\n\r\n'],
    ['malformed', 'endless headers', `HTTP/1.1 200 OK\r\n${`x: ${'y'.repeat(1_000)}\r\n`.repeat(40)}\r\n`],
    ['unreachable', 'a reply that is cut off', cutOff('keep-alive')],
    ['unreachable', 'a reply that is cut off, on a connection that ends', cutOff('close')],
  ])('%s: %s', async (kind, _, reply) => {
    const url = await serveTcp((socket) => socket.on('data', () => socket.end(reply)))
    expect(await open(url).ask()).toMatchObject({ kind })
  })

  it('unreachable: refused connection, unknown name, no TLS, client closed', async () => {
    const closing = createTcpServer()
    const gone = await listen(closing)
    await new Promise((closed) => closing.close(closed))
    expect(await open(gone).ask()).toMatchObject({ kind: 'unreachable', cause: { code: 'ECONNREFUSED' } })
    const unknown = open('http://no.example', { lookup: (_, __, callback) => callback(new Error('ENOTFOUND'), []) })
    expect(await unknown.ask()).toMatchObject({ kind: 'unreachable' })
    const plain = await serveHttp((_, response) => response.end('ok'))
    expect(await open(plain.replace('http:', 'https:')).ask()).toMatchObject({ kind: 'unreachable' })
    const closed = open(plain)
    await closed.client.close()
    expect(await closed.ask()).toMatchObject({ kind: 'unreachable' })
  })

  it('unreachable: a connection that does not open, long before the deadline', async () => {
    const hanging = open('http://slow.example', { lookup: () => undefined })
    expect(await hanging.ask()).toMatchObject({ kind: 'unreachable' })
  })

  it('guarded: loopback, unless the operator configured it', async () => {
    const url = await serveHttp((_, response) => response.end('ok'))
    expect(await open(url, { isTrustedAddress: false }).ask()).toMatchObject({ kind: 'guarded' })
  })

  it('shows no address or upstream text in its message, and keeps the cause', async () => {
    const url = await serveTcp((socket) => socket.on('data', () => socket.end('secret-upstream-text\r\n\r\n')))
    const error = await open(url).ask({ path: '/canary' })
    expect(error).toBeInstanceOf(UpstreamError)
    const { message, cause } = error as UpstreamError
    expect(message).not.toMatch(/127|canary|secret|:\d/)
    expect(cause).toBeInstanceOf(Error)
  })

  it('throws a bug, not a provider failure, when the request itself is invalid', async () => {
    const url = await serveHttp((_, response) => response.end('ok'))
    const error = await open(url).ask({ path: '/a b' })
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(UpstreamError)
  })
})

describe('a provider client, cut off', () => {
  /** Ends each connection on its second request, having answered the first; the first `cut` ones on their first. */
  const forgetful = async (cut: number, end: (socket: Socket) => unknown) => {
    const seen = { connections: 0, requests: 0 }
    const url = await serveTcp((socket) => {
      seen.connections += 1
      let answers = seen.connections > cut ? 1 : 0
      socket.on('data', () => {
        seen.requests += 1
        answers -= 1
        if (answers >= 0) socket.write(REPLY)
        else end(socket)
      })
    })
    return { ask: open(url, { connections: 1 }).ask, seen }
  }
  const close = (socket: Socket) => socket.destroy()
  const reset = (socket: Socket) => socket.resetAndDestroy()

  it.each([
    ['closed', close],
    ['reset', reset],
  ])('retries a GET once when the idle connection was %s', async (_, end) => {
    const { ask, seen } = await forgetful(0, end)
    expect(await ask()).toMatchObject({ body: 'ok' })
    expect(await ask()).toMatchObject({ body: 'ok' })
    expect(seen).toEqual({ connections: 2, requests: 3 })
  })

  const noRetry = () => Promise.reject(new Error('not this time'))
  it.each([
    { what: 'a GET whose second connection is closed as well', requests: 2, end: close },
    { what: 'a GET whose second connection is reset as well', requests: 2, end: reset },
    { what: 'a GET that may not be retried', requests: 1, end: close, mayRetry: noRetry },
    {
      what: 'a GET whose reply has begun',
      requests: 1,
      end: (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\n'),
    },
    { what: 'a POST', requests: 1, end: close, request: { method: 'POST', path: '/', body: 'x' } as const },
  ])('gives up $what, after $requests requests', async ({ requests, end, request, mayRetry }) => {
    const { ask, seen } = await forgetful(9, end)
    expect(await ask(request, undefined, mayRetry)).toMatchObject({ kind: 'unreachable' })
    expect(seen.requests).toBe(requests)
  })

  it.each(['GET', 'POST'] as const)('retries once when the connection never opened, for a %s too', async (method) => {
    let connections = 0
    const url = await serveTcp((socket) => {
      connections += 1
      socket.resetAndDestroy()
    })
    const { ask } = open(url.replace('http:', 'https:'))
    expect(await ask({ method, path: '/', body: 'x' })).toMatchObject({ kind: 'unreachable' })
    expect(connections).toBe(2)
  })
})
