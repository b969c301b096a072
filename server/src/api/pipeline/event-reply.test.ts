import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Refusal } from '../../errors.ts'
import { mergeRankings } from '../../search/merge.ts'
import type { SearchWatcher } from '../../search/search-watcher.ts'
import { found, NOW, setUpApi, webHit } from '../api.test-harness.ts'

const stage = setUpApi()
const AUTHORIZED = { authorization: 'Api-Key bowerbird_good.key' }
const EVENTS = 'text/event-stream'
const LINES = 'application/x-ndjson'

const hits = [webHit({ publishedAt: 0 })]
const merged = mergeRankings([{ slot: 'engine_a', weight: 1, hits }])

/** Sends the watcher all events of a search with two engines. */
function tell(watcher: SearchWatcher | undefined): void {
  watcher?.onStart(['engine_a', 'engine_b'])
  watcher?.onEngine({ slot: 'engine_a', outcome: 'ok', count: 1, ms: 12, cached: undefined, isStale: false })
  watcher?.onEngine({ slot: 'engine_b', outcome: 'failed', kind: 'overBudget', ms: 3, calledProvider: false })
}

const ask = (accept: string, url = '/api/v1/web/?q=climate') =>
  stage.http.inject({ url, headers: { ...AUTHORIZED, accept } })

const eventsIn = (text: string) =>
  text
    .split('\n\n')
    .filter((event) => event.startsWith('event: '))
    .map((event) => {
      const [, name = '', data = ''] = /^event: (\w+)\ndata: (.+)$/.exec(event) ?? []
      return { event: name, ...JSON.parse(data) }
    })
const linesIn = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

/** An open stream, and what it has sent so far. */
async function openStream(accept: string) {
  const reply = await stage.http.inject({
    url: '/api/v1/web/?q=climate',
    headers: { ...AUTHORIZED, accept },
    payloadAsStream: true,
  })
  const stream: Readable = reply.stream()
  const state = { text: '' }
  stream.on('data', (chunk: Buffer) => {
    state.text += chunk.toString()
  })
  return { stream, text: () => state.text }
}

describe.each([
  [EVENTS, eventsIn],
  [LINES, linesIn],
])('%s', (type, read) => {
  it('200: start, each engine, and done with the exact text of the JSON reply and its headers', async () => {
    stage.says.search = async (tab, request, watcher) => {
      tell(watcher)
      return found(tab, request, { hits })
    }
    const json = await stage.get('/api/v1/web/?q=climate')
    const reply = await ask(type)
    expect(reply.statusCode).toBe(200)
    expect(reply.headers).toMatchObject({
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'private, no-store',
      'x-accel-buffering': 'no',
      vary: 'Accept',
    })
    expect(reply.headers['content-encoding']).toBeUndefined()
    const events = read(reply.body)
    expect(events.slice(0, 3)).toEqual([
      { event: 'start', request_id: reply.headers['x-request-id'], engines: ['engine_a', 'engine_b'] },
      { event: 'engine', engine: 'engine_a', status: 'ok', n: 1, ms: 12 },
      { event: 'engine', engine: 'engine_b', status: 'budget', n: 0, ms: 3 },
    ])
    expect(events[3]).toEqual({
      event: 'done',
      body: json.json,
      headers: {
        'Cache-Status': json.headers['cache-status'],
        'Engine-Status': json.headers['engine-status'],
        RateLimit: reply.headers['ratelimit'],
        'RateLimit-Policy': json.headers['ratelimit-policy'],
        'Search-Status': 'complete',
        'Server-Timing': json.headers['server-timing'],
        'X-Request-Id': reply.headers['x-request-id'],
      },
    })
    expect(reply.body).toContain(`"body":${json.text},"headers":{`)
    expect(events.length).toBe(4)
  })

  it('503 after the start: an error event with the status, body and headers of the refusal, still counted', async () => {
    stage.says.search = async (_tab, _request, watcher) => {
      tell(watcher)
      throw new Refusal('no_engine_responded', 'No search engine responded.', {
        'Retry-After': '5',
        'Engine-Status': 'engine_a;timeout',
      })
    }
    const last = read((await ask(type)).body).at(-1)
    expect(last).toMatchObject({
      event: 'error',
      status: 503,
      body: { detail: 'No search engine responded.' },
      headers: { 'Retry-After': '5', 'Engine-Status': 'engine_a;timeout' },
    })
    expect(stage.counted).toEqual(['web_search'])
  })

  it('500 after the start: an error event that shows only the request ID', async () => {
    stage.says.search = async (_tab, _request, watcher) => {
      tell(watcher)
      throw new TypeError('canary is not a function')
    }
    const reply = await ask(type)
    expect(read(reply.body).at(-1)).toMatchObject({
      event: 'error',
      status: 500,
      body: { detail: `Internal server error, logged under request ID ${String(reply.headers['x-request-id'])}.` },
    })
    expect(reply.body).not.toContain('canary')
    expect(stage.logged()).toContain('canary is not a function')
    expect(stage.counted).toEqual(['web_search'])
  })

  it('400, 401, 403 and 503 before the start are ordinary errors', async () => {
    const wrong = await ask(type, '/api/v1/web/')
    expect([wrong.statusCode, wrong.json()]).toEqual([400, { q: ['This parameter is required.'] }])
    const withoutKey = await stage.http.inject({ url: '/api/v1/web/?q=climate', headers: { accept: type } })
    expect([withoutKey.statusCode, withoutKey.headers['content-type']]).toEqual([
      401,
      'application/json; charset=utf-8',
    ])
    stage.says.search = () => Promise.reject(new Refusal('no_engine_responded', 'No search engine is configured.'))
    const none = await ask(type)
    expect([none.statusCode, none.json()]).toEqual([503, { detail: 'No search engine is configured.' }])
    expect(stage.counted).toEqual([])
  })

  it('sends results at most every 150 ms, with the fields of the reply, and none after done', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<SearchWatcher>()
    stage.says.search = async (tab, request, watcher) => {
      watcher?.onStart(['engine_a'])
      if (watcher) begin(watcher)
      await answered
      return found(tab, request, { hits })
    }
    const { stream, text } = await openStream(type)
    const watcher = await begun
    const soFar = () => ({ results: merged, now: NOW })
    const revisions = () => read(text()).flatMap(({ event, revision }) => (event === 'results' ? [revision] : []))
    const pass = async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms)
      await new Promise(setImmediate)
    }
    for (let i = 0; i < 5; i++) watcher.onResults(soFar)
    await pass(10)
    expect(revisions()).toEqual([1])
    for (let i = 0; i < 5; i++) watcher.onResults(soFar)
    await pass(130)
    expect(revisions()).toEqual([1])
    await pass(20)
    expect(revisions()).toEqual([1, 2])
    watcher.onResults(soFar)
    const ended = once(stream, 'end')
    answer()
    await ended
    const events = read(text())
    expect(events.at(-1).event).toBe('done')
    expect(events.find(({ event }) => event === 'results').results).toEqual(events.at(-1).body.results)
    watcher.onResults(soFar)
    await pass(500)
    expect(revisions()).toEqual([1, 2])
  })
})

describe('a stream', () => {
  it('sends a keep-alive every 15 seconds', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    stage.says.search = async (tab, request, watcher) => {
      watcher?.onStart(['engine_a'])
      await answered
      return found(tab, request)
    }
    const { stream, text } = await openStream(EVENTS)
    await vi.advanceTimersByTimeAsync(46_000)
    await new Promise(setImmediate)
    expect(text().match(/^:\n\n/gm)?.length).toBe(3)
    const ended = once(stream, 'end')
    answer()
    await ended
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is a request in flight until it ends', async () => {
    const before = stage.load.inFlight
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    stage.says.search = async (tab, request, watcher) => {
      watcher?.onStart([])
      await answered
      return found(tab, request)
    }
    const { stream } = await openStream(LINES)
    expect(stage.load.inFlight).toBe(before + 1)
    const closed = once(stream, 'close')
    answer()
    await closed
    await vi.waitFor(() => expect(stage.load.inFlight).toBe(before))
  })

  it.each(['*/*', 'application/json', 'application/json, text/event-stream', 'text/html'])(
    'is not sent to a client that accepts %s',
    async (accept) => {
      expect((await ask(accept)).headers['content-type']).toBe('application/json; charset=utf-8')
    },
  )
})
