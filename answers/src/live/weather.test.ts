// Cases that a table can't express: the source fails, isn't configured, or omits values.
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import type { BoundSource, FindSource, Source } from '@bowerbird/engines/source.ts'
import type { Forecast } from '@bowerbird/engines/sources/openmeteo.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { describe, expect, it } from 'vitest'
import { readQuestion } from '../question.ts'
import { weather, weatherWords } from './weather.ts'

const BARE: Forecast = {
  zone: '',
  current: { time: '', temperature: -0.2, feelsLike: null, humidity: null, wind: null, code: 42, isDay: true },
  days: [],
  hours: [],
}

function ask(text: string, told: Forecast | UpstreamError | undefined) {
  const question = readQuestion(text, 'en')
  const match = question && weather.match(question)
  if (!question || !match) throw new Error('The query must match.')
  const bound = (source: Source): Pick<BoundSource, 'ask' | 'source'> => ({
    source,
    ask: async () => {
      if (told instanceof UpstreamError) throw told
      // The only call made here is the one for a forecast.
      return { found: told as never, isStale: false, ageMs: 0 }
    },
  })
  // Only these members are used here.
  const find = ((source: Source) => told && bound(source)) as unknown as FindSource
  const client = { ip: '' }
  const deadline = createDeadline(1000)
  const nowhere = { zone: undefined, point: undefined }
  return weather.answer(match, {
    question,
    now: 0,
    random: () => 0,
    client,
    ...nowhere,
    find,
    translate: undefined,
    deadline,
  })
}

describe('weather', () => {
  it('rejects when its source fails, so that an outage does not look like "no answer"', async () => {
    await expect(ask('weather paris', new UpstreamError('timeout', 'too slow'))).rejects.toThrow(UpstreamError)
  })

  it('is silent when its source is not configured', async () => {
    expect(await ask('weather paris', undefined)).toBeNull()
  })

  it('leaves out what the source omits, and never shows minus zero', async () => {
    expect(await ask('weather paris', BARE)).toMatchObject({
      text: 'Paris: 0°C',
      condition: '',
      temperature: -0.2,
      time_zone: 'Europe/Paris',
      attribution: { text: 'Weather data by Open-Meteo.com, CC BY 4.0', url: 'https://open-meteo.com' },
    })
  })

  it('has the next 24 hours, or those of the day that was asked about', async () => {
    const hours = Array.from({ length: 72 }, (_, index) => ({
      time: new Date(Date.UTC(2026, 10, 17, index)).toISOString().slice(0, 16),
      temperature: index,
      precipitation: index % 100,
    }))
    const days = ['2026-11-17', '2026-11-18'].map((date) => ({ date, code: 3, high: 9, low: 1, precipitation: 20 }))
    const forecast = { ...BARE, current: { ...BARE.current, time: '2026-11-17T12:45' }, days, hours }
    const now = (await ask('weather in paris', forecast))?.hours
    expect([now?.length, now?.[0]]).toEqual([
      24,
      { time: '2026-11-17T12:00', temperature: 12, precipitation_probability: 12 },
    ])
    const tomorrow = (await ask('weather in paris tomorrow', forecast))?.hours
    expect([tomorrow?.[0]?.time, tomorrow?.at(-1)?.time]).toEqual(['2026-11-18T00:00', '2026-11-18T23:00'])
  })

  it('is silent about tomorrow if the forecast does not cover it', async () => {
    expect(await ask('weather paris tomorrow', BARE)).toBeNull()
  })

  it('has a name for every WMO code in use, in every language, and none for other codes', () => {
    const codes = [
      0, 1, 2, 3, 45, 48, 51, 53, 55, 56, 57, 61, 63, 65, 66, 67, 71, 73, 75, 77, 80, 81, 82, 85, 86, 95, 96, 99,
    ]
    for (const language of ['en', 'fr', 'de', 'es', 'it', 'pt', 'nl'] as const) {
      expect(codes.filter((code) => weatherWords(code, language) === '')).toEqual([])
    }
    expect([weatherWords(4, 'en'), weatherWords(null, 'en')]).toEqual(['', ''])
  })

  it('writes both days of a weekend, and on a Sunday the weather now', async () => {
    const day = (date: string) => ({ date, code: 3, high: 9, low: 1, precipitation: 20 })
    const current = { ...BARE.current, time: '2026-11-17T12:00' }
    const fromTuesday = ['17', '18', '19', '20', '21', '22', '23'].map((number) => day(`2026-11-${number}`))
    const midweek = await ask('weather in paris this weekend', { ...BARE, current, days: fromTuesday })
    expect(midweek?.text).toBe(
      'Paris, Saturday, 21 November 2026: overcast, 1°C – 9°C, precipitation 20%; ' +
        'Sunday, 22 November 2026: overcast, 1°C – 9°C, precipitation 20%',
    )
    expect(midweek?.date).toBe('2026-11-21')
    const fromSunday = fromTuesday.slice(5)
    const sunday = await ask('weather in paris this weekend', { ...BARE, current, days: fromSunday })
    expect(sunday?.text).toBe('Paris: 0°C, today 1°C – 9°C')
  })
})
