import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Exact } from '../../lib/numbers.ts'
import { fold } from '../../question.ts'
import { convert, UNITS, type Unit } from './unit-table.ts'

const all = UNITS.all()

function unit(name: string, dimension?: string): Unit {
  const found = UNITS.named({ text: name, folded: fold(name) }).find(
    (candidate) => dimension === undefined || candidate.dimension === dimension,
  )
  if (!found) throw new Error(`no unit ${name}`)
  return found
}

interface Asked {
  value: string
  from: string
  to: string
  dimension?: string | undefined
}

const converted = ({ value, from, to, dimension }: Asked) =>
  convert(new Exact(value), unit(from, dimension), unit(to, dimension))?.toSignificantDigits(20).toString()

describe('the table of units', () => {
  it('has at least 250 units, and at least two of each kind', () => {
    expect(all.length).toBeGreaterThanOrEqual(250)
    const kinds = Map.groupBy(all, ({ dimension }) => dimension)
    expect([...kinds].filter(([, units]) => units.length < 2)).toEqual([])
  })

  it('has every name in folded form, like queries', () => {
    const readable = (name: string) => name.normalize('NFKC').toLowerCase()
    expect(UNITS.names().filter((name) => fold(name) !== name && fold(name) !== fold(readable(name)))).toEqual([])
    const letters = UNITS.names().filter((name) => /^[a-zà-ÿ' .-]{3,}$/.test(name))
    expect(letters.filter((name) => fold(name) !== name)).toEqual([])
  })

  it('has a positive factor for every unit', () => {
    expect(
      all.filter(({ numerator, denominator }) => !numerator.gt(0) || !denominator.gt(0)).map(({ symbol }) => symbol),
    ).toEqual([])
  })

  it.each([
    ['5', 'in', 'cm', '12.7'],
    ['1', 'mi', 'km', '1.609344'],
    ['1', 'acre', 'm2', '4046.8564224'],
    ['1', 'lb', 'kg', '0.45359237'],
    ['1', 'oz', 'g', '28.349523125'],
    ['1', 'ly', 'km', '9460730472580.8'],
    ['1', 'us gallon', 'l', '3.785411784'],
    ['1', 'imperial gallon', 'l', '4.54609'],
    ['16', 'us fl oz', 'us pint', '1'],
    ['20', 'uk fl oz', 'uk pint', '1'],
    ['1', 'psi', 'Pa', '6894.7572931683613367'],
    ['760', 'Torr', 'atm', '1'],
    ['1', 'atm', 'hPa', '1013.25'],
    ['1', 'kWh', 'MJ', '3.6'],
    ['1', 'BTU', 'J', '1055.05585262'],
    ['1', 'hp', 'W', '745.69987158227022'],
    ['1', 'PS', 'W', '735.49875'],
    ['36', 'km/h', 'm/s', '10'],
    ['60', 'mph', 'km/h', '96.56064'],
    ['1', 'kn', 'km/h', '1.852'],
    ['1', 'GiB', 'B', '1073741824'],
    ['8', 'Mbit', 'MB', '1'],
    ['1', 'km2', 'ha', '100'],
    ['1', 'ft3', 'in3', '1728'],
    ['180', 'degrees', 'turn', '0.5', 'angle'],
    ['1', 'eV', 'J', '1.602176634e-19'],
    ['1', 'slug', 'kg', '14.593902937206364829'],
    ['1', 'year', 'days', '365.2425'],
    ['1', 'mAh', 'C', '3.6', 'charge'],
  ])('%s %s in %s is %s', (...row) => {
    const [value, from, to, result, dimension] = row
    expect(converted({ value, from, to, dimension })).toBe(result)
  })

  it.each([
    ['0', 'C', 'K', '273.15'],
    ['20', 'C', 'F', '68'],
    ['-40', 'F', 'C', '-40'],
    ['0', 'K', 'F', '-459.67'],
    ['80', 'reaumur', 'C', '100'],
    ['491.67', 'rankine', 'C', '0'],
  ])('%s %s in %s is %s', (...row) => {
    const [value, from, to, result] = row
    expect(converted({ value, from, to, dimension: 'temperature' })).toBe(result)
  })

  it('inverts miles per gallon into litres per distance, except for zero', () => {
    expect(converted({ value: '235.214583333333333333333333', from: 'mpg', to: 'l/100km' })).toBe('1')
    expect(converted({ value: '5', from: 'l/100km', to: 'km/l' })).toBe('20')
    expect(converted({ value: '0', from: 'l/100km', to: 'mpg' })).toBeUndefined()
    expect(converted({ value: '0', from: 'mpg', to: 'l/100km' })).toBeUndefined()
  })

  it('converting there and back changes nothing', () => {
    const pairs = fc
      .constantFrom(...all)
      .chain((from) =>
        fc.tuple(fc.constant(from), fc.constantFrom(...all.filter((to) => to.dimension === from.dimension))),
      )
    fc.assert(
      fc.property(pairs, fc.integer({ min: 1, max: 1_000_000 }), ([from, to], whole) => {
        const value = new Exact(whole).div(1000)
        const there = convert(value, from, to)
        const back = there && convert(there, to, from)
        expect(back?.minus(value).abs().lt('1e-20')).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})
