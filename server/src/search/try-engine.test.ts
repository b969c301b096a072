import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import type { Engine } from '@bowerbird/engines/engine.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { describe, expect, it } from 'vitest'
import { readFixture } from '../../../engines/test/read-fixture.ts'
import type { BoundEngine } from './slots.ts'
import { HIDDEN, tryEngine } from './try-engine.ts'

const QUERY = { text: 'oil lamp', page: 1, safe: true, date: undefined, lang: '', now: 1_794_700_000_000 }
const SECRET = 'k3y/with+odd "signs'

const settingsOf = (engine: Engine): BoundEngine['settings'] => ({
  ...Object.fromEntries(Object.entries(engine.settings).map(([name, { isSecret }]) => [name, isSecret ? SECRET : 'x'])),
  baseUrl: 'https://provider.example',
})

async function tried(slug: string, ask: BoundEngine['ask'], tab: 'web' | 'videos' = 'web') {
  const engine = ALL_ENGINES.find((candidate) => candidate.slug === slug) ?? expect.unreachable(slug)
  const deadline = createDeadline(1_000)
  const report = await tryEngine({ engine, settings: settingsOf(engine), ask }, { tab, query: QUERY, deadline })
  deadline.cancel()
  return report
}

describe('a trial', () => {
  it('shows the request, the reply and the parsed results', async () => {
    const report = await tried('brave', async (_request, _deadline, read) => read(readFixture('brave-web-page')))
    expect(report).toMatchObject({ slug: 'brave', tab: 'web', status: 200, error: undefined, skippedFor: undefined })
    expect(report?.hits.length).toBeGreaterThan(2)
    expect(report?.request).toMatchObject({ method: 'GET', path: expect.stringContaining('q=oil%20lamp') })
    expect(report?.request.headers['x-subscription-token']).toBe(HIDDEN)
  })

  it('of any engine shows no secret, wherever the provider expects it', async () => {
    const failing = () => Promise.reject(new UpstreamError('timeout', 'No reply in time.'))
    for (const engine of ALL_ENGINES) {
      for (const tab of ['web', 'images', 'news', 'videos'] as const) {
        const settings = settingsOf(engine)
        const deadline = createDeadline(1_000)
        const report = await tryEngine({ engine, settings, ask: failing }, { tab, query: QUERY, deadline })
        deadline.cancel()
        const shown = JSON.stringify(report ?? '')
        for (const form of [SECRET, encodeURIComponent(SECRET), 'k3y', Buffer.from(SECRET).toString('base64')]) {
          expect([engine.slug, shown.includes(form)]).toEqual([engine.slug, false])
        }
      }
    }
  })

  it('describes the failure in our own words', async () => {
    const report = await tried('brave', () =>
      Promise.reject(new UpstreamError('throttled', 'It asks us to slow down.')),
    )
    expect(report).toMatchObject({ hits: [], status: undefined, error: { kind: 'throttled' } })
    const refused = await tried('brave', async (_request, _deadline, read) => read(readFixture('brave-web-refusal')))
    expect(refused?.error).toBeDefined()
    expect(refused?.status).toBeGreaterThanOrEqual(400)
  })

  it('says why a search would skip the engine, and calls it anyway', async () => {
    const report = await tried('keenablefree', async (_request, _deadline, read) =>
      read(readFixture('keenable-web-page')),
    )
    expect(report).toMatchObject({ skippedFor: 'safe', error: undefined })
  })

  it('passes on a region that the engine takes, and says of another that it was left out', async () => {
    const engine = ALL_ENGINES.find(({ slug }) => slug === 'brave') ?? expect.unreachable()
    const triedIn = async (region: string) => {
      const deadline = createDeadline(1_000)
      const ask: BoundEngine['ask'] = async (_request, _deadline, read) => read(readFixture('brave-web-page'))
      const bound = { engine, settings: settingsOf(engine), ask }
      const report = await tryEngine(bound, { tab: 'web', query: { ...QUERY, region }, deadline })
      deadline.cancel()
      return [report?.ignoresRegion, /country=(\w+)/.exec(report?.request.path ?? '')?.[1]]
    }
    expect(await triedIn('AT')).toEqual([false, 'AT'])
    expect(await triedIn('IS')).toEqual([true, 'ALL'])
  })

  it('of a tab that the engine does not serve returns nothing', async () => {
    expect(await tried('wikipedia', () => expect.unreachable('not asked'), 'videos')).toBeUndefined()
  })
})
