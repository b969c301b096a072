import type { WikidataStatement, WikidataValue } from '@bowerbird/engines/sources/wikidata.ts'
import { describe, expect, it } from 'vitest'
import { formatValue, itemsIn, shownStatements } from './facts.ts'

const stated = (value: WikidataValue, rest: Partial<WikidataStatement> = {}): WikidataStatement => ({
  value,
  pointInTime: '',
  hasEnded: false,
  ...rest,
})
const time = (text: string, precision: number) => stated({ type: 'time', time: text, precision })
const quantity = (amount: string, unit = '', pointInTime = '') =>
  stated({ type: 'quantity', amount, unit }, { pointInTime })
const item = (id: string, hasEnded = false) => stated({ type: 'item', id }, { hasEnded })

describe('formatting a value', () => {
  it.each([
    { what: 'a day', statement: time('+1889-03-31T00:00:00Z', 11), lang: 'en', text: 'March 31, 1889' },
    { what: 'a day in French', statement: time('+1889-03-31T00:00:00Z', 11), lang: 'fr', text: '31 mars 1889' },
    { what: 'a month', statement: time('+1889-03-00T00:00:00Z', 10), lang: 'de', text: 'März 1889' },
    { what: 'a year', statement: time('+1889-00-00T00:00:00Z', 9), lang: 'en', text: '1889' },
    { what: 'a year before Christ', statement: time('-0427-00-00T00:00:00Z', 9), lang: 'en', text: '427 BC' },
    { what: 'an early year', statement: time('+0079-08-24T00:00:00Z', 11), lang: 'en', text: 'August 24, 79' },
    { what: 'a century, which is too vague', statement: time('+1900-00-00T00:00:00Z', 7), lang: 'en', text: '' },
    { what: 'a year beyond all calendars', statement: time('+13798000000-00-00T00:00:00Z', 9), lang: 'en', text: '' },
    { what: 'a number', statement: quantity('+2103778'), lang: 'en', text: '2,103,778' },
    { what: 'a number in German', statement: quantity('+2103778.5'), lang: 'de', text: '2.103.778,5' },
    { what: 'a number with a known unit', statement: quantity('+330', 'Q11573'), lang: 'en', text: '330 m' },
    { what: 'a number with a named unit', statement: quantity('+12', 'Q7'), lang: 'en', text: '12 furlong' },
    { what: 'a number with a nameless unit', statement: quantity('+12', 'Q8'), lang: 'en', text: '12' },
    {
      what: 'a figure with its year',
      statement: quantity('+7', '', '+2023-01-01T00:00:00Z'),
      lang: 'en',
      text: '7 (2023)',
    },
    { what: 'a thing', statement: item('Q7'), lang: 'en', text: 'furlong' },
    { what: 'a nameless thing', statement: item('Q8'), lang: 'en', text: '' },
    { what: 'a text', statement: stated({ type: 'text', text: 'Au' }), lang: 'en', text: 'Au' },
    { what: 'for a tag that is none', statement: quantity('+1234'), lang: 'q-q', text: '1,234' },
    { what: 'for no tag', statement: quantity('+1234'), lang: '', text: '1,234' },
  ])('$what', ({ statement, lang, text }) => {
    expect(formatValue(statement, { Q7: 'furlong' }, lang)).toBe(text)
  })
})

describe('which values are shown', () => {
  it('things: three', () => {
    expect(
      shownStatements(
        'P161',
        ['Q1', 'Q2', 'Q3', 'Q4'].map((id) => item(id)),
      ),
    ).toHaveLength(3)
  })

  it('offices: only current holders', () => {
    expect(shownStatements('P6', [item('Q1', true), item('Q2')])).toEqual([item('Q2')])
    expect(shownStatements('P69', [item('Q1', true)])).toEqual([item('Q1', true)])
  })

  it('figures: the newest', () => {
    const newest = quantity('+3', '', '+2023-01-01T00:00:00Z')
    expect(shownStatements('P1082', [quantity('+1'), newest, quantity('+2', '', '+2020-01-01T00:00:00Z')])).toEqual([
      newest,
    ])
  })

  it('days: the first', () => {
    const first = time('+2010-07-08T00:00:00Z', 11)
    expect(shownStatements('P577', [time('+2010-07-16T00:00:00Z', 11), first])).toEqual([first])
  })

  it('labels are needed for items and for units without a symbol', () => {
    expect(itemsIn([item('Q1'), quantity('+1', 'Q11573'), quantity('+1', 'Q9'), quantity('+1')])).toEqual(['Q1', 'Q9'])
  })
})
