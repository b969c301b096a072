import { describe, expect, it } from 'vitest'
import type { Cards, GivenCards } from '../../cards/cards.ts'
import { keptCards } from './kept-cards.ts'

/** Cards that say which time they are asked, and whether they are complete. */
function played(status: GivenCards['status']): Cards {
  let count = 0
  return { list: [], cards: async () => ({ cards: { book: ++count }, reports: [], status }) }
}

const tower = { text: 'tower', lang: 'en', safe: true }

describe('cards of a moment ago', () => {
  it('are given again to the same question, and to no other', async () => {
    const cards = played('complete')
    expect((await keptCards(cards, tower)).cards).toEqual({ book: 1 })
    expect((await keptCards(cards, { ...tower })).cards).toEqual({ book: 1 })
    expect((await keptCards(cards, { ...tower, safe: false })).cards).toEqual({ book: 2 })
    expect((await keptCards(cards, { ...tower, lang: 'de' })).cards).toEqual({ book: 3 })
    expect((await keptCards(cards, { ...tower, text: 'towers' })).cards).toEqual({ book: 4 })
  })

  it.each(['partial', 'stale'] as const)('that are %s are asked for again', async (status) => {
    const cards = played(status)
    expect((await keptCards(cards, tower)).cards).toEqual({ book: 1 })
    expect((await keptCards(cards, tower)).cards).toEqual({ book: 2 })
  })

  it('of one instance are not those of another', async () => {
    await keptCards(played('complete'), tower)
    const other = played('complete')
    expect((await keptCards(other, tower)).cards).toEqual({ book: 1 })
  })
})
