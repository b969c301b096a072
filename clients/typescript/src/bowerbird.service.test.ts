// Tests specific to the JavaScript client; behaviours.service.test.ts has those it shares with the Python client.
import { describe, expect, it, onTestFinished } from 'vitest'
import { Bowerbird, RateLimitError, TimedOutError } from './bowerbird.ts'
import { readPlainHttp, type ScriptedReply, startScriptedInstance } from './scripted-instance.test-harness.ts'

const KEY = 'bowerbird_test.secret'
const PAGE = { query: 'climate', tab: 'web', page: 1, engine: [], correction: '', results: [] }
const OK: ScriptedReply = { status: 200, json: PAGE, headers: { 'search-status': 'partial' } }
const STREAM: ScriptedReply = {
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  events: [{ event: 'start', data: { request_id: 'id', engines: [] } }],
  stays_open: true,
}

async function connect(...replies: ScriptedReply[]) {
  const instance = await startScriptedInstance(replies)
  onTestFinished(() => instance.close())
  return { ...instance, bowerbird: new Bowerbird({ url: instance.url, key: KEY }) }
}

describe('a reply', () => {
  it('has its meta beside the body, not in it', async () => {
    const { bowerbird } = await connect(OK)
    const reply = await bowerbird.web('climate')
    expect(reply.meta.searchStatus).toBe('partial')
    expect(JSON.stringify(reply)).toBe(JSON.stringify(PAGE))
    expect({ ...reply }).toEqual(PAGE)
  })
})

describe('a redirect', () => {
  it.each([
    ['https://other.example/api/v1/web/?q=climate', 'https://other.example/api/v1/web/'],
    ['/login?next=climate', '/login'],
  ])('to %s: the error says where it leads, without the query', async (location, shown) => {
    const { bowerbird, url } = await connect({ status: 308, headers: { location }, text: '' })
    await expect(bowerbird.web('climate')).rejects.toThrow(
      `The URL redirects to ${new URL(shown, url).href}, where the key is not sent. Use the final URL.`,
    )
  })
})

describe('timeoutMs', () => {
  it('is for all attempts together: a wait that would end later is not begun', async () => {
    const later: ScriptedReply = { status: 503, headers: { 'retry-after': '1' }, json: { detail: 'Later.' } }
    const { bowerbird, received } = await connect(later, later, later)
    const started = performance.now()
    await expect(bowerbird.web('climate', { timeoutMs: 2_500 })).rejects.toThrow('Later.')
    // One second until the second attempt; two more would be too many.
    expect(performance.now() - started).toBeLessThan(2_500)
    expect(received.length).toBe(2)
  })

  it('ends an attempt that takes longer, also a later one', async () => {
    const { bowerbird } = await connect({ status: 429, headers: { 'retry-after': '0' }, json: {} }, { silent: true })
    await expect(bowerbird.web('climate', { timeoutMs: 1_000 })).rejects.toBeInstanceOf(TimedOutError)
  })
})

describe('an abort signal', () => {
  it('that is already aborted sends nothing', async () => {
    const { bowerbird, received } = await connect(OK)
    await expect(bowerbird.web('climate', { signal: AbortSignal.abort('changed my mind') })).rejects.toBe(
      'changed my mind',
    )
    expect(received).toEqual([])
  })

  it('ends a call that waits for its reply', async () => {
    const { bowerbird, received } = await connect({ silent: true })
    const controller = new AbortController()
    const call = bowerbird.web('climate', { signal: controller.signal })
    await expect.poll(() => received.length, { timeout: 10_000 }).toBe(1)
    controller.abort()
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('ends a call that waits to retry', async () => {
    const { bowerbird, received } = await connect({ status: 429, headers: { 'retry-after': '20' }, json: {} }, OK)
    const controller = new AbortController()
    const call = bowerbird.web('climate', { signal: controller.signal })
    await expect.poll(() => received.length, { timeout: 10_000 }).toBe(1)
    setTimeout(() => controller.abort(), 50)
    // Aborted before or after the refusal arrived: it throws the signal's reason either way.
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
    expect(received.length).toBe(1)
  })

  it('ends a stream', async () => {
    const { bowerbird } = await connect(STREAM)
    const controller = new AbortController()
    const reading = (async () => {
      for await (const { event } of bowerbird.stream('web', 'climate', { signal: controller.signal })) {
        if (event === 'start') controller.abort()
      }
    })()
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('a stream', () => {
  it('that is left early closes its connection, so that the search stops', async () => {
    const { bowerbird, openReplies } = await connect(STREAM)
    for await (const { event } of bowerbird.stream('web', 'climate')) {
      expect(event).toBe('start')
      expect(openReplies()).toBe(1)
      break
    }
    await expect.poll(openReplies, { timeout: 10_000 }).toBe(0)
  })
})

describe('options', () => {
  it('an instance may be under a path', async () => {
    const { url, received } = await connect(OK)
    await new Bowerbird({ url: `${url}/search//`, key: KEY }).web('climate')
    expect(received.map(({ line }) => line)).toEqual(['GET /search/api/v1/web/?q=climate'])
  })

  it('the address of the API is as good as that of its instance', async () => {
    const { url, received } = await connect(OK, OK)
    await new Bowerbird({ url: `${url}/api/v1/`, key: KEY }).web('climate')
    await new Bowerbird({ url: `${url}/search/api/v1`, key: KEY }).web('climate')
    expect(received.map(({ line }) => line)).toEqual([
      'GET /api/v1/web/?q=climate',
      'GET /search/api/v1/web/?q=climate',
    ])
  })

  it.each([
    [undefined, 'url is missing. Pass the address of the instance, such as https://search.example.'],
    ['', 'url is missing.'],
    ['search.example', 'url is not a URL. Pass the address of the instance'],
    ['ftp://search.example', 'url must start with https:// or http://.'],
  ])('a url that cannot be one says so: %j', (url, message) => {
    expect(() => new Bowerbird({ url, key: KEY })).toThrow(message)
    expect(() => new Bowerbird({ url: 'https://search.example', key: undefined })).toThrow('key is not an API key')
  })

  it('plain HTTP is for private hosts, unless it is allowed elsewhere', () => {
    const { private: inside, public: outside } = readPlainHttp()
    expect(outside.length).toBeGreaterThan(5)
    for (const url of inside) expect(() => new Bowerbird({ url, key: KEY }), url).not.toThrow()
    for (const url of outside) {
      expect(() => new Bowerbird({ url, key: KEY }), url).toThrow('url must start with https://')
      expect(() => new Bowerbird({ url, key: KEY, allowInsecure: true }), url).not.toThrow()
      expect(() => new Bowerbird({ url: url.replace('http:', 'https:'), key: KEY }), url).not.toThrow()
    }
  })

  it('fetch may be replaced, and is not called as a method', async () => {
    const asked: unknown[] = []
    async function fetch(this: unknown, address: unknown) {
      asked.push([this, address])
      return new Response(JSON.stringify(PAGE), { status: 200 })
    }
    const bowerbird = new Bowerbird({ url: 'https://search.example', key: KEY, fetch })
    expect(await bowerbird.get('read/', { url: 'https://a.example/' })).toEqual(PAGE)
    expect(asked).toEqual([[undefined, 'https://search.example/api/v1/read/?url=https%3A%2F%2Fa.example%2F']])
  })

  it('of a call override those of the client', async () => {
    const { bowerbird, received } = await connect({ status: 429, headers: { 'retry-after': '0' }, json: {} }, OK)
    await expect(bowerbird.web('climate', { maxRetries: 0 })).rejects.toBeInstanceOf(RateLimitError)
    expect(received.length).toBe(1)
  })
})
