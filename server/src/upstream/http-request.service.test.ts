// A provider that hangs, drips and floods, over real sockets: each call ends by its deadline or at the cap, frees its
// socket, uses bounded memory, and the same client keeps working.
import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { setUpLocalServers } from './local-servers.test-harness.ts'
import { openProviderClient, type ProviderClient } from './provider-client.ts'

const FLOOD_BYTES = 200_000_000
const block = Buffer.alloc(65_536, 'x')
const zeros = Buffer.alloc(FLOOD_BYTES / 2)
const gzipBomb = gzipSync(zeros, { level: 1 })
const brotliBomb = brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })

const { closeLater, serveHttp } = setUpLocalServers()
const openReplies = new Set<ServerResponse>()
let connections: Set<unknown>
let bytesFlooded: number
let client: ProviderClient

/** Writes as fast as the client reads. */
const flood = (response: ServerResponse) => {
  do bytesFlooded += block.length
  while (response.write(block))
  response.once('drain', () => flood(response))
}

const drip = async (response: ServerResponse) => {
  for (; !response.destroyed; await nextTurn()) response.write('x')
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

beforeEach(async () => {
  connections = new Set()
  bytesFlooded = 0
  const baseUrl = await serveHttp(({ url = '', socket }, response) => {
    connections.add(socket)
    openReplies.add(response)
    response.on('close', () => openReplies.delete(response))
    replies[url]?.(response)
  })
  const options = { isTrustedAddress: true, proxy: undefined, userAgent: 'Bowerbird/test' }
  // One socket: a call that did not free it would leave the next one waiting forever.
  client = openProviderClient({ ...options, baseUrl, connections: 1 })
  closeLater(client)
})

/** The body, or the error. */
const ask = (path: string, deadline = createDeadline(60_000)) =>
  client
    .send({ path }, deadline, () => Promise.resolve())
    .then(({ body }) => body)
    .catch((error: unknown) => error)

const expectAllEnded = async () => {
  expect(await ask('/ok')).toBe('ok')
  while (openReplies.size > 0) await nextTurn()
}

describe('an exchange with a slow provider', () => {
  it.each(['/hang', '/drip'])('timeout: %s ends by the deadline and frees its socket', async (path) => {
    expect(await ask(path, createDeadline(50))).toMatchObject({ kind: 'timeout' })
    await expectAllEnded()
  })

  it('timeout: all calls of a search end together, sent or still waiting for a socket', async () => {
    const deadline = createDeadline(60_000)
    const calls = ['/drip', '/ok', '/ok'].map((path) => ask(path, deadline))
    while (openReplies.size === 0) await nextTurn()
    deadline.cancel()
    for (const outcome of await Promise.all(calls)) expect(outcome).toMatchObject({ kind: 'timeout' })
    await expectAllEnded()
  })

  it('timeout: nothing is sent after the deadline, and a call that times out while waiting costs no connection', async () => {
    const [slow, waiting] = [createDeadline(60_000), createDeadline(60_000)]
    const calls = [ask('/drip', slow), ask('/ok', waiting)]
    while (openReplies.size === 0) await nextTurn()
    waiting.cancel()
    expect(await calls[1]).toMatchObject({ kind: 'timeout' })
    expect(await ask('/ok', waiting)).toMatchObject({ kind: 'timeout' })
    expect(connections.size).toBe(1)
    slow.cancel()
    await expectAllEnded()
    // The dripping one was destroyed, and one more was opened for the last call.
    expect(connections.size).toBe(2)
  })
})

describe('an exchange with a flooding provider', () => {
  it.each(['/flood', '/declared-flood', '/gzip-bomb', '/brotli-bomb'])(
    'malformed: %s is stopped at the cap, in bounded memory',
    async (path) => {
      await ask(path)
      bytesFlooded = 0
      const before = process.memoryUsage().rss
      expect(await ask(path)).toMatchObject({ kind: 'malformed', message: 'the reply is too large' })
      expect(process.memoryUsage().rss - before).toBeLessThan(FLOOD_BYTES / 10)
      expect(bytesFlooded).toBeLessThan(FLOOD_BYTES / 10)
      await expectAllEnded()
    },
  )
})
