// Who is asked, in which order and for how long. The geocoders are played here; the real ones have tests of their own.

import { createDeadline, type Deadline } from '@bowerbird/engines/deadline.ts'
import type { GeoPlace } from '@bowerbird/engines/parsing/geo-place.ts'
import type { FindSource } from '@bowerbird/engines/source.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { describe, expect, it } from 'vitest'
import { passUntilDone, simulateTime } from '../../../engines/test/simulated-time.ts'
import { Refusal } from '../errors.ts'
import { OPERATOR } from '../search/caller.ts'
import { createMaps } from './maps.ts'

const paris: GeoPlace = {
  name: 'Paris',
  displayName: 'Paris, France',
  lat: 48.85,
  lon: 2.35,
  category: 'boundary',
  type: 'administrative',
  addressType: 'city',
  importance: 0.9,
  box: null,
  osm: null,
}

type Play = (call: string, deadline: Deadline) => Promise<unknown>

/** Geocoders by slug; those left out are not configured. */
function mapsOn(plays: Record<string, Play>, timeoutMs = 1_000) {
  const asked: string[] = []
  const find: FindSource = (source) => {
    const play = plays[source.slug]
    if (!play) return undefined
    return {
      source,
      async ask(call, _query, deadline) {
        asked.push(`${source.slug} ${call.name}`)
        return { found: call.schema.parse(await play(call.name, deadline)), isStale: false, ageMs: 0 }
      },
    }
  }
  return { asked, maps: createMaps({ find, timeoutMs, startDeadline: createDeadline }) }
}

const fails =
  (error: Error): Play =>
  async () => {
    throw error
  }
const finds =
  (...places: GeoPlace[]): Play =>
  async (call) =>
    call === 'search' ? places : (places[0] ?? null)
const hangs: Play = (_call, deadline) =>
  new Promise((_resolve, reject) => deadline.onExpire(() => reject(new UpstreamError('timeout', 'no reply in time'))))
const down = fails(new UpstreamError('unreachable', 'no connection'))

const paris10 = { text: 'Paris', limit: 10, lang: '' }

simulateTime()

describe('which geocoder is called', () => {
  it('the first that is configured, and no other', async () => {
    const { asked, maps } = mapsOn({ nominatim: finds(paris), photon: finds() })
    expect((await maps.forward(OPERATOR, paris10)).places).toEqual([paris])
    expect((await maps.reverse(OPERATOR, { lat: 48, lon: 2, lang: '' })).places).toEqual([paris])
    expect(asked).toEqual(['nominatim search', 'nominatim reverse'])
  })

  it('no other if the first finds nothing', async () => {
    const { asked, maps } = mapsOn({ nominatim: finds(), photon: finds(paris) })
    expect((await maps.forward(OPERATOR, paris10)).places).toEqual([])
    expect((await maps.reverse(OPERATOR, { lat: 0, lon: 0, lang: '' })).places).toEqual([])
    expect(await maps.find(OPERATOR, 'Paris', 'en')).toBeUndefined()
    expect(asked).not.toContain('photon search')
  })

  it.each([
    ['fails', down],
    ['has no turn', fails(new UpstreamError('busy', 'too many calls wait', { retryAfterSeconds: 1 }))],
    ['hangs', hangs],
  ])('the next if the first %s', async (_what, play) => {
    const { asked, maps } = mapsOn({ nominatim: play, photon: finds(paris) }, 200)
    const started = performance.now()
    expect(await passUntilDone(maps.find(OPERATOR, 'Paris', 'en'))).toEqual(paris)
    expect(asked).toEqual(['nominatim search', 'photon search'])
    expect(performance.now() - started).toBeLessThan(190)
  })

  it('the second if it is the only one', async () => {
    const { maps } = mapsOn({ photon: finds(paris) })
    expect(maps.isConfigured).toBe(true)
    expect((await maps.forward(OPERATOR, paris10)).attribution).toContain('OpenStreetMap')
  })

  it('the list has at most as many places as requested', async () => {
    const { maps } = mapsOn({ nominatim: finds(paris, paris, paris) })
    expect((await maps.forward(OPERATOR, { ...paris10, limit: 2 })).places).toHaveLength(2)
  })

  it.each(['192.0.2.1', ' 192.0.2.1 ', '999.1.1.1', '192.0.2.1:8080', '10.0.0.0/8', '2001:db8::1', '[::1]'])(
    'nobody for the address %s',
    async (text) => {
      const { asked, maps } = mapsOn({ nominatim: finds(paris), photon: finds(paris) })
      expect((await maps.forward(OPERATOR, { text, limit: 10, lang: '' })).places).toEqual([])
      expect(asked).toEqual([])
    },
  )

  it.each(['1.2.3', '10 Downing Street', '192.0.2.1 Street', 'Route 66', '48.8584, 2.2945', '75007'])(
    '%s is no address of that kind',
    async (text) => {
      const { asked, maps } = mapsOn({ nominatim: finds(paris) })
      await maps.forward(OPERATOR, { text, limit: 10, lang: '' })
      expect(asked).toEqual(['nominatim search'])
    },
  )
})

describe('without an answer', () => {
  const refusalOf = async (asking: Promise<unknown>): Promise<Refusal> => {
    const error = await asking.then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (!(error instanceof Refusal)) throw new Error('it was not refused')
    return error
  }

  it('503: no geocoder is configured, and the detail names the settings', async () => {
    const { maps } = mapsOn({})
    expect(maps.isConfigured).toBe(false)
    for (const text of ['Paris', '192.0.2.1']) {
      const { status, body, headers } = await refusalOf(maps.forward(OPERATOR, { text, limit: 10, lang: '' }))
      expect([status, headers]).toEqual([503, { 'Error-Code': 'maps_not_configured' }])
      expect(body).toEqual({ detail: expect.stringMatching(/NOMINATIM_URL.*PHOTON_URL.*OPERATOR_CONTACT/) })
    }
  })

  it.each([
    [undefined, undefined, '5'],
    [7, undefined, '5'],
    [undefined, 2, '2'],
    [9, 7, '7'],
    [0.2, 3, '1'],
    [86_400, 86_400, '3600'],
  ])('503: all fail, and Retry-After of %s and %s is %s', async (one, other, seconds) => {
    const failing = (retryAfterSeconds: number | undefined) =>
      fails(new UpstreamError('throttled', 'slow down', { retryAfterSeconds }))
    const { maps } = mapsOn({ nominatim: failing(one), photon: failing(other) })
    const { status, headers } = await refusalOf(maps.reverse(OPERATOR, { lat: 1, lon: 2, lang: '' }))
    expect([status, headers]).toEqual([503, { 'Error-Code': 'maps_failed', 'Retry-After': seconds }])
  })

  it('a bug is not treated as a failure of the geocoder', async () => {
    const { asked, maps } = mapsOn({ nominatim: fails(new TypeError('a bug')), photon: finds(paris) })
    await expect(maps.forward(OPERATOR, paris10)).rejects.toThrow(TypeError)
    expect(asked).toEqual(['nominatim search'])
  })
})
