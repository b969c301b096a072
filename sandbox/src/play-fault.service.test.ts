// What a fault does to a connection. What it does to the reply of each provider is in provider-rules.service.test.ts.
import { Agent, get, type IncomingMessage } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type Fault, SANDBOX_KEYS, type Sandbox, startSandbox } from './sandbox.ts'

let sandbox: Sandbox
const agent = new Agent({ keepAlive: false })
beforeAll(async () => {
  sandbox = await startSandbox()
})
afterEach(() => sandbox.reset())
afterAll(() => sandbox.close())

/** Resolves as soon as the headers arrive. */
const open = (fault?: Fault, signal?: AbortSignal) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    if (fault) sandbox.setFault('brave', fault)
    const headers = { 'x-subscription-token': SANDBOX_KEYS.brave }
    const url = `${sandbox.urlOf('brave')}/res/v1/web/search?q=climate&count=10`
    get(url, { agent, headers, ...(signal && { signal }) }, resolve).on('error', reject)
  })

async function read(fault?: Fault) {
  const reply = await open(fault)
  const body = Buffer.concat(await reply.toArray())
  return { status: reply.statusCode, headers: reply.headers, body, text: body.toString() }
}

it('latency: a good reply is late, also with another fault', async () => {
  const good = await read()
  const startedAt = performance.now()
  expect((await read({ kind: 'latency', latencyMs: 80, jitterMs: 20 })).text).toBe(good.text)
  expect((await read({ kind: 'html', latencyMs: 60 })).text).toContain('<html')
  expect(performance.now() - startedAt).toBeGreaterThan(135)
})

it.each<[Fault, object]>([
  [{ kind: 'status', status: 418 }, { status: 418 }],
  [{ kind: 'status', status: 204 }, { status: 204 }],
  [{ kind: 'blocked' }, { status: 403, text: expect.stringContaining('<html') }],
  [{ kind: 'html' }, { status: 200, text: expect.stringContaining('<html') }],
  [{ kind: 'empty-body' }, { status: 200, text: '' }],
])('%j is what the client sees', async (fault, reply) => {
  expect(await read(fault)).toMatchObject(reply)
})

it('cut-off: half a reply comes with the length of that half', async () => {
  const good = await read()
  const cut = await read({ kind: 'cut-off' })
  expect(cut.headers['content-length']).toBe(String(cut.body.length))
  expect(good.text.startsWith(cut.text)).toBe(true)
  expect(() => JSON.parse(cut.text)).toThrow()
})

it('reset: the connection breaks after the headers', async () => {
  const reply = await open({ kind: 'reset' })
  await expect(reply.toArray()).rejects.toThrow('aborted')
})

it('refuse: there is no reply at all', async () => {
  await expect(open({ kind: 'refuse' })).rejects.toMatchObject({ code: 'ECONNRESET' })
})

it('hang: there is no reply, however long the client waits', async () => {
  await expect(open({ kind: 'hang' }, AbortSignal.timeout(100))).rejects.toThrow(/abort/i)
  expect(sandbox.callCount('brave')).toBe(1)
})

it('drip: one byte comes at a time', async () => {
  for await (const chunk of await open({ kind: 'drip', intervalMs: 2 })) {
    expect(chunk.length).toBeLessThan(10)
    break
  }
})

it('gzip: a good reply comes compressed', async () => {
  const good = await read()
  const packed = await read({ kind: 'gzip' })
  expect(packed.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(packed.body).toString()).toBe(good.text)
})

it('huge: all of it arrives, as valid JSON', async () => {
  expect(JSON.parse((await read({ kind: 'huge', bytes: 3_000_000 })).text).padding).toHaveLength(3_000_000)
})

it('gzip-bomb: little on the wire is much when decompressed', async () => {
  const { body } = await read({ kind: 'gzip-bomb', bytes: 5_000_000 })
  expect(body.length).toBeLessThan(50_000)
  expect(gunzipSync(body).length).toBeGreaterThan(5_000_000)
})

it('banAbove: calls above the rate are refused and counted', async () => {
  const replies = [await read({ kind: 'banAbove', calls: 2, perMs: 60_000 }), await read(), await read(), await read()]
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 429, 429])
  expect(replies[2]?.headers['retry-after']).toBe('60')
  expect(sandbox.rateLimitViolations('brave')).toBe(2)
  sandbox.reset()
  expect((await read()).status).toBe(200)
  expect(sandbox.rateLimitViolations('brave')).toBe(0)
})
