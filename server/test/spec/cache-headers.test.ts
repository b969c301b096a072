// How clients see the cache, in Cache-Status (RFC 9211) and Engine-Status, and how providers see it: a search isn't
// repeated while its response may be cached.
import { describe, expect, it } from 'vitest'
import { startTestInstance, type TestInstance, useTestInstance } from '../support/test-instance.ts'
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
  const server = useTestInstance(SETTINGS)

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

  it.each(['', '&lang=', '&page=1', '&safe=on', '&date=', '&include=explain', '&engine=all', '&nosuch=1'])(
    '"%s" changes nothing, so it is the same search',
    async (parameter) => {
      const q = freshQuery()
      await web(`q=${q}`)
      expect(await callsOf(() => web(`q=${q}${parameter}`))).toEqual([0, 0, 0])
    },
  )

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
})

describe('with SEARCH_CACHE_SECONDS=0', () => {
  const server = useTestInstance({ ...WITHOUT_RATE_LIMIT, SEARCH_CACHE_SECONDS: '0' })

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
})
