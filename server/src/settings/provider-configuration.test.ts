import { describe, expect, it } from 'vitest'
import { readConfiguration, requireConfiguration } from './configuration.ts'

const sourcesOf = (env: Record<string, string>) => requireConfiguration(readConfiguration(env)).sources
const enginesOf = (env: Record<string, string>) => requireConfiguration(readConfiguration(env)).engines
const mistakesIn = (env: Record<string, string>) => {
  const { verdict } = readConfiguration(env)
  return verdict.ok ? [] : verdict.mistakes
}

describe('engines from the environment', () => {
  it('the key that everyone shares has limits; a key of one’s own has none unless they are set', () => {
    expect(enginesOf({}).get('marginalia')).toMatchObject({
      rateLimit: { calls: 6, perSeconds: 60 },
      dailyCalls: 300,
    })
    const own = { MARGINALIA_API_KEY: 'mine' }
    expect(enginesOf(own).get('marginalia')).toMatchObject({ rateLimit: undefined, dailyCalls: undefined })
    expect(enginesOf({ ...own, MARGINALIA_RATE_LIMIT: '5/s' }).get('marginalia')).toMatchObject({
      rateLimit: { calls: 5, perSeconds: 1 },
      dailyCalls: undefined,
    })
  })
})

it('a cap in money on a provider whose price is not known needs the price; a cap on calls needs none', () => {
  const capped = { ENGINE_A: 'webiq', WEBIQ_API_KEY: 'key', WEBIQ_MONTHLY_USD: '20' }
  expect(mistakesIn(capped)).toEqual([
    { env: 'WEBIQ_MONTHLY_USD', message: expect.stringContaining('needs WEBIQ_PRICE_PER_CALL') },
  ])
  expect(mistakesIn({ ...capped, WEBIQ_PRICE_PER_CALL: '0.01' })).toEqual([])
  expect(mistakesIn({ ENGINE_A: 'webiq', WEBIQ_API_KEY: 'key', WEBIQ_MONTHLY_CALLS: '20' })).toEqual([])
})

describe('data sources from the environment', () => {
  it('the public Nominatim is used only with OPERATOR_CONTACT, at its own rate limit', () => {
    expect(sourcesOf({}).has('nominatim')).toBe(false)
    const { settings, rateLimit, isTrustedAddress } =
      sourcesOf({ OPERATOR_CONTACT: 'ada@example.org' }).get('nominatim') ?? {}
    expect(settings?.baseUrl).toBe('https://nominatim.openstreetmap.org')
    expect(rateLimit).toEqual({ calls: 1, perSeconds: 1 })
    expect(isTrustedAddress).toBe(false)
  })

  it('a self-hosted Nominatim has no rate limit unless one is set', () => {
    const own = { NOMINATIM_URL: 'http://10.0.0.7:8080' }
    expect(sourcesOf(own).get('nominatim')).toMatchObject({ rateLimit: undefined, isTrustedAddress: true })
    expect(sourcesOf({ ...own, NOMINATIM_RATE_LIMIT: '5/s' }).get('nominatim')?.rateLimit).toEqual({
      calls: 5,
      perSeconds: 1,
    })
  })

  it('a source that is turned off is hidden and lacks no setting', () => {
    const env = { OPERATOR_CONTACT: 'ada@example.org', NOMINATIM_URL: 'off', OPENMETEO_URL: 'OFF' }
    expect([...sourcesOf(env).keys()]).not.toEqual(expect.arrayContaining(['nominatim']))
    expect(sourcesOf(env).has('openmeteo')).toBe(false)
    expect(readConfiguration(env).hidden).toEqual(expect.arrayContaining([{ slug: 'nominatim', missing: [] }]))
  })

  it('an invalid address is a mistake, and so is an unknown answer or card', () => {
    const mistakes = mistakesIn({ PHOTON_URL: 'photon', INSTANT_DISABLED: 'wether', CARDS_DISABLED: 'tarot' })
    expect(mistakes.map(({ env }) => env).sort()).toEqual(['CARDS_DISABLED', 'INSTANT_DISABLED', 'PHOTON_URL'])
  })

  it('a provider without its key is hidden, and its other settings are still checked', () => {
    const { hidden } = readConfiguration({})
    expect(hidden).toEqual(expect.arrayContaining([{ slug: 'brave', missing: ['BRAVE_API_KEY'] }]))
    expect(
      mistakesIn({ MINE: 'karakeep', KARAKEEP_URL: 'http://10.0.0.7:3000', KARAKEEP_LINK_URL: 'karakeep' }),
    ).toEqual([{ env: 'KARAKEEP_LINK_URL', message: expect.stringContaining('must be a URL') }])
    expect(mistakesIn({ BRAVE_RATE_LIMIT: 'fast', BRAVE_URL: 'brave' }).map(({ env }) => env)).toEqual([
      'BRAVE_URL',
      'BRAVE_RATE_LIMIT',
    ])
  })
})

describe('the outgoing proxy', () => {
  const OWN = 'http://ada:hunter2@10.0.0.7:3128'
  const proxyOf = (env: Record<string, string>) => sourcesOf(env).get('ecb')?.proxy

  it('of a provider is its own, none, or that of the instance', () => {
    const { outgoingProxy } = requireConfiguration(readConfiguration({ OUTGOING_PROXY: OWN }))
    expect(outgoingProxy?.origin).toBe('http://10.0.0.7:3128')
    expect(proxyOf({ OUTGOING_PROXY: OWN })).toBeUndefined()
    expect(proxyOf({ OUTGOING_PROXY: OWN, ECB_PROXY: 'https://proxy.example' })).toEqual({
      origin: 'https://proxy.example',
      authorization: undefined,
    })
    expect(proxyOf({ OUTGOING_PROXY: OWN, ECB_PROXY: 'Direct' })).toBe('direct')
  })

  it.each(['OUTGOING_PROXY', 'ECB_PROXY', 'BRAVE_PROXY'])('%s must be the URL of an HTTP proxy', (env) => {
    const mistakes = mistakesIn({ [env]: 'socks5://ada:hunter2@proxy.example' })
    expect(mistakes).toEqual([{ env, message: expect.stringMatching(/^must be the URL of an HTTP proxy/) }])
    expect(JSON.stringify(mistakes)).not.toContain('hunter2')
  })

  it('is a secret, but not that there is none', () => {
    const { shown } = readConfiguration({ OUTGOING_PROXY: OWN, ECB_PROXY: OWN, WIKIDATA_PROXY: 'direct' })
    expect(shown).toEqual(
      expect.arrayContaining([
        { env: 'OUTGOING_PROXY', shown: 'set', origin: 'environment' },
        { env: 'ECB_PROXY', shown: 'set', origin: 'environment' },
        { env: 'WIKIDATA_PROXY', shown: 'direct', origin: 'environment' },
      ]),
    )
    expect(JSON.stringify(shown)).not.toContain('hunter2')
  })
})

describe('a configuration with mistakes', () => {
  const env = {
    PORT: 'http',
    API_THROTTLE_BURST: 'often',
    ENGINE_A: 'altavista',
    ENGINE_B_WEIGHT: '-1',
    MOJEEK_MONTHLY_USD: 'much',
    SITE_ACCESS: 'friends',
    DATA_DIR: '/srv/bowerbird',
    PUBLIC_URL: 'https://search.example/',
  }

  it('names every mistake, and quotes no values', () => {
    const { verdict } = readConfiguration(env)
    expect(verdict).toEqual({ ok: false, mistakes: expect.any(Array) })
    expect(mistakesIn(env).map((mistake) => mistake.env)).toEqual([
      'PORT',
      'API_THROTTLE_BURST',
      'SITE_ACCESS',
      'ENGINE_A',
      'ENGINE_B_WEIGHT',
      'MOJEEK_MONTHLY_USD',
    ])
    expect(() => requireConfiguration({ verdict })).toThrow(
      expect.objectContaining({ body: { detail: expect.stringContaining('  PORT must be a whole number') } }),
    )
  })

  it('still shows the settings, the data folder and the public URL', () => {
    const { shown, slots, dataFolder, publicUrl } = readConfiguration(env)
    expect(shown).toEqual(expect.arrayContaining([{ env: 'PORT', shown: 'http', origin: 'environment' }]))
    expect(shown).toEqual(expect.arrayContaining([{ env: 'HOST', shown: '127.0.0.1', origin: 'default' }]))
    expect([...slots.keys()]).toEqual(expect.arrayContaining(['engine_b', 'engine_c']))
    expect({ dataFolder, publicUrl }).toEqual({ dataFolder: '/srv/bowerbird', publicUrl: 'https://search.example' })
  })
})
