import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OPERATOR } from './caller.ts'
import { playSearch, REQUEST } from './search.test-harness.ts'
import type { ThinRule } from './thin.ts'
import { isThin, readWhen } from './thin.ts'

const THIN: ThinRule = { results: 2, agreement: 0 }
const two = { pages: ['a', 'b'] }
const one = { pages: ['a'] }
const paid = { pages: ['c', 'a'], when: THIN }
const statusOf = ({ reports }: Awaited<ReturnType<ReturnType<typeof playSearch>['find']>>) =>
  reports.map((report) => `${report.slot} ${report.outcome === 'skipped' ? report.reason : report.outcome}`)

describe('readWhen', () => {
  it.each([
    ['always', 'always'],
    ['thin', { results: 5, agreement: 0.2 }],
    ['THIN:8', { results: 8, agreement: 0.2 }],
    ['thin:8:0', { results: 8, agreement: 0 }],
    ['thin:8:0.3', { results: 8, agreement: 0.3 }],
    ['thin:1:1', { results: 1, agreement: 1 }],
    ['thin:0', undefined],
    ['thin:51', undefined],
    ['thin:5:2', undefined],
    ['thin:5:', undefined],
    ['sometimes', undefined],
    ['', undefined],
  ])('%s', (text, rule) => {
    expect(readWhen(text)).toEqual(rule)
  })
})

describe('an engine that is asked only when it is needed', () => {
  it('is not called if the others find enough, and the reply says so', async () => {
    const search = playSearch({ two, paid })
    const answer = await search.find()
    expect([search.asked, answer.names, answer.status]).toEqual([['two'], ['a', 'b'], 'complete'])
    expect([statusOf(answer), answer.engines]).toEqual([['two ok', 'paid enough'], ['two']])
  })

  it('is called if they find too little, if they fail, and if they are slow, within the same deadline', async () => {
    expect((await playSearch({ one, paid }).find()).names).toEqual(['a', 'c'])
    const failed = await playSearch({ one: { pages: 'fails' }, paid }).find()
    expect([failed.names, failed.status]).toEqual([['c', 'a'], 'partial'])
    const slow = await playSearch({ one: { pages: ['a', 'b'], afterMs: 5_000 }, paid }).find()
    expect([slow.names, statusOf(slow)]).toEqual([
      ['c', 'a'],
      ['one failed', 'paid ok'],
    ])
  })

  it('decides after half of the time, and still takes what comes later', async () => {
    const search = playSearch({ one: { pages: ['a', 'b'], afterMs: 150 }, paid })
    const answer = await search.find()
    expect([search.asked, statusOf(answer)]).toEqual([
      ['one', 'paid'],
      ['one ok', 'paid ok'],
    ])
    expect(answer.names.toSorted()).toEqual(['a', 'b', 'c'])
  })

  it('is called like any other if it is named, or if nobody else can answer', async () => {
    expect((await playSearch({ two, paid }).find({ engines: ['two', 'paid'] })).engines).toEqual(['two', 'paid'])
    expect((await playSearch({ two, paid }).find({ engines: ['paid'] })).engines).toEqual(['paid'])
    expect((await playSearch({ paid }).find()).names).toEqual(['c', 'a'])
  })

  it('needs no more than the search wants', async () => {
    const search = playSearch({ one, paid })
    expect((await search.find({ limit: 1 })).names).toEqual(['a'])
    expect(search.asked).toEqual(['one'])
  })

  it('is used for nothing if its response is in memory, and never asked again for what is', async () => {
    const search = playSearch({ two, paid })
    await search.find({ engines: ['paid'] })
    const cached = await search.find()
    expect([cached.names.length, cached.engines]).toEqual([3, ['two', 'paid']])
    expect((await search.find()).isCurrent?.()).toBe(true)
    expect(search.asked).toEqual(['paid', 'two'])
  })

  it('without it, an answer from memory is as current as any other', async () => {
    const search = playSearch({ two, paid })
    await search.find()
    const again = await search.find()
    expect([again.isCurrent?.(), statusOf(again), search.asked]).toEqual([true, ['two ok', 'paid enough'], ['two']])
  })

  it('what only some of them have in memory is used, and makes an earlier answer outdated', async () => {
    const other = { pages: ['d'], when: THIN }
    const search = playSearch({ two, paid, other })
    await search.find()
    const before = await search.find()
    expect([before.engines, before.isCurrent?.()]).toEqual([['two'], true])
    await search.find({ engines: ['paid'] })
    expect(before.isCurrent?.()).toBe(false)
    expect((await search.find()).engines).toEqual(['two', 'paid'])
    expect(search.asked).toEqual(['two', 'paid'])
  })

  it('several decide by the same results, whichever answers first', async () => {
    const search = playSearch({ one, first: { pages: ['c'], when: THIN }, second: { pages: ['d'], when: THIN } })
    await search.find()
    expect(search.asked).toEqual(['one', 'first', 'second'])
  })

  it('a watcher is told about it once, whether it was asked or not', async () => {
    for (const [other, outcome] of [
      [two, 'skipped'],
      [one, 'ok'],
    ] as const) {
      const seen: string[] = []
      const watcher = {
        onStart: (slots: readonly string[]) => void seen.push(slots.join('+')),
        onEngine: ({ slot, outcome }: { slot: string; outcome: string }) => void seen.push(`${slot} ${outcome}`),
        onResults: () => undefined,
        signal: new AbortController().signal,
      }
      await playSearch({ other, paid }).search({ caller: OPERATOR, tab: 'web', request: REQUEST }, watcher)
      expect(seen).toEqual(['other+paid', 'other ok', `paid ${outcome}`])
    }
  })

  it('a watcher hears of what it has in memory before the others have answered', async () => {
    const search = playSearch({ other: { ...one, afterMs: 20 }, paid })
    await search.find({ engines: ['paid'] })
    const seen: string[] = []
    const watcher = {
      onStart: () => undefined,
      onEngine: ({ slot }: { slot: string }) => void seen.push(slot),
      onResults: () => undefined,
      signal: new AbortController().signal,
    }
    await search.search({ caller: OPERATOR, tab: 'web', request: REQUEST }, watcher)
    expect(seen).toEqual(['paid', 'other'])
  })
})

describe('isThin', () => {
  const found = (...results: string[][]) => ({
    results: results.map((indexes) => ({ contributions: indexes.map((index) => ({ index })) as never })),
    limit: undefined,
  })

  it('agreement: the share of the first ten that two indexes returned', () => {
    const rule = { results: 1, agreement: 0.5 }
    expect(isThin(rule, found(['a', 'b'], ['a']))).toBe(false)
    expect(isThin(rule, found(['a', 'b'], ['a'], ['b']))).toBe(true)
    const agreed = Array.from({ length: 10 }, () => ['a', 'b'])
    const alone = Array.from({ length: 90 }, () => ['a'])
    expect(isThin(rule, found(...agreed, ...alone))).toBe(false)
    expect(isThin(rule, found(['a', 'a'], ['a'], ['b']))).toBe(true)
  })

  it('agreement isn’t asked of one index alone', () => {
    expect(isThin({ results: 1, agreement: 1 }, found(['a'], ['a'], ['unknown']))).toBe(false)
  })

  it('a stricter rule is thin whenever a milder one is', () => {
    const index = fc.constantFrom('a', 'b', 'unknown')
    const results = fc.array(fc.array(index, { minLength: 1, maxLength: 3 }), { maxLength: 20 })
    const rule = fc.record({
      results: fc.integer({ min: 1, max: 50 }),
      agreement: fc.double({ min: 0.01, max: 0.9, noNaN: true }),
    })
    fc.assert(
      fc.property(results, rule, (list, mild) => {
        const strict = { results: mild.results + 1, agreement: mild.agreement + 0.1 }
        expect(isThin(mild, found(...list)) && !isThin(strict, found(...list))).toBe(false)
      }),
    )
  })
})
