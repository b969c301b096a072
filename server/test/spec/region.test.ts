// `region`: favoured by the engines that can, said of those that can't, and nothing changes without it.
import { describe, expect, it } from 'vitest'
import { useTestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'
import { WITHOUT_RATE_LIMIT } from './without-upstream-rate-limit.ts'

const server = useTestInstance({
  ...WITHOUT_RATE_LIMIT,
  ENGINE_A: 'web:brave images:brave news:brave videos:brave',
  ENGINE_B: 'web:mojeek',
  ENGINE_C: 'web:wikipedia',
  ENGINE_D: 'web:kagi',
})

const search = (parameters: string, tab = 'web') => server.api.get(`/api/v1/${tab}/?${parameters}`)
const lastCall = (slug: string) => server.sandbox.calls(slug).at(-1)
const kagiRegion = () => JSON.parse(lastCall('kagi')?.body ?? '{}').filters?.region

describe('region', () => {
  it('reaches each engine in its own way, and Engine-Status names the one that can’t favour it', async () => {
    const { status, headers } = await search(`q=${freshQuery()}&region=at`)
    expect(status).toBe(200)
    expect(lastCall('brave')?.query).toMatchObject({ country: 'AT' })
    expect(lastCall('mojeek')?.query).toMatchObject({ rb: 'AT', rbb: '10' })
    expect(kagiRegion()).toBe('AT')
    const reports = (headers.get('engine-status') ?? '').split(', ')
    expect(reports.filter((report) => report.includes('region='))).toEqual([
      expect.stringMatching(/^engine_c;ok;n=\d+;region=ignored;ms=\d+$/),
    ])
  })

  it('is a search of its own in the cache; none is the same as today', async () => {
    const q = freshQuery()
    const plain = await search(`q=${q}`)
    for (const none of ['', 'all', 'ALL']) {
      const same = await search(`q=${q}&region=${none}`)
      expect([same.json, same.headers.get('cache-status')]).toEqual([plain.json, 'bowerbird; hit'])
      expect(same.headers.get('engine-status')).not.toContain('region')
    }
    const calls = server.sandbox.callCount('brave')
    await search(`q=${q}&region=DE`)
    await search(`q=${q}&region=FR`)
    expect(server.sandbox.callCount('brave') - calls).toBe(2)
    expect((await search(`q=${q}&region=de`)).headers.get('cache-status')).toBe('bowerbird; hit')
  })

  it('holds on later pages, in every tab and for similar images', async () => {
    for (const tab of ['web', 'images', 'news', 'videos']) {
      await search(`q=${freshQuery()}&region=JP&page=2`, tab)
      expect(lastCall('brave')?.query).toMatchObject({ country: 'JP' })
    }
    await search(`q=${freshQuery()}&region=FR`, 'images/similar')
    expect(lastCall('brave')?.query).toMatchObject({ country: 'FR' })
  })
})
