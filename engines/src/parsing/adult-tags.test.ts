import { expect, it } from 'vitest'
import { fitFor } from './adult-tags.ts'

const RESULTS = [{ tags: ['NSFW'] }, { tags: ['nsfw-detection', 7] }, { tags: null }, null, { topics: ['nsfw'] }]

it('leaves out what is marked, and only if that is asked for', () => {
  expect(fitFor({ safe: true }, RESULTS, 'tags')).toEqual(RESULTS.slice(1))
  expect(fitFor({ safe: false }, RESULTS, 'tags')).toBe(RESULTS)
})
