// How a hit of each tab becomes a result.

import type { HitOf, Tab } from '@bowerbird/engines/engine.ts'
import { describe, expect, it } from 'vitest'
import type { MergedHit } from '../../search/merge.ts'
import { found, NOW, setUpApi } from '../api.test-harness.ts'

const stage = setUpApi()
const HOUR_MS = 3_600_000

const contributionOf = (slot: string) => {
  const weighted = { rank: 1, weight: 1, weightFrom: 'default' as const, addition: 0.5 }
  return { slot, name: `The engine of ${slot}`, index: 'unknown', ...weighted, url: 'https://example.org/' }
}

async function resultFor<Name extends Tab>(tab: Name, hit: HitOf[Name], { lang = '', slots = ['engine_a'] } = {}) {
  const merged: MergedHit<HitOf[Name]> = { hit, score: 1, slots, contributions: slots.map(contributionOf) }
  stage.says.search = async (_tab, request) => found(tab, request, { results: [merged] })
  return (await stage.get(`/api/v1/${tab}/?q=oak&lang=${lang}`)).json.results[0]
}

describe.each(['web', 'science', 'code'] as const)('a %s result', (tab) => {
  const hit = {
    title: 'Oak',
    kind: 'web' as const,
    url: 'https://www.example.org/oak?x=1',
    description: 'A tree.',
    faviconUrl: 'https://icons.example.org/oak.png',
    publishedAt: NOW - 3 * HOUR_MS,
    sitelinks: [{ title: 'Leaves', url: 'https://www.example.org/oak/leaves' }],
  }

  it('has every documented field', async () => {
    expect(await resultFor(tab, hit)).toEqual({
      title: 'Oak',
      url: 'https://www.example.org/oak?x=1',
      description: 'A tree.',
      display_url: 'example.org',
      favicon_url: 'https://icons.example.org/oak.png',
      age: '3 hours ago',
      source: 'engine_a',
      source_label: 'The engine of engine_a',
      sitelinks: hit.sitelinks,
    })
  })

  it('has the icon of its site when the engine has none, and no age when it is unknown', async () => {
    const bare = await resultFor(tab, { ...hit, faviconUrl: '', publishedAt: undefined, sitelinks: [] })
    expect(bare).toMatchObject({ favicon_url: 'https://example.org/favicon.ico', age: '', sitelinks: [] })
  })

  it('has its age in the requested language, and in English if that is unknown', async () => {
    expect(await resultFor(tab, hit, { lang: 'de' })).toMatchObject({ age: 'vor 3 Stunden' })
    expect(await resultFor(tab, hit, { lang: 'xx' })).toMatchObject({ age: '3 hours ago' })
  })

  it.each([
    [['engine_c'], 'engine_c'],
    [['engine_a', 'engine_b'], 'both'],
    [['engine_a', 'engine_b', 'engine_c'], 'all'],
  ])('found by %j has the source %s and names them', async (slots, source) => {
    const label = slots.map((slot) => `The engine of ${slot}`).join(', ')
    expect(await resultFor(tab, hit, { slots })).toMatchObject({ source, source_label: label })
  })

  it('names each provider once, and of two in a slot the one that returned it', async () => {
    const contributions = ['Brave', 'Wikipedia', 'Brave'].map((name) => ({ ...contributionOf('engine_a'), name }))
    stage.says.search = async (_tab, request) =>
      found('web', request, { results: [{ hit, score: 1, slots: ['engine_a'], contributions }] })
    const { results } = (await stage.get('/api/v1/web/?q=oak')).json
    expect(results[0]).toMatchObject({ source: 'engine_a', source_label: 'Brave, Wikipedia' })
  })

  it('comes with the correction of the response', async () => {
    stage.says.search = async (_tab, request) => found('web', request, { correction: 'oak tree' })
    expect((await stage.get('/api/v1/web/?q=oka')).json.correction).toBe('oak tree')
  })
})

describe('a result of another tab', () => {
  it.each([
    [253, '4:13'],
    [3_723, '1:02:03'],
    [undefined, ''],
  ])('videos: %s seconds are shown as %j', async (durationSeconds, duration) => {
    const hit = {
      kind: 'video' as const,
      title: 'Oak',
      url: 'https://video.example.org/oak',
      publishedAt: undefined,
      publisher: 'Trees',
      durationSeconds,
      thumbnailUrl: 'https://video.example.org/oak.jpg',
    }
    expect(await resultFor('videos', hit)).toEqual({
      title: 'Oak',
      url: 'https://video.example.org/oak',
      age: '',
      source: 'Trees',
      duration,
      hostname: 'video.example.org',
      thumbnail: 'https://video.example.org/oak.jpg',
    })
  })
})
