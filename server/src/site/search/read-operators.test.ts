import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readOperators } from './read-operators.ts'

const day = (text: string) => Date.parse(`${text}T00:00:00Z`)

describe('operators of the search field', () => {
  it.each([
    ['oak site:example.org', 'oak', { includeDomains: ['example.org'] }],
    ['oak Site:https://www.Example.org', 'oak', { includeDomains: ['example.org'] }],
    ['site:b.org oak site:a.org', 'oak', { includeDomains: ['a.org', 'b.org'] }],
    ['oak site:a.org OR site:b.org', 'oak', { includeDomains: ['a.org', 'b.org'] }],
    ['oak -site:example.org', 'oak', { excludeDomains: ['example.org'] }],
    ['oak after:2024-05-01', 'oak', { dateFrom: day('2024-05-01') }],
    ['oak before:2024-05-01', 'oak', { dateTo: day('2024-05-01') - 1 }],
    ['oak after:2024 before:2024-03', 'oak', { dateFrom: day('2024-01-01'), dateTo: day('2024-03-01') - 1 }],
    ['oak filetype:PDF', 'oak', { fileTypes: ['pdf'] }],
    ['old intitle:oak', 'old oak', { titleWords: ['oak'] }],
    ['intitle:"old oak" tree', 'old oak tree', { titleWords: ['old oak'] }],
    ['"old oak"  tree', '"old oak"  tree', { phrases: ['old oak'] }],
    ['"old oak" site:a.org', '"old oak"', { phrases: ['old oak'], includeDomains: ['a.org'] }],
    ['-"old oak" tree', '-"old oak" tree', {}],
    // With nothing to search for within the site, its name is searched for.
    ['site:example.org', 'example.org', { includeDomains: ['example.org'] }],
  ])('%s', (written, text, bounds) => {
    expect(readOperators(written)).toMatchObject({ text, bounds, notUnderstood: [] })
  })

  it.each([
    ['before:yesterday oak', ['before:yesterday']],
    ['oak after:2024-02-30', ['after:2024-02-30']],
    ['site:example oak', ['site:example']],
    ['site:example.org/shop oak', ['site:example.org/shop']],
    ['oak -filetype:pdf', ['-filetype:pdf']],
    ['filetype:pdf', ['filetype:pdf']],
    ['before:2024 -site:a.org', ['before:2024', '-site:a.org']],
  ])('%s stays as it is, and is told', (written, notUnderstood) => {
    expect(readOperators(written)).toEqual({ text: written, bounds: {}, operators: [], notUnderstood })
  })

  it.each(['oak', 'campsite:nearby', '10:30 train', 'std::vector', 'https://example.org', '', 'a"b', 'c++ OR rust'])(
    '%s has no operators',
    (written) => {
      expect(readOperators(written)).toEqual({ text: written, bounds: {}, operators: [], notUnderstood: [] })
    },
  )

  it('are remembered as they were written', () => {
    expect(readOperators('oak site:A.org "x" intitle:y').operators).toEqual(['site:A.org', 'intitle:y'])
  })

  it('never leave a search with nothing to search for', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('site:', '-', '"', 'a.org', ' ', 'before:', '2024', 'oak', 'intitle:', 'OR', ':')),
        (pieces) => {
          const written = pieces.join('').trim()
          expect(readOperators(written).text.trim() === '').toBe(written === '')
        },
      ),
    )
  })
})
