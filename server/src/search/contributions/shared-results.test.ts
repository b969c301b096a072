import { expect, it } from 'vitest'
import { createSharedResults, doubtsIn } from './shared-results.ts'

const slugOf = (name: string) => (name === 'gone' ? undefined : name)

/** A search in which each result was returned by these engines. */
const search = (engines: string[], ...results: string[][]) => ({
  engines,
  results: results.map((names) => ({ contributions: names.map((name) => ({ name })) as never })),
})

it('counts what two engines share, out of what they could have shared', () => {
  const shared = createSharedResults(slugOf)
  shared.countSearch(search(['b', 'a', 'c'], ['a', 'b'], ['b', 'a'], ['a'], ['c'], ['gone', 'c']))
  shared.countSearch(search(['a', 'b'], ['a'], ['b']))
  shared.countSearch(search(['a'], ['a']))
  expect(shared.all().toSorted((one, other) => (String(one.engines) < String(other.engines) ? -1 : 1))).toEqual([
    { engines: ['a', 'b'], common: 2, possible: 3 },
    { engines: ['a', 'c'], common: 0, possible: 2 },
    { engines: ['b', 'c'], common: 0, possible: 2 },
  ])
})

it('doubts those that share nearly everything and say nothing, and those that share hardly anything and say the same', () => {
  const indexes = new Map([
    ['brave', 'brave'],
    ['mojeek', 'mojeek'],
    ['serper', 'google'],
    ['serpapi', 'google'],
    ['kagi', 'unknown'],
  ])
  const doubt = (pair: readonly [string, string], common: number, possible = 1_000) =>
    doubtsIn([{ engines: pair, common, possible }], indexes).map(({ kind, share }) => [kind, share])
  expect(doubt(['brave', 'mojeek'], 710)).toEqual([['alike', 0.71]])
  expect(doubt(['brave', 'mojeek'], 700)).toEqual([])
  expect(doubt(['serpapi', 'serper'], 190)).toEqual([['different', 0.19]])
  expect(doubt(['serpapi', 'serper'], 200)).toEqual([])
  expect(doubt(['brave', 'kagi'], 1_000)).toEqual([])
  expect(doubt(['brave', 'unheard'], 1_000)).toEqual([])
  expect(doubt(['brave', 'mojeek'], 199, 199)).toEqual([])
})
