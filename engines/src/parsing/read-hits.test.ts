import { expect, it } from 'vitest'
import { hasAdultTag } from './read-hits.ts'

it.each([
  [['trees', 'NSFW'], true],
  [['trees', 7, null], false],
  [[], false],
])('knows whether %j has a tag for adults', (tags, isAdult) => {
  expect(hasAdultTag(tags)).toBe(isAdult)
})
