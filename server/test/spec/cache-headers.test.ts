// How clients see the cache, in Cache-Status (RFC 9211) and Engine-Status, and how providers see it: a search isn't
// repeated while its response may be cached.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'
import { WITHOUT_RATE_LIMIT } from './without-upstream-rate-limit.ts'

const MISS = 'bowerbird; fwd=miss'
const HIT = 'bowerbird; hit'
/** The providers called on each tab by default. */
const TABS = [
  ['web', ['brave', 'mojeek', 'marginalia']],
  ['images', ['brave', 'openverse']],
  ['news', ['brave', 'hackernews']],
  ['videos', ['brave', 'sepiasearch']],
] as const

/** How often each provider was called during `work`. */
async function callsDuring(server: TestInstance, slugs: readonly string[], work: () => Promise<unknown>) {
  const before = slugs.map((slug) => server.sandbox.callCount(slug))
  await work()
  return slugs.map((slug, at) => server.sandbox.callCount(slug) - (before[at] ?? 0))
}

/** Nodes of an instance share its secret, here without a shared database. */
const SETTINGS = { ...WITHOUT_RATE_LIMIT, INSTANCE_SECRET: 'the secret of both nodes of this test' }

describe('an instance with default settings', () => {
  let server: TestInstance
  beforeAll(async () => {
    server = await startTestInstance(SETTINGS)
  })
  afterAll(() => server.close())

  const web = (parameters: string) => server.api.get(`/api/v1/web/?${parameters}`)
  const WEB = TABS[0][1]
  const callsOf = (work: () => Promise<unknown>) => callsDuring(server, WEB, work)

  it.each(TABS)('%s: a repeated search is served from the cache, unchanged, and says so', async (tab, slugs) => {
    const path = `/api/v1/${tab}/?q=${freshQuery()}`
    const first = await server.api.get(path)
    expect(first.headers.get('cache-status')).toBe(MISS)
    expect(first.headers.get('engine-status')).not.toContain('cached')
    let second = first
    const calls = await callsDuring(server, slugs, async () => {
      second = await server.api.get(path)
    })
    expect(calls).toEqual(slugs.map(() => 0))
    expect(second.headers.get('cache-status')).toBe(HIT)
    const cached = slugs.map(() => 'engine_[abc];ok;n=10;ms=\\d+;cached=memory').join(', ')
    expect(second.headers.get('engine-status')).toMatch(new RegExp(`^${cached}$`))
    expect(second.headers.get('search-status')).toBe('complete')
    expect(second.text).toBe(first.text)
  })

  it('Cache-Status is absent if no engine could be called', async () => {
    const { headers } = await web(`q=${freshQuery()}&engine=engine_c&date=d`)
    expect(headers.get('search-status')).toBe('unsupported')
    expect(headers.has('cache-status')).toBe(false)
  })

  it('suggestions are cached', async () => {
    const path = `/api/v1/suggest/?q=${freshQuery('clim')}`
    const slugs = ['wikipedia', 'duckduckgo']
    const first = await server.api.get(path)
    let second = first
    const calls = await callsDuring(server, slugs, async () => {
      second = await server.api.get(path)
    })
    expect([calls, second.text]).toEqual([[0, 0], first.text])
  })

  it('an empty response is cached too', async () => {
    const path = `q=${freshQuery('nothingtofind')}`
    expect(await callsOf(() => web(path))).toEqual([1, 1, 1])
    expect(await callsOf(() => web(path))).toEqual([0, 0, 0])
  })

  it.each([
    ['page', '&page=2', [1, 1, 1]],
    ['safe', '&safe=off', [1, 1, 1]],
    ['lang', '&lang=en', [1, 1, 1]],
    ['another lang', '&lang=en-GB', [1, 1, 1]],
    ['date', '&date=w', [1, 1, 0]],
  ])('another %s is a different search', async (_name, parameter, calls) => {
    const q = freshQuery()
    await web(`q=${q}`)
    expect(await callsOf(() => web(`q=${q}${parameter}`))).toEqual(calls)
    expect(await callsOf(() => web(`q=${q}${parameter}`))).toEqual([0, 0, 0])
  })

  it('another tab is a different search', async () => {
    const q = freshQuery()
    await web(`q=${q}`)
    const calls = await callsDuring(server, ['brave'], () => server.api.get(`/api/v1/news/?q=${q}`))
    expect(calls).toEqual([1])
  })

  it.each([
    ['case', (q: string) => q.toUpperCase()],
    ['white space', (q: string) => `  ${q.replaceAll(' ', ' \t  ')} `],
    ['the way an accent is written', (q: string) => q.normalize('NFD')],
  ])(
    'a query that differs only in %s is the same search, and the response echoes it as sent',
    async (_name, rewritten) => {
      const text = decodeURIComponent(freshQuery('naïve bower birds'))
      const other = rewritten(text)
      expect(other).not.toBe(text)
      await web(`q=${encodeURIComponent(text)}`)
      let second = await web(`q=${encodeURIComponent(text)}`)
      const calls = await callsOf(async () => {
        second = await web(`q=${encodeURIComponent(other)}`)
      })
      expect(calls).toEqual([0, 0, 0])
      expect(second.json.query).toBe(other.trim())
      expect(second.headers.get('cache-status')).toBe(HIT)
    },
  )

  it('another word, or an operator in capitals, is a different search', async () => {
    const [q, rest] = [freshQuery('cats or dogs'), freshQuery()]
    await web(`q=${q}`)
    expect(await callsOf(() => web(`q=${q.replace('or', 'OR')}`))).toEqual([1, 1, 1])
    expect(await callsOf(() => web(`q=${q}${rest}`))).toEqual([1, 1, 1])
  })

  it.each(['', '&lang=', '&page=1', '&safe=on', '&date=', '&include=explain', '&engine=all', '&nosuch=1'])(
    '"%s" changes nothing, so it is the same search',
    async (parameter) => {
      const q = freshQuery()
      await web(`q=${q}`)
      expect(await callsOf(() => web(`q=${q}${parameter}`))).toEqual([0, 0, 0])
    },
  )

  it('neither the case of lang nor the key matters', async () => {
    const [q, key] = [freshQuery(), await server.createKey()]
    await web(`q=${q}&lang=en-gb`)
    const ask = () => server.api.get(`/api/v1/web/?q=${q}&lang=EN-GB`, { key })
    expect(await callsOf(ask)).toEqual([0, 0, 0])
  })

  it('engines are cached separately: only the missing ones are called, and Engine-Status says which', async () => {
    const q = freshQuery()
    await web(`q=${q}&engine=engine_a`)
    let all = await web(`q=${q}&engine=engine_a`)
    const calls = await callsOf(async () => {
      all = await web(`q=${q}`)
    })
    expect(calls).toEqual([0, 1, 1])
    expect(all.headers.get('cache-status')).toBe(MISS)
    expect(all.headers.get('engine-status')).toMatch(
      /^engine_a;ok;n=10;ms=\d+;cached=memory, engine_b;ok;n=10;ms=\d+, engine_c;ok;n=10;ms=\d+$/,
    )
    expect(await callsOf(() => web(`q=${q}&engine=engine_c,engine_b`))).toEqual([0, 0, 0])
  })

  it('similar images share the cache with an image search for the same words', async () => {
    const q = freshQuery('oak')
    const slugs = ['brave', 'openverse']
    await server.api.get(`/api/v1/images/?q=${q}`)
    expect(await callsDuring(server, slugs, () => server.api.get(`/api/v1/images/similar/?q=${q}`))).toEqual([0, 0])
  })

  it('fifty concurrent requests call each engine once', async () => {
    const path = `q=${freshQuery()}`
    let replies: Awaited<ReturnType<typeof web>>[] = []
    const calls = await callsOf(async () => {
      replies = await Promise.all(Array.from({ length: 50 }, () => web(path)))
    })
    expect(calls).toEqual([1, 1, 1])
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    for (const { status, headers } of replies) expect([status, headers.get('search-status')]).toEqual([200, 'complete'])
  })

  it('a failed engine is called again, but not within a second; the others are not', async () => {
    const path = `q=${freshQuery()}`
    server.sandbox.setFault('mojeek', { kind: 'status', status: 500 })
    expect((await web(path)).headers.get('search-status')).toBe('partial')
    server.sandbox.setFault('mojeek', undefined)
    let soon = await web(path)
    expect(soon.headers.get('engine-status')).toMatch(/engine_b;unreachable;/)
    expect(soon.headers.get('cache-status')).toBe(HIT)
    await sleep(1_100)
    const calls = await callsOf(async () => {
      soon = await web(path)
    })
    expect(calls).toEqual([0, 1, 0])
    expect([soon.headers.get('search-status'), soon.headers.get('cache-status')]).toEqual(['complete', MISS])
  })

  it('a search made by another node of the instance is not repeated', async () => {
    const neighbour = await startTestInstance({ ...SETTINGS, REDIS_URL: server.redisUrl })
    try {
      const path = `/api/v1/web/?q=${freshQuery()}&engine=engine_b,engine_c`
      const first = await server.api.get(path)
      const second = await neighbour.api.get(path)
      expect(WEB.map((slug) => neighbour.sandbox.callCount(slug))).toEqual([0, 0, 0])
      expect(second.headers.get('cache-status')).toBe(HIT)
      expect(second.headers.get('engine-status')).toMatch(
        /^engine_b;ok;n=10;ms=\d+;cached=shared, engine_c;ok;n=10;ms=\d+;cached=shared$/,
      )
      expect(second.json).toEqual(first.json)
      expect((await neighbour.api.get(path)).headers.get('engine-status')).toMatch(/cached=memory.*cached=memory/)
    } finally {
      await neighbour.close()
    }
  })

  it('responses that involve no engine have no Cache-Status', async () => {
    for (const path of ['/api/v1/status/', '/api/v1/key/', '/api/v1/web/']) {
      expect((await server.api.get(path)).headers.get('cache-status')).toBeNull()
    }
  })
})

describe('with SEARCH_CACHE_SECONDS=0', () => {
  let server: TestInstance
  beforeAll(async () => {
    server = await startTestInstance({ ...WITHOUT_RATE_LIMIT, SEARCH_CACHE_SECONDS: '0' })
  })
  afterAll(() => server.close())

  it.each(TABS)('%s: every search calls the engines, and says so', async (tab, slugs) => {
    const path = `/api/v1/${tab}/?q=${freshQuery()}`
    for (let round = 0; round < 3; round++) {
      const calls = await callsDuring(server, slugs, async () => {
        const { headers } = await server.api.get(path)
        expect(headers.get('cache-status')).toBe(MISS)
        expect(headers.get('engine-status')).not.toContain('cached')
      })
      expect(calls).toEqual(slugs.map(() => 1))
    }
  })

  it('suggestions are never cached', async () => {
    const path = `/api/v1/suggest/?q=${freshQuery('clim')}`
    await server.api.get(path)
    expect(await callsDuring(server, ['wikipedia', 'duckduckgo'], () => server.api.get(path))).toEqual([1, 1])
  })

  it('503 immediately if a provider is down: there is nothing to fall back on', async () => {
    const path = `/api/v1/web/?q=${freshQuery()}&engine=engine_b`
    expect((await server.api.get(path)).status).toBe(200)
    server.sandbox.setFault('mojeek', { kind: 'status', status: 500 })
    expect((await server.api.get(path)).status).toBe(503)
    server.sandbox.setFault('mojeek', undefined)
    expect((await server.api.get(path)).status).toBe(200)
  })
})
