import { describe, expect, it } from 'vitest'
import { lastBankingDay } from '../corpus/exchange-rates.ts'
import { ecb } from './ecb.ts'
import { frankfurter } from './frankfurter.ts'
import { askProvider } from './provider-testing.ts'

interface Row {
  date: string
  base: string
  quote: string
  rate: number
}

describe('the European Central Bank in the sandbox', () => {
  it('200: the day’s file, in the bank’s format', () => {
    const { status, text } = askProvider(ecb, { path: '/stats/eurofxref/eurofxref-daily.xml' })
    expect(status).toBe(200)
    expect(text).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<gesmes:Envelope /)
    expect(text).toContain("\t<Cube>\n\t\t<Cube time='2026-11-13'>\n\t\t\t<Cube currency='USD' rate='1.1568'/>\n")
    expect(text).toContain("<Cube currency='ZAR' rate='20.1150'/>\n\t\t</Cube>\n\t</Cube>\n</gesmes:Envelope>\n")
    expect(text).not.toContain('EUR')
  })

  it('has no other file', () => {
    expect(askProvider(ecb, { path: '/stats/eurofxref/eurofxref-hist.xml' }).status).toBe(404)
  })
})

describe('the day of the rates', () => {
  it.each([
    ['2026-11-13T14:00Z', '2026-11-12'],
    ['2026-11-13T15:00Z', '2026-11-13'],
    ['2026-11-15T12:00Z', '2026-11-13'],
    ['2026-11-16T14:00Z', '2026-11-13'],
    ['2026-11-16T15:00Z', '2026-11-16'],
  ])('at %s is %s', (now, day) => {
    expect(lastBankingDay(Date.parse(now))).toBe(day)
  })
})

describe('Frankfurter in the sandbox', () => {
  const rates = (query: Record<string, string>) =>
    askProvider<Row[] & { message: string }>(frankfurter, { path: '/v2/rates', query })

  it('200: one row for each quote, including the base itself', () => {
    expect(rates({ base: 'EUR', quotes: 'USD,KWD,EUR' })).toMatchObject({
      status: 200,
      json: [
        { date: '2026-11-13', base: 'EUR', quote: 'USD', rate: 1.1568 },
        { date: '2026-11-13', base: 'EUR', quote: 'KWD', rate: 0.35514 },
        { date: '2026-11-13', base: 'EUR', quote: 'EUR', rate: 1 },
      ],
    })
  })

  it('returns every currency when none is named', () => {
    expect(rates({}).json.length).toBeGreaterThan(40)
    expect(rates({ base: 'USD', quotes: 'EUR' }).json[0]?.rate).toBe(0.86445367)
  })

  it('200: every working day of a series, up to the latest', () => {
    const { status, json } = rates({ base: 'USD', quotes: 'EUR', from: '2026-11-05', to: '2026-11-20' })
    expect(status).toBe(200)
    expect(json.map(({ date }) => date.slice(8))).toEqual(['05', '06', '09', '10', '11', '12', '13'])
    expect(json.at(-1)).toEqual({ date: '2026-11-13', base: 'USD', quote: 'EUR', rate: 0.86445367 })
    expect(new Set(json.map(({ rate }) => rate)).size).toBe(7)
    expect(rates({ base: 'USD', quotes: 'EUR', from: 'yesterday' }).status).toBe(422)
  })

  it('200: a single pair', () => {
    expect(askProvider<Row>(frankfurter, { path: '/v2/rate/GBP/USD' }).json).toMatchObject({ rate: 1.3205479 })
  })

  it('422 and 404: unknown currencies and paths, with a message', () => {
    expect(rates({ base: 'EUR', quotes: 'XXX' })).toMatchObject({ status: 422, json: { message: 'invalid currency' } })
    expect(rates({ symbols: 'USD' }).status).toBe(422)
    expect(askProvider(frankfurter, { path: '/v2/rate/EUR/XXX' }).status).toBe(404)
    expect(askProvider(frankfurter, { path: '/v1/latest' }).status).toBe(404)
  })
})
