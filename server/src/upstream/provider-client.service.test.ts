// Over real sockets: a provider that answers, compresses, redirects, disconnects, hangs, drips and floods.
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { createDeadline, type Deadline } from '@bowerbird/engines/deadline.ts'
import type { ProviderRequest } from '@bowerbird/engines/engine.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { openProviderClient, type ProviderClientOptions } from './provider-client.ts'

const REPLY = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const listen = async (server: Server): Promise<string> => {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((closed) => server.close(closed))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  // Cast: a server listening on a TCP port has an AddressInfo.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const serveHttp = (listener: RequestListener): Promise<string> => listen(createHttpServer(listener))
const serveTcp = (onConnection: (socket: Socket) => void): Promise<string> =>
  listen(createTcpServer((socket) => onConnection(socket.on('error', () => socket.destroy()))))

const open = (baseUrl: string, options: Partial<ProviderClientOptions> = {}) => {
  const client = openProviderClient({
    baseUrl,
    isTrustedAddress: true,
    proxy: undefined,
    userAgent: 'Bowerbird/test',
    ...options,
  })
  cleanups.push(() => client.close())
  return {
    /** The reply, or the error. */
    ask: async (request: ProviderRequest, ms = 3_000, deadline: Deadline = createDeadline(ms)) => {
      try {
        return await client.ask(request, deadline, () => Promise.resolve())
      } catch (error) {
        return error
      } finally {
        deadline.cancel()
      }
    },
    client,
  }
}

describe('a provider client, answered', () => {
  it('sends the request below the base path and returns status, headers and body', async () => {
    const url = await serveHttp((request, response) => {
      let sent = ''
      request.on('data', (chunk) => {
        sent += chunk
      })
      request.on('end', () => {
        const { method, url, headers } = request
        response.writeHead(429, { 'Retry-After': '7', 'X-Kind': ['a', 'b'] })
        response.end(JSON.stringify({ method, url, agent: headers['user-agent'], type: headers['content-type'], sent }))
      })
    })
    const { ask } = open(`${url}/brave/`)
    const reply = await ask({ method: 'POST', path: '/s?q=%C3%A9', headers: { 'Content-Type': 'text/x' }, body: 'né' })
    expect(reply).toMatchObject({ status: 429, headers: { 'retry-after': '7', 'x-kind': ['a', 'b'] } })
    expect(JSON.parse((reply as { body: string }).body)).toEqual({
      method: 'POST',
      url: '/brave/s?q=%C3%A9',
      agent: 'Bowerbird/test',
      type: 'text/x',
      sent: 'né',
    })
  })

  it('lets the headers of a request override its own, in any case', async () => {
    const url = await serveHttp((request, response) => {
      response.end(
        `${request.rawHeaders.filter((name) => /user-agent/i.test(name)).length} ${request.headers['user-agent']}`,
      )
    })
    expect(await open(url).ask({ path: '/', headers: { 'User-Agent': 'other' } })).toMatchObject({ body: '1 other' })
  })

  it('requests compression and decompresses the reply', async () => {
    const url = await serveHttp((request, response) => {
      const encoding = String(request.headers['accept-encoding']).split(', ')[0]
      response.writeHead(200, { 'content-encoding': encoding })
      response.end(gzipSync('unpacked — ü'))
    })
    expect(await open(url).ask({ path: '/' })).toMatchObject({ status: 200, body: 'unpacked — ü' })
  })

  it('joins a body that arrives in chunks, split within a character', async () => {
    const bytes = Buffer.from('aé'.repeat(5_000))
    const url = await serveHttp((_, response) => {
      response.write(bytes.subarray(0, 2))
      setTimeout(() => response.end(bytes.subarray(2)), 20)
    })
    expect(await open(url).ask({ path: '/' })).toMatchObject({ body: 'aé'.repeat(5_000) })
  })

  it('waits for the reply after early hints', async () => {
    const url = await serveTcp((socket) => {
      socket.on('data', () => socket.write(`HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${REPLY}`))
    })
    expect(await open(url).ask({ path: '/' })).toMatchObject({ status: 200, body: 'ok' })
  })

  it('leaves no listener on the deadline, neither after a reply nor after a failure', async () => {
    const url = await serveHttp((request, response) => {
      if (request.url === '/ok') response.end('ok')
      else request.socket.destroy()
    })
    let registered = 0
    const counting: Deadline = {
      signalled: false,
      isCalledOff: false,
      extend: () => undefined,
      callOff: () => undefined,
      remainingMs: () => 1_000,
      onExpire: () => {
        registered += 1
        return () => {
          registered -= 1
        }
      },
      cancel: () => undefined,
    }
    const { ask } = open(url)
    expect(await ask({ path: '/ok' }, 0, counting)).toMatchObject({ status: 200 })
    expect(await ask({ path: '/broken' }, 0, counting)).toMatchObject({ kind: 'unreachable' })
    expect(registered).toBe(0)
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

  it('malformed: what is not HTTP, and endless headers', async () => {
    const noise = await serveTcp((socket) => socket.on('data', () => socket.write('220 mail.example ESMTP\r\n\r\n')))
    expect(await open(noise).ask({ path: '/' })).toMatchObject({ kind: 'malformed' })
    const headers = await serveTcp((socket) =>
      socket.on('data', () => socket.write(`HTTP/1.1 200 OK\r\n${`x: ${'y'.repeat(1_000)}\r\n`.repeat(40)}\r\n`)),
    )
    expect(await open(headers).ask({ path: '/' })).toMatchObject({ kind: 'malformed' })
  })

  it('unreachable: refused connection, unknown name, no TLS, reply cut off, client closed', async () => {
    const closing = createTcpServer()
    const gone = await listen(closing)
    await new Promise((closed) => closing.close(closed))
    const refused = await open(gone).ask({ path: '/' })
    expect(refused).toMatchObject({ kind: 'unreachable', cause: { code: 'ECONNREFUSED' } })

    const unknown = open('http://no.example', {
      lookup: (_, __, callback) =>
        callback(Object.assign(new Error('ENOTFOUND no.example'), { code: 'ENOTFOUND' }), []),
    })
    expect(await unknown.ask({ path: '/' })).toMatchObject({ kind: 'unreachable' })

    const plain = await serveHttp((_, response) => response.end('ok'))
    expect(await open(plain.replace('http:', 'https:')).ask({ path: '/' })).toMatchObject({ kind: 'unreachable' })

    for (const connection of ['keep-alive', 'close']) {
      const cut = await serveTcp((socket) =>
        socket.on('data', () =>
          socket.end(`HTTP/1.1 200 OK\r\nconnection: ${connection}\r\ncontent-length: 9\r\n\r\nabc`),
        ),
      )
      expect(await open(cut).ask({ path: '/' })).toMatchObject({ kind: 'unreachable' })
    }
    const closed = open(plain)
    await closed.client.close()
    expect(await closed.ask({ path: '/' })).toMatchObject({ kind: 'unreachable' })
  })

  it('unreachable: a connection that does not open in time', async () => {
    const started = performance.now()
    const hanging = open('http://slow.example', { lookup: () => undefined })
    expect(await hanging.ask({ path: '/' }, 30_000)).toMatchObject({ kind: 'unreachable' })
    expect(performance.now() - started).toBeLessThan(20_000)
  })

  it('guarded: loopback under any of its names, unless the operator configured it', async () => {
    let connections = 0
    const url = await serveTcp(() => {
      connections += 1
    })
    for (const host of [
      '127.0.0.1',
      'localhost',
      '2130706433',
      '0x7f.1',
      '017700000001',
      '[::ffff:127.0.0.1]',
      '0.0.0.0',
    ]) {
      const { ask } = open(url.replace('127.0.0.1', host), { isTrustedAddress: false })
      expect(await ask({ path: '/' }), host).toMatchObject({ kind: 'guarded' })
    }
    expect(connections).toBe(0)
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
  /** Closes each connection on its second request, having answered the first; the first `cut` ones on their first. */
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
    return { url, seen }
  }
  const ends = { closed: (socket: Socket) => socket.destroy(), reset: (socket: Socket) => socket.resetAndDestroy() }

  it.each(Object.entries(ends))('retries a GET once when the idle connection was %s', async (_, end) => {
    const { url, seen } = await forgetful(0, end)
    const { ask } = open(url)
    expect(await ask({ path: '/' })).toMatchObject({ body: 'ok' })
    await sleep(5)
    expect(await ask({ path: '/' })).toMatchObject({ body: 'ok' })
    expect(seen).toEqual({ connections: 2, requests: 3 })
  })

  it.each(Object.entries(ends))('gives up when the second connection is %s as well', async (_, end) => {
    const { url, seen } = await forgetful(9, end)
    expect(await open(url).ask({ path: '/' })).toMatchObject({ kind: 'unreachable' })
    expect(seen.requests).toBe(2)
  })

  it('does not retry when it is not allowed to', async () => {
    const { url, seen } = await forgetful(9, ends.closed)
    const deadline = createDeadline(5_000)
    const asked = open(url).client.ask({ path: '/' }, deadline, () => Promise.reject(new Error('not this time')))
    await expect(asked).rejects.toMatchObject({ kind: 'unreachable' })
    expect(seen.requests).toBe(1)
    deadline.cancel()
  })

  it('never retries a POST', async () => {
    const { url, seen } = await forgetful(9, ends.closed)
    expect(await open(url).ask({ method: 'POST', path: '/', body: 'x' })).toMatchObject({ kind: 'unreachable' })
    expect(seen.requests).toBe(1)
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

  it('does not retry once the reply has begun', async () => {
    const { url, seen } = await forgetful(9, (socket) => socket.end('HTTP/1.1 200 OK\r\n'))
    expect(await open(url).ask({ path: '/' })).toMatchObject({ kind: 'unreachable' })
    expect(seen.requests).toBe(1)
  })
})
