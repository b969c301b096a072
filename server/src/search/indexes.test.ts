import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { indexOf } from '@bowerbird/engines/engine.ts'
import { describe, expect, it } from 'vitest'
import { countIndexes } from './indexes.ts'
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

it('a slot has an index if all its engines show it, and says so', () => {
  const { indexOf: ofSlot } = playSearch(RESELLERS)
  expect(['one', 'third', 'mixed', 'nowhere'].map((slot) => ofSlot(slot, 'web'))).toEqual(['google', 'third', '', ''])
})
