import fc from 'fast-check'
import { expect, it } from 'vitest'
import { foldResults } from './fold-results.ts'

const results = (hosts: readonly string[]) =>
  hosts.map((host, at) => ({
    hit: { url: `https://${host}/${at}` },
    score: 1,
    slots: [],
    contributions: [],
  }))

const shape = (hosts: readonly string[]) => foldResults(results(hosts)).map(({ folded }) => folded.length)

it('folds what exceeds two of one site in a row', () => {
  expect(shape(['a.org', 'a.org', 'a.org', 'a.org', 'b.org'])).toEqual([0, 2, 0])
  expect(shape(['a.org', 'www.a.org', 'a.org'])).toEqual([0, 1])
})

it('leaves others alone', () => {
  expect(shape([])).toEqual([])
  expect(shape(['a.org', 'a.org', 'b.org', 'a.org', 'a.org'])).toEqual([0, 0, 0, 0, 0])
  expect(shape(['a.org', 'en.a.org', 'de.a.org'])).toEqual([0, 0, 0])
})

it('keeps every result, in its order', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a.org', 'b.org')), (hosts) => {
      const all = results(hosts)
      expect(foldResults(all).flatMap(({ shown, folded }) => [shown, ...folded])).toEqual(all)
    }),
  )
})
