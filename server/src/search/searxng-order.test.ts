import { expect, it } from 'vitest'
import { mergeRankings } from './merge.ts'
import { webHit } from './search.test-harness.ts'
import { searxngOrder } from './searxng-order.ts'

it('orders by the number of engines times the sum of 1 / position, and ties by arrival', () => {
  const ranking = (slot: string, ...pages: string[]) => ({
    slot,
    weight: slot === 'engine_b' ? 5 : 1,
    hits: pages.map((page) => webHit(`https://example.org/${page}`)),
  })
  const merged = mergeRankings([
    ranking('engine_a', 'first', 'x', 'both', 'fourth'),
    ranking('engine_b', 'y', 'other', 'both'),
  ])
  const pages = searxngOrder(merged).map(({ hit }) => hit.url.replace('https://example.org/', ''))
  // `both` has 2 × (1/3 + 1/3); the weight of engine_b doesn't count.
  expect(pages[0]).toBe('both')
  expect(new Set(pages.slice(1, 3))).toEqual(new Set(['first', 'y']))
  expect(pages.at(-1)).toBe('fourth')
})
