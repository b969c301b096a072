import { expect, it } from 'vitest'
import { seedOf } from './similar-seed.ts'

it.each([
  ['Oak bark', '', 'Oak bark'],
  ['  Oak \n bark ', '', 'Oak bark'],
  ['Oak bark - Wikimedia Commons', '', 'Oak bark'],
  ['Oak bark | Flickr', 'trees', 'Oak bark'],
  ['Oak bark · Photos', '', 'Oak bark'],
  ['A - B - Some site', '', 'A - B'],
  ['x - Some site', '', 'x - Some site'],
  [`Oak - ${'long '.repeat(12)}`, '', `Oak - ${'long '.repeat(12).trim()}`],
  ['well-known tree', '', 'well-known tree'],
  ['x', 'trees', 'trees'],
  ['', ' trees  in  autumn ', 'trees in autumn'],
  ['', '', undefined],
  [' ', '鳥', '鳥'],
])('the seed of caption %j and query %j is %j', (caption, query, seed) => {
  expect(seedOf(caption, query)).toBe(seed)
})
