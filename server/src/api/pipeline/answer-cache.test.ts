// The answer cache: the real pipeline, search and response cache on a clock that only the test moves. An answer came
// from the answer cache if the search was not called.

import { gunzipSync } from 'node:zlib'
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import type { Engine, ProviderReply } from '@bowerbird/engines/engine.ts'
import { brave } from '@bowerbird/engines/web/brave.ts'
import { marginalia } from '@bowerbird/engines/web/marginalia.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { readFixture } from '../../../../engines/test/read-fixture.ts'
import { createResponseCache } from '../../cache/response-cache.ts'
import { createLog } from '../../log.ts'
import { OPERATOR } from '../../search/caller.ts'
import { createSearch } from '../../search/search.ts'
import type { Slot } from '../../search/slots.ts'
import { type ApiReply, setUpApi } from '../api.test-harness.ts'
import { CacheableAnswer, createAnswerCache } from './answer-cache.ts'

const stage = setUpApi()
const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const LIFE_MS = 40 * SECOND_MS
const FOUND = 'https://bower.example/'

/** New for each test: the answer cache lives as long as the stage. */
let search = ''
let title = ''
let tests = 0

beforeEach(() => {
  title = 'Straw'
  search = `/api/v1/web/?q=bower${tests++}`
  const slotOf = (name: string, engine: Engine, reply: () => ProviderReply): Slot => ({
    name,
    weight: 1,
    engines: {
      web: [
        {
          engine,
          settings: { baseUrl: 'https://provider.test', apiKey: 'key' },
          ask: async (_request, _deadline, read) => read(reply()),
        },
      ],
    },
  })
  const { search: realSearch } = createSearch({
    slots: [
      slotOf('engine_a', brave, () => readFixture('brave-web-page')),
      slotOf('engine_b', marginalia, () => ({
        status: 200,
        headers: {},
        body: JSON.stringify({ results: [{ url: FOUND, title, description: 'Blue things.' }] }),
      })),
    ],
    cache: createResponseCache({
      shared: undefined,
      clock: () => stage.now,
      maxAgeSeconds: LIFE_MS / SECOND_MS,
      log: createLog('silent'),
    }),
    startDeadline: () => createDeadline(5_000),
    clock: () => stage.now,
    observe: () => undefined,
    log: createLog('silent'),
  })
  stage.says.search = (tab, request, watcher) => realSearch({ caller: OPERATOR, tab, request }, watcher)
})

const searches = () => stage.asked.length

/** A reply without what is specific to one request. */
const told = ({ status, text, headers }: ApiReply) => {
  const { 'x-request-id': _id, ratelimit: _limit, date: _date, ...others } = headers
  return { status, text, others }
}

/** Two requests: the first calls the providers, the second is answered from their cached responses and cached. */
async function keep(url = search): Promise<ApiReply> {
  await stage.get(url)
  const kept = await stage.get(url)
  expect(kept.headers['cache-status']).toBe('bowerbird; hit')
  return kept
}

/** Whether the search was called again. */
async function isFromCache(url = search): Promise<boolean> {
  const before = searches()
  await stage.get(url)
  return searches() === before
}

describe('a cached answer', () => {
  it.each(['', '&include=explain', '&lang=en&engine=engine_b'])(
    'is byte for byte the computed one, with its headers: %j',
    async (more) => {
      const computed = await keep(search + more)
      const before = searches()
      const again = await stage.get(search + more)
      expect(searches()).toBe(before)
      expect(told(again)).toEqual(told(computed))
      expect(again.json.results.length).toBeGreaterThan(0)
    },
  )

  it('still counts against its key, except for HEAD', async () => {
    await keep()
    stage.consumed.length = 0
    stage.counted.length = 0
    const { headers } = await stage.get(search)
    await stage.get(search, { method: 'HEAD' })
    expect(stage.consumed.map(({ counts }) => counts)).toEqual([true, false])
    expect(stage.counted).toEqual(['web_search'])
    expect(headers['ratelimit']).toMatch(/^"burst";r=\d+/)
  })

  it('is dropped when one of its responses has been replaced', async () => {
    const { json } = await keep()
    expect(JSON.stringify(json)).toContain('Straw')
    title = 'Feathers'
    stage.now += LIFE_MS / 2
    // Past its soft life a response is refreshed, here by a search with another spelling that shares it.
    await stage.get(search.replace('bower', 'BOWER'))
    await new Promise(setImmediate)
    const renewed = await stage.get(search)
    expect(renewed.text).toContain('Feathers')
    expect(renewed.text).not.toContain('Straw')
  })

  it('is dropped when one of its responses has expired', async () => {
    await keep()
    expect(await isFromCache()).toBe(true)
    title = 'Feathers'
    stage.now += LIFE_MS
    const expired = await stage.get(search)
    expect(expired.headers['cache-status']).toBe('bowerbird; fwd=miss')
    expect(expired.text).toContain('Feathers')
  })

  it('is computed again in the next minute, because ages are in minutes', async () => {
    stage.now = Math.ceil(stage.now / MINUTE_MS) * MINUTE_MS - 2 * SECOND_MS
    await keep()
    stage.now += SECOND_MS
    expect(await isFromCache()).toBe(true)
    stage.now += SECOND_MS + 1
    expect(await isFromCache()).toBe(false)
  })

  it('is never a later page, whose earlier pages may change', async () => {
    await keep(`${search}&page=2&engine=engine_b`)
    expect(await isFromCache(`${search}&page=2&engine=engine_b`)).toBe(false)
  })
})

describe('requests for the same URL', () => {
  it('with different keys get the same answer, and each its own limits', async () => {
    const keys = [10, 20].map((count) => stage.addKey({ burst: { count, windowMs: MINUTE_MS } }))
    await keep()
    const before = searches()
    const replies = [await stage.get(search, { key: keys[0] ?? '' }), await stage.get(search, { key: keys[1] ?? '' })]
    expect(searches()).toBe(before)
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect(replies.map(({ headers }) => headers['ratelimit-policy']?.split(',')[0])).toEqual([
      '"burst";q=10;w=60',
      '"burst";q=20;w=60',
    ])
  })

  it('without the scope, or beyond their limit, get no answer', async () => {
    await keep()
    const key = stage.addKey({ burst: { count: 1, windowMs: MINUTE_MS } })
    expect((await stage.get(search, { key })).status).toBe(200)
    expect((await stage.get(search, { key })).status).toBe(429)
    expect((await stage.get(search, { key: stage.addKey({ scopes: new Set(['maps']) }) })).status).toBe(403)
    expect((await stage.get(search, { key: null })).status).toBe(401)
  })

  it('each allow their own key to read the results', async () => {
    const [finder, other] = [0, 1].map(() => stage.addKey({ scopes: new Set(['search', 'read']) }))
    const mayRead = async (key = '') => (await stage.get(`/api/v1/read/?url=${FOUND}`, { key })).status !== 403
    await keep()
    expect(await mayRead(finder)).toBe(false)
    const before = searches()
    await stage.get(search, { key: finder ?? '' })
    expect(searches()).toBe(before)
    expect([await mayRead(finder), await mayRead(other)]).toEqual([true, false])
  })

  it('get the contents of pages only if their key may read', async () => {
    const url = `${search}&include=content`
    const reader = stage.addKey({ scopes: new Set(['search', 'read', 'read_any']) })
    for (let i = 0; i < 3; i++) expect((await stage.get(url, { key: reader })).status).toBe(200)
    expect((await stage.get(url)).status).toBe(403)
  })
})

describe('the answer cache', () => {
  const answerOf = (body: unknown) => new CacheableAnswer({ headers: {}, body, addresses: [], isCurrent: () => true })

  it('holds a bounded number of answers', () => {
    const answers = createAnswerCache<object>(() => stage.now)
    for (let i = 0; i <= 500; i++) answers.keep(`/${i}`, { params: {}, answer: answerOf(i) })
    expect([answers.find('/0'), answers.find('/500')]).toEqual([undefined, expect.anything()])
  })

  it('holds a bounded number of bytes', () => {
    const answers = createAnswerCache<object>(() => stage.now)
    const large = answerOf('x'.repeat(1_000_000))
    for (let i = 0; i < 5; i++) answers.keep(`/${i}`, { params: {}, answer: large })
    expect(['/0', '/1', '/2', '/3', '/4'].filter((url) => answers.find(url))).toHaveLength(3)
    answers.keep('/huge', { params: {}, answer: answerOf('x'.repeat(5_000_000)) })
    expect(answers.find('/huge')).toBeUndefined()
  })

  it('compresses an answer once per encoding, however many requests are concurrent', async () => {
    const answer = answerOf({ straw: 'straw '.repeat(500) })
    expect(answer.compressed('gzip')).toBe(answer.compressed('gzip'))
    expect(gunzipSync(await answer.compressed('gzip'))).toEqual(answer.bytes)
    expect(await answer.compressed('br')).not.toEqual(await answer.compressed('gzip'))
  })
})
