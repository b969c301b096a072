import { describe, expect, it } from 'vitest'
import { startCpuTimer } from '../../test/cpu-timer.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { dailyRates, ecb } from './ecb.ts'

const NOW = Date.UTC(2026, 10, 15)
const parse = (body: string, status = 200) =>
  dailyRates.parse({ status, headers: { 'retry-after': '30' }, body }, { query: null, now: NOW })
const file = (cubes: string) => `<?xml version="1.0"?><Envelope><Cube>${cubes}</Cube></Envelope>`

describe('the ECB’s file of rates', () => {
  it('requests the published file', () => {
    expect(dailyRates.request(null, { baseUrl: '' })).toEqual({
      path: '/stats/eurofxref/eurofxref-daily.xml',
      headers: { accept: 'application/xml, text/xml' },
    })
    expect(ecb.probe).toBe(dailyRates)
  })

  it('gives the day and every rate, exactly as written', () => {
    const found = dailyRates.parse(readFixture('ecb-daily', 'sources'), { query: null, now: NOW })
    expect(found).toEqual({ date: '2026-11-13', rates: { USD: '1.1499', JPY: '169.05', IDR: '19301.77' } })
    expect(dailyRates.schema.parse(found)).toEqual(found)
  })

  it('reads double quotes, another order of attributes, and the first day of many', () => {
    const days = `<Cube time="2026-11-13"><Cube rate="2.5" currency="USD"/></Cube>
      <Cube time='2026-11-12'><Cube currency='USD' rate='9'/><Cube currency='GBP' rate='9'/></Cube>`
    expect(parse(file(days))).toEqual({ date: '2026-11-13', rates: { USD: '2.5' } })
  })

  it('drops rows that are not rates', () => {
    const cubes = ['US', 'usd', 'USDT', '__proto__'].map((code) => `<Cube currency='${code}' rate='1'/>`)
    const rates = ['0', '-1', 'NaN', '1e5', '', '1,2'].map((rate) => `<Cube currency='GBP' rate='${rate}'/>`)
    const day = `<Cube time='2026-11-13'><Cube currency='CHF' rate='0.93'/>${[...cubes, ...rates].join('')}</Cube>`
    expect(parse(file(day)).rates).toEqual({ CHF: '0.93' })
  })

  it.each([
    ['nothing', ''],
    ['a web page', '<!doctype html><html><body>Maintenance</body></html>'],
    ['JSON', '{"rates":{}}'],
    ['a file without a day', file(`<Cube><Cube currency='USD' rate='1.1'/></Cube>`)],
    ['a day that is none', file(`<Cube time='2026-02-30'><Cube currency='USD' rate='1.1'/></Cube>`)],
    ['a day without rates', file(`<Cube time='2026-11-13'></Cube>`)],
    ['a file that is cut off', `<Envelope><Cube><Cube time='2026-11-13'><Cube currency='USD' rate='1.1'/><Cube curr`],
  ])('%s is malformed', (_, body) => {
    expect(() => parse(body)).toThrow(expect.objectContaining({ kind: 'malformed' }))
  })

  it.each([
    [403, { kind: 'throttled', retryAfterSeconds: 30 }],
    [429, { kind: 'throttled', retryAfterSeconds: 30 }],
    [503, { kind: 'unreachable' }],
  ])('status %i is an error', (status, error) => {
    expect(() => parse('', status)).toThrow(expect.objectContaining(error))
  })

  it('takes a hostile megabyte in its stride', () => {
    const spentMs = startCpuTimer()
    for (const part of ['<Cube ', "<Cube a='", '<Cube a = ', ' = ', "'"]) {
      expect(() => parse(part.repeat(200_000))).toThrow(expect.objectContaining({ kind: 'malformed' }))
    }
    expect(spentMs()).toBeLessThan(2_000)
  })
})
