import { describe, expect, it } from 'vitest'
import { readConfiguration } from './configuration.ts'

const sourcesOf = (env: Record<string, string>) => readConfiguration(env).configuration.sources

describe('data sources from the environment', () => {
  it('the public Nominatim is there for who says who he is, at its own pace, and for nobody else', () => {
    expect(sourcesOf({}).has('nominatim')).toBe(false)
    const { settings, pace, isTrustedAddress } =
      sourcesOf({ OPERATOR_CONTACT: 'ada@example.org' }).get('nominatim') ?? {}
    expect(settings?.baseUrl).toBe('https://nominatim.openstreetmap.org')
    expect(pace).toEqual({ calls: 1, perSeconds: 1 })
    expect(isTrustedAddress).toBe(false)
  })

  it('a Nominatim of one’s own has no pace, unless it is given one', () => {
    const own = { NOMINATIM_URL: 'http://10.0.0.7:8080' }
    expect(sourcesOf(own).get('nominatim')).toMatchObject({ pace: undefined, isTrustedAddress: true })
    expect(sourcesOf({ ...own, NOMINATIM_PACE: '5/s' }).get('nominatim')?.pace).toEqual({ calls: 5, perSeconds: 1 })
  })

  it('a source that is turned off is neither there nor missing anything', () => {
    const { configuration, hidden, mistakes } = readConfiguration({
      OPERATOR_CONTACT: 'ada@example.org',
      NOMINATIM_URL: 'off',
      OPENMETEO_URL: 'OFF',
    })
    expect([...configuration.sources.keys()]).not.toEqual(expect.arrayContaining(['nominatim']))
    expect(configuration.sources.has('openmeteo')).toBe(false)
    expect(hidden).toEqual(expect.arrayContaining([{ slug: 'nominatim', missing: [] }]))
    expect(mistakes).toEqual([])
  })

  it('an address that is none is a mistake, and so is an answer or a card that does not exist', () => {
    const { mistakes } = readConfiguration({ PHOTON_URL: 'photon', INSTANT_OFF: 'wether', CARDS_OFF: 'tarot' })
    expect(mistakes.map(({ env }) => env).sort()).toEqual(['CARDS_OFF', 'INSTANT_OFF', 'PHOTON_URL'])
  })
})
