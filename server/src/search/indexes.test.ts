import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { indexOf } from '@bowerbird/engines/engine.ts'
import { describe, expect, it } from 'vitest'
import { countIndexes, indexStatusHeader } from './indexes.ts'
import { explainHit } from './merge.ts'
import { playSearch } from './search.test-harness.ts'

const indexBySlug = new Map(ALL_ENGINES.map((engine) => [engine.slug, indexOf(engine)]))

describe('whose index an engine shows', () => {
  it('is its own unless it says otherwise, and a tier without a key shows what the tier with one does', () => {
    expect(['brave', 'mojeek', 'marginalia'].map((slug) => indexBySlug.get(slug))).toEqual([
      'brave',
      'mojeek',
      'marginalia',
    ])
    expect(['serper', 'searchapi', 'serpapi'].map((slug) => indexBySlug.get(slug))).toEqual(Array(3).fill('google'))
    expect(indexBySlug.get('webiq')).toBe('bing')
    expect(indexBySlug.get('githubfree')).toBe('github')
    expect(['searxng', 'bowerbird', 'kagi'].map((slug) => indexBySlug.get(slug))).toEqual(Array(3).fill('unknown'))
  })

  it('two of one index count once, and an unknown one confirms nobody', () => {
    const count = (...indexes: string[]) => countIndexes(indexes.map((index) => ({ index })))
    expect([count('google', 'google'), count('google', 'bing'), count('google', 'unknown')]).toEqual([1, 2, 1])
    expect([count('unknown', 'unknown'), count('unknown'), count('a', 'b', 'c', 'unknown')]).toEqual([1, 1, 3])
  })
})

const RESELLERS = {
  one: { pages: ['both', 'google'], index: 'google' },
  other: { pages: ['google', 'both'], index: 'google' },
  third: { pages: ['both', 'own'] },
  mixed: { pages: ['own', 'both'], index: 'unknown' },
}

describe('minIndexes', () => {
  it('keeps what independent indexes agree on, and says what it left out', async () => {
    const { names, confirmation } = await playSearch(RESELLERS).find({ minIndexes: 2 })
    expect(names).toEqual(['both'])
    expect(confirmation).toEqual({ wanted: 2, answered: 2, left: 2 })
    expect(confirmation && indexStatusHeader(confirmation)).toBe('enough;min=2;answered=2;filtered=2')
  })

  it('leaves out before it cuts, and one index is what every result has', async () => {
    const search = playSearch(RESELLERS)
    expect(await search.find({ minIndexes: 2, limit: 1 })).toMatchObject({ names: ['both'], cut: 0 })
    const plain = await search.find()
    expect([plain.names.length, plain.confirmation]).toEqual([3, undefined])
  })

  it('with fewer indexes than it wants, the empty page says so', async () => {
    const { one, other } = RESELLERS
    const failing = { ...RESELLERS.third, pages: 'fails' as const }
    const { names, confirmation, status } = await playSearch({ one, other, failing }).find({ minIndexes: 2 })
    expect([names, status]).toEqual([[], 'partial'])
    expect(confirmation && indexStatusHeader(confirmation)).toBe('too-few;min=2;answered=1;filtered=2')
  })

  it('holds for what a watcher sees before the end', async () => {
    const search = playSearch({ ...RESELLERS, slow: { pages: ['slow'], afterMs: 30 } })
    const seen = new Set<string>()
    await search.search(
      'web',
      { text: 'oak', engines: [], safe: false, lang: '', page: 1, date: undefined, minIndexes: 2 },
      {
        onStart: () => undefined,
        onEngine: () => undefined,
        onResults: (soFar) => {
          for (const { hit } of soFar()?.results ?? []) seen.add(hit.title)
        },
        signal: new AbortController().signal,
      },
    )
    expect([...seen]).toEqual(['both'])
  })
})

describe('SHARED_INDEX_VOTES', () => {
  it('full: every engine votes with its whole weight', async () => {
    const { results } = await playSearch(RESELLERS).find()
    for (const { contributions } of results) for (const { weight } of contributions) expect(weight).toBe(1)
  })

  it('half: engines of one index vote like one, unknown ones each for themselves, and explain adds up', async () => {
    const { results, names } = await playSearch(RESELLERS, { votes: 'half' }).find()
    expect(names[0]).toBe('both')
    const weights = new Map(
      results.flatMap(({ contributions }) => contributions.map(({ slot, weight }) => [slot, weight])),
    )
    expect(Object.fromEntries(weights)).toEqual({ one: 0.5, other: 0.5, third: 1, mixed: 1 })
    for (const result of results) {
      const { score, engines } = explainHit(result)
      expect(engines.reduce((sum, { addition }) => sum + addition, 0)).toBe(score)
    }
  })

  it('half: one that didn’t answer has no part of the vote', async () => {
    const { results } = await playSearch(
      { ...RESELLERS, other: { pages: 'fails', index: 'google' } },
      { votes: 'half' },
    ).find()
    for (const { contributions } of results) for (const { weight } of contributions) expect(weight).toBe(1)
  })
})

it('a slot has an index if all its engines show it, and says so', () => {
  const { indexOf: ofSlot } = playSearch(RESELLERS)
  expect(['one', 'third', 'mixed', 'nowhere'].map((slot) => ofSlot(slot, 'web'))).toEqual(['google', 'third', '', ''])
})
