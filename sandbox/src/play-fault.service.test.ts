import { Agent, get, type IncomingMessage } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Fault, SANDBOX_KEYS, type Sandbox, startSandbox } from './sandbox.ts'

let sandbox: Sandbox
const agent = new Agent({ keepAlive: false })
beforeAll(async () => {
  sandbox = await startSandbox()
})
afterEach(() => sandbox.reset())
afterAll(() => sandbox.close())

const PATHS: Readonly<Record<string, string>> = {
  brave: '/res/v1/web/search?q=climate&count=10',
  mojeek: `/search?q=climate&fmt=json&api_key=${SANDBOX_KEYS.mojeek}`,
  marginalia: '/search?query=climate&count=10',
}
const SLUGS = Object.keys(PATHS)

/** Resolves as soon as the headers arrive. */
const open = (slug: string, signal?: AbortSignal) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { 'x-subscription-token': SANDBOX_KEYS.brave, 'api-key': SANDBOX_KEYS.marginalia }
    const options = { agent, headers, ...(signal && { signal }) }
    get(`${sandbox.urlOf(slug)}${PATHS[slug]}`, options, resolve).on('error', reject)
  })

async function read(slug: string) {
  const reply = await open(slug)
  const body = Buffer.concat(await reply.toArray())
  return { status: reply.statusCode, headers: reply.headers, body, text: body.toString() }
}

const readWith = async (slug: string, fault: Fault) => {
  sandbox.setFault(slug, fault)
  return read(slug)
}

const parsed = async (slug: string, fault: Fault): Promise<unknown> => JSON.parse((await readWith(slug, fault)).text)

describe.each(SLUGS)('a fault of %s', (slug) => {
  it('latency: a good reply, late', async () => {
    const good = await read(slug)
    const startedAt = performance.now()
    const late = await readWith(slug, { kind: 'latency', latencyMs: 80, jitterMs: 20 })
    expect(performance.now() - startedAt).toBeGreaterThan(75)
    expect(late.text).toBe(good.text)
  })

  it('latency combines with other faults', async () => {
    const startedAt = performance.now()
    expect((await readWith(slug, { kind: 'html', latencyMs: 60 })).text).toContain('<html')
    expect(performance.now() - startedAt).toBeGreaterThan(55)
  })

  it.each([500, 503, 418, 204, 304])('status: %i', async (status) => {
    expect((await readWith(slug, { kind: 'status', status })).status).toBe(status)
  })

  it('blocked, html, empty-body', async () => {
    expect(await readWith(slug, { kind: 'blocked' })).toMatchObject({
      status: 403,
      text: expect.stringContaining('<html'),
    })
    expect(await readWith(slug, { kind: 'html' })).toMatchObject({
      status: 200,
      text: expect.stringContaining('<html'),
    })
    expect(await readWith(slug, { kind: 'empty-body' })).toMatchObject({ status: 200, text: '' })
  })

  it('cut-off: half a reply, with the length of that half', async () => {
    const good = await read(slug)
    const cut = await readWith(slug, { kind: 'cut-off' })
    expect(cut.headers['content-length']).toBe(String(cut.body.length))
    expect(good.body.subarray(0, cut.body.length)).toEqual(cut.body)
    expect(() => JSON.parse(cut.text)).toThrow()
  })

  it('reset: headers, then the connection is closed', async () => {
    sandbox.setFault(slug, { kind: 'reset' })
    const reply = await open(slug)
    expect(reply.statusCode).toBe(200)
    await expect(reply.toArray()).rejects.toThrow('aborted')
  })

  it('refuse: no reply at all', async () => {
    sandbox.setFault(slug, { kind: 'refuse' })
    await expect(open(slug)).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  it('hang: no reply, however long the client waits', async () => {
    sandbox.setFault(slug, { kind: 'hang' })
    await expect(open(slug, AbortSignal.timeout(100))).rejects.toThrow(/abort/i)
    expect(sandbox.callCount(slug)).toBe(1)
  })

  it('drip: one byte at a time', async () => {
    sandbox.setFault(slug, { kind: 'drip', intervalMs: 2 })
    const reply = await open(slug)
    let bytes = 0
    for await (const chunk of reply) {
      bytes += chunk.length
      if (bytes >= 10) break
    }
    expect(bytes).toBeLessThan(20)
  })

  it('gzip: a good reply, compressed', async () => {
    const good = await read(slug)
    const packed = await readWith(slug, { kind: 'gzip' })
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(packed.body).toString()).toBe(good.text)
  })
})

describe('a fault', () => {
  it('throttled: in each provider’s own format, with Retry-After', async () => {
    const throttled = { kind: 'throttled', retryAfterSeconds: 7 } as const
    const brave = await readWith('brave', throttled)
    expect(brave).toMatchObject({ status: 429, headers: { 'retry-after': '7' } })
    expect(JSON.parse(brave.text)).toMatchObject({
      error: { code: 'RATE_LIMITED', meta: { component: 'rate_limiter' } },
    })
    const mojeek = await readWith('mojeek', throttled)
    expect(mojeek).toMatchObject({ status: 200, headers: { 'retry-after': '7' } })
    expect(JSON.parse(mojeek.text)).toEqual({ response: { status: 'ERROR: Daily Limit Reached' } })
    expect(await readWith('marginalia', throttled)).toMatchObject({
      status: 429,
      headers: { 'retry-after': '7' },
      text: 'QPM Limit Exceeded',
    })
  })

  it('badKey: in each provider’s own format', async () => {
    expect(await parsed('brave', { kind: 'badKey' })).toMatchObject({ error: { code: 'SUBSCRIPTION_TOKEN_INVALID' } })
    expect(await parsed('mojeek', { kind: 'badKey' })).toMatchObject({ response: { status: 'ERROR: Invalid API Key' } })
    expect(await readWith('marginalia', { kind: 'badKey' })).toMatchObject({ status: 401, text: '' })
  })

  it('status: the body is in the provider’s own format', async () => {
    const status = { kind: 'status', status: 500 } as const
    expect(await parsed('brave', status)).toMatchObject({ type: 'ErrorResponse', error: { status: 500 } })
    expect(await parsed('mojeek', status)).toMatchObject({ response: { status: expect.stringMatching(/^ERROR/) } })
    expect((await readWith('marginalia', status)).text).toBe('Query Execution Failed')
  })

  it('wrong-shape: the members of the reply have wrong types', async () => {
    expect(await parsed('marginalia', { kind: 'wrong-shape' })).toMatchObject({ pages: 'seven', results: 'not a list' })
    expect(await parsed('brave', { kind: 'wrong-shape' })).toMatchObject({ type: 7, web: [7] })
  })

  it('wrong-shape at the leaves: there are results, and every value in them has a wrong type', async () => {
    const page = await parsed('marginalia', { kind: 'wrong-shape', at: 'leaves' })
    expect(page).toMatchObject({
      pages: 'seven',
      results: expect.arrayContaining([expect.objectContaining({ url: 7 })]),
    })
  })

  it('no-results: a valid empty reply', async () => {
    expect(await parsed('brave', { kind: 'no-results' })).not.toHaveProperty('web')
    expect(await parsed('mojeek', { kind: 'no-results' })).toMatchObject({ response: { status: 'OK', results: [] } })
    expect(await parsed('marginalia', { kind: 'no-results' })).toMatchObject({ pages: 0, results: [] })
  })

  it('omit-optional and nulls: only required members are present', async () => {
    const bare = await parsed('marginalia', { kind: 'omit-optional' })
    expect(bare).toMatchObject({
      results: expect.arrayContaining([{ url: expect.any(String), title: expect.any(String) }]),
    })
    expect(JSON.stringify(await parsed('brave', { kind: 'omit-optional' }))).not.toMatch(
      /description|page_age|meta_url/,
    )
    const nulls = JSON.stringify(await parsed('brave', { kind: 'nulls' }))
    expect(nulls).toContain('"description":null')
    expect(nulls).toMatch(/"url":"https?:/)
    expect(JSON.stringify(await parsed('mojeek', { kind: 'nulls' }))).toContain('"image":null')
  })

  it('huge: all of it arrives, as valid JSON', async () => {
    const { text } = await readWith('mojeek', { kind: 'huge', bytes: 3_000_000 })
    expect(JSON.parse(text).padding).toHaveLength(3_000_000)
  })

  it('huge: memory does not grow while the client does not read', async () => {
    sandbox.setFault('mojeek', { kind: 'huge' })
    const before = process.memoryUsage().rss
    const reply = await open('mojeek')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000)
    reply.destroy()
  })

  it('gzip-bomb: little on the wire, much when decompressed', async () => {
    const { body } = await readWith('mojeek', { kind: 'gzip-bomb', bytes: 5_000_000 })
    expect(body.length).toBeLessThan(50_000)
    expect(gunzipSync(body).length).toBeGreaterThan(5_000_000)
  })

  it('banAbove: good replies up to the rate, the provider’s own refusal above it, each of them counted', async () => {
    sandbox.setFault('brave', { kind: 'banAbove', calls: 2, perMs: 60_000 })
    const replies = [await read('brave'), await read('brave'), await read('brave'), await read('brave')]
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 429, 429])
    expect(replies[2]).toMatchObject({
      headers: { 'retry-after': '60' },
      text: expect.stringContaining('RATE_LIMITED'),
    })
    expect(sandbox.rateLimitViolations('brave')).toBe(2)
    expect(sandbox.callCount('brave')).toBe(4)
    expect(sandbox.rateLimitViolations('mojeek')).toBe(0)
    sandbox.setFault('brave', undefined)
    expect((await read('brave')).status).toBe(200)
    expect(sandbox.rateLimitViolations('brave')).toBe(2)
    sandbox.reset()
    expect(sandbox.rateLimitViolations('brave')).toBe(0)
  })

  it('ends when it is cleared', async () => {
    sandbox.setFault('mojeek', { kind: 'hang' })
    sandbox.setFault('mojeek', undefined)
    expect((await read('mojeek')).status).toBe(200)
  })
})
