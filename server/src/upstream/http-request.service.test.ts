// A provider that hangs, drips and floods, over real sockets: each call ends by its deadline or at the cap, frees its
// socket, uses bounded memory, and the same client keeps working.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProviderClient, type ProviderClient } from './provider-client.ts'

const FLOOD_BYTES = 200_000_000
const GROWTH_ALLOWED = 20_000_000
const block = Buffer.alloc(65_536, 'x')
const zeros = Buffer.alloc(FLOOD_BYTES / 2)
const gzipBomb = gzipSync(zeros, { level: 1 })
const brotliBomb = brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })

const openReplies = new Set<ServerResponse>()
let bytesFlooded = 0

const blocks = function* () {
  for (let sent = 0; sent < FLOOD_BYTES; sent += block.length) {
    bytesFlooded += block.length
    yield block
  }
}

/** Writes as fast as the client reads, until all is sent or the client stops reading. */
const flood = (response: ServerResponse) => pipeline(Readable.from(blocks()), response, () => undefined)

const drip = async (response: ServerResponse) => {
  while (!response.destroyed) {
    response.write('x')
    await sleep(5)
  }
}

const replies: Record<string, (response: ServerResponse) => unknown> = {
  '/ok': (response) => response.end('ok'),
  '/hang': () => undefined,
  '/drip': drip,
  '/flood': flood,
  '/declared-flood': (response) => response.writeHead(200, { 'content-length': FLOOD_BYTES }).write('x'),
  '/gzip-bomb': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipBomb),
  '/brotli-bomb': (response) => response.writeHead(200, { 'content-encoding': 'br' }).end(brotliBomb),
}

const server = createServer((request, response) => {
  openReplies.add(response)
  response.on('close', () => openReplies.delete(response))
  replies[request.url ?? '']?.(response)
})

const open = (connections: number): ProviderClient => {
  // Cast: a server listening on a TCP port has an AddressInfo.
  const { port } = server.address() as AddressInfo
  return openProviderClient({
    baseUrl: `http://127.0.0.1:${port}`,
    isTrustedAddress: true,
    proxy: undefined,
    userAgent: 'Bowerbird/test',
    connections,
  })
}

let client: ProviderClient
const mayRetry = () => Promise.resolve()

const ask = async (path: string, ms: number) => {
  const deadline = createDeadline(ms)
  const started = performance.now()
  const outcome = await client.ask({ path }, deadline, mayRetry).then(
    ({ body }) => body,
    (error: unknown) => error,
  )
  deadline.cancel()
  return { outcome, tookMs: performance.now() - started }
}

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  // One socket: a call that did not free it would leave the next one waiting forever.
  client = open(1)
})

afterAll(async () => {
  await client.close()
  server.closeAllConnections()
  await new Promise((closed) => server.close(closed))
})

const expectAllEnded = async () => {
  expect((await ask('/ok', 20_000)).outcome).toBe('ok')
  for (let turns = 0; turns < 100 && openReplies.size > 0; turns += 1) await sleep(5)
  expect(openReplies.size).toBe(0)
}

describe('an exchange with a slow provider', () => {
  it.each(['/hang', '/drip'])('timeout: %s ends by the deadline and frees its socket', async (path) => {
    const { outcome, tookMs } = await ask(path, 100)
    expect(outcome).toMatchObject({ kind: 'timeout' })
    expect(tookMs).toBeGreaterThan(95)
    expect(tookMs).toBeLessThan(10_000)
    await expectAllEnded()
  })

  it('timeout: all calls of a search end together, sent or still waiting for a socket', async () => {
    const deadline = createDeadline(100)
    const started = performance.now()
    const outcomes = await Promise.allSettled(
      ['/hang', '/ok', '/ok'].map((path) => client.ask({ path }, deadline, mayRetry)),
    )
    expect(performance.now() - started).toBeLessThan(10_000)
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.kind)).toEqual(
      Array(3).fill('timeout'),
    )
    await expectAllEnded()
  })

  it('timeout: nothing is sent after the deadline, and a call that times out while waiting costs no connection', async () => {
    let connections = 0
    const count = () => {
      connections += 1
    }
    server.on('connection', count)
    await ask('/ok', 10_000)
    const before = connections
    const slow = ask('/drip', 150)
    await nextTurn()
    expect((await ask('/ok', 50)).outcome).toMatchObject({ kind: 'timeout' })
    const late = createDeadline(1_000)
    late.cancel()
    await expect(client.ask({ path: '/ok' }, late, mayRetry)).rejects.toMatchObject({ kind: 'timeout' })
    await slow
    await expectAllEnded()
    expect(connections - before).toBe(1)
    server.off('connection', count)
  })

  it('timeout: the end of the search ends calls in flight', async () => {
    const deadline = createDeadline(60_000)
    const call = client.ask({ path: '/drip' }, deadline, mayRetry)
    await sleep(20)
    deadline.cancel()
    await expect(call).rejects.toMatchObject({ kind: 'timeout' })
    await expectAllEnded()
  })
})

describe('an exchange with a flooding provider', () => {
  it.each(['/flood', '/declared-flood', '/gzip-bomb', '/brotli-bomb'])(
    'malformed: %s is stopped at the cap, in bounded memory',
    async (path) => {
      await ask(path, 20_000)
      bytesFlooded = 0
      const before = process.memoryUsage().rss
      let highest = before
      const watch = setInterval(() => {
        highest = Math.max(highest, process.memoryUsage().rss)
      }, 2)
      const { outcome, tookMs } = await ask(path, 20_000)
      await sleep(20)
      clearInterval(watch)

      expect(outcome).toMatchObject({ kind: 'malformed', message: 'the reply is too large' })
      expect(tookMs).toBeLessThan(10_000)
      expect(Math.max(highest, process.memoryUsage().rss) - before).toBeLessThan(GROWTH_ALLOWED)
      expect(bytesFlooded).toBeLessThan(FLOOD_BYTES / 10)
      await expectAllEnded()
    },
  )
})
