import { expect, it } from 'vitest'
import { dropAdultResults } from './read-hits.ts'

const RESULTS = [{ tags: ['NSFW'] }, { tags: ['nsfw-detection', 7] }, { tags: null }, null, { topics: ['nsfw'] }]

it('drops results tagged as adult only if safe is on', () => {
  expect(dropAdultResults({ safe: true }, RESULTS, 'tags')).toEqual(RESULTS.slice(1))
  expect(dropAdultResults({ safe: false }, RESULTS, 'tags')).toBe(RESULTS)
})
