// Instant answers: an answer object or `null`; what concerns the client can't be forged,
// what is random is never cached, and a failing source is never `null`.

import { ALL_ANSWERS } from '@bowerbird/answers/all.ts'
import { describe, expect, it } from 'vitest'
import { shareInstance, useSharedInstance } from '../support/shared-instance.ts'
import { useTestInstance } from '../support/test-instance.ts'

const PATH = '/api/v1/instant/'

const addressOf = (q: string, lang = ''): string => `${PATH}?q=${encodeURIComponent(q)}&lang=${lang}`

describe('an instance with default settings', () => {
  const server = useSharedInstance()

  const ask = (q: string, lang?: string) => server.api.get(addressOf(q, lang))

  it('returns an object with type, query and text', async () => {
    const { status, json } = await ask('base64 encode hello')
    expect(status).toBe(200)
    expect(json).toEqual({
      type: 'base64',
      query: 'base64 encode hello',
      text: 'Base64 of "hello": aGVsbG8=',
      direction: 'encode',
      variant: 'base64',
      input: 'hello',
      output: 'aGVsbG8=',
      bytes_hex: '68656c6c6f',
    })
  })

  it('null: an ordinary search is not a question', async () => {
    const { status, text, headers } = await ask('climate')
    expect([status, text]).toEqual([200, 'null'])
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  it.each(ALL_ANSWERS.map((answer) => [answer.slug, answer.examples] as const))(
    'every example of %s is answered as the OpenAPI document says',
    async (slug, examples) => {
      for (const { q, lang } of examples) {
        // The client validates the response against the document.
        const { status, json } = await ask(q, lang)
        expect([status, json?.type, json?.query], q).toEqual([200, slug, q])
        expect(json.text).toMatch(/\S/)
      }
    },
  )

  it('every kind of answer has its own schema in the document', async () => {
    const { json } = await server.api.get('/api/v1/openapi.json')
    const types = Object.values<{ properties?: { type?: { const?: string } } }>(json.components.schemas)
      .map(({ properties }) => properties?.type?.const)
      .filter((type) => type !== undefined)
    expect(ALL_ANSWERS.map(({ slug }) => slug).filter((slug) => !types.includes(slug))).toEqual([])
  })

  it('lang sets the language of the text', async () => {
    const [english, german] = [await ask('my ip', 'en'), await ask('my ip', 'de')]
    expect(english.json.text).toMatch(/^Your IP address is /)
    expect(german.json.text).toMatch(/^Ihre IP-Adresse ist /)
  })

  it.each([
    ['q', 'missing', ''],
    ['tz', 'that is not a time zone', 'q=my%20ip&tz=Europe/Atlantis'],
    ['tz', 'that is an offset', 'q=my%20ip&tz=%2B05:30'],
    ['lat', 'that is not a number', 'q=weather&lat=north&lon=13'],
    ['lat', 'beyond the pole', 'q=weather&lat=90.1&lon=13'],
    ['lon', 'above 180 degrees', 'q=weather&lat=52&lon=181'],
    ['lon', 'missing', 'q=weather&lat=52'],
    ['lat', 'missing', 'q=weather&lon=13'],
  ])('400: %s %s', async (parameter, _name, parameters) => {
    const { status, json } = await server.api.get(`${PATH}?${parameters}`)
    expect([status, Object.keys(json)]).toEqual([400, [parameter]])
    expect(json[parameter][0]).toMatch(/\w.*\.$/)
  })

  it('tz: today and now are in the client’s time zone', async () => {
    const within = async (q: string, tz: string) => (await server.api.get(`${addressOf(q)}&tz=${tz}`)).json
    const [utc, early, late] = await Promise.all([
      within('what time is it', ''),
      within('what time is it', 'Etc/GMT%2B12'),
      within('what time is it', 'Pacific/Kiritimati'),
    ])
    expect([utc.time_zone, utc.text]).toEqual(['UTC', expect.stringMatching(/\(UTC\)$/)])
    expect([early.utc_offset, late.utc_offset]).toEqual(['-12:00', '+14:00'])
    // The two are 26 hours apart.
    expect(early.date < late.date).toBe(true)
    const [one, other] = [
      await within('days until 2040-01-01', 'Etc/GMT%2B12'),
      await within('days until 2040-01-01', 'pacific/kiritimati'),
    ]
    expect([one.days > other.days, one.today, other.today]).toEqual([true, early.date, late.date])
    expect([one.text, other.time_zone]).toEqual([expect.not.stringMatching(/UTC/), 'Pacific/Kiritimati'])
  })

  it('lat and lon: weather and sun times for the client’s position, never cached', async () => {
    const here = async (q: string) => {
      const { json, headers } = await server.api.get(`${addressOf(q)}&lat=52.5163&lon=13.3777`)
      return [json?.type, json?.place, headers.get('cache-control')]
    }
    expect(await here('weather')).toEqual(['weather', 'Berlin', 'private, no-store'])
    expect(await here('sunset')).toEqual(['sun_times', 'Berlin', 'private, no-store'])
    expect(await here('weather in paris')).toEqual(['weather', 'Paris', 'private, no-store'])
    expect((await ask('weather')).text).toBe('null')
  })

  it('the source gets the position to a kilometre, and the log does not', async () => {
    const before = server.logged().length
    const { json } = await server.api.get(`${addressOf('weather')}&lat=52.516312&lon=13.377712`)
    expect([json.latitude, json.longitude]).toEqual([52.52, 13.38])
    expect(server.logged().slice(before)).not.toMatch(/52\.51|13\.37|52\.52|13\.38/)
  })

  it.each(['random password', 'random passphrase', 'uuid v4', 'uuid v7'])(
    'random answers differ every time and are never cached: %s',
    async (q) => {
      const replies = [await ask(q), await ask(q), await ask(q)]
      expect(new Set(replies.map(({ json }) => json.text)).size).toBe(3)
      for (const { headers } of replies) expect(headers.get('cache-control')).toBe('private, no-store')
    },
  )
})

describe('the client’s address', () => {
  const forged = { 'x-forwarded-for': '198.51.100.77', forwarded: 'for=198.51.100.77', 'x-real-ip': '198.51.100.77' }

  it("is the peer's: headers from an untrusted peer are ignored", async () => {
    const server = await shareInstance()
    const { json } = await server.api.get(addressOf('what is my ip'), { headers: forged })
    expect([json.ip, json.version, json.is_public]).toEqual(['127.0.0.1', 4, false])
  })

  describe('behind a trusted proxy', () => {
    const server = useTestInstance({ TRUSTED_PROXIES: '127.0.0.0/8, 10.0.0.0/8' })

    it.each([
      ['what the proxy reports', '198.51.100.77', '198.51.100.77'],
      ['what the last trusted proxy reports, not what the client sent', '192.0.2.1, 198.51.100.77', '198.51.100.77'],
      ['found through a chain of trusted proxies', '192.0.2.1, 198.51.100.77, 10.1.2.3', '198.51.100.77'],
      ['an IPv6 address in its short form', '2001:0db8:0:0:0:0:0:9', '2001:db8::9'],
      ['an IPv4 address, even if sent as IPv4-mapped IPv6', '::ffff:198.51.100.77', '198.51.100.77'],
    ])('is %s', async (_name, header, ip) => {
      const { json, headers } = await server.api.get(addressOf('what is my ip'), {
        headers: { 'x-forwarded-for': header },
      })
      expect([json.ip, headers.get('cache-control')]).toEqual([ip, 'private, no-store'])
    })

    it('is not answered if it is invalid', async () => {
      const { text } = await server.api.get(addressOf('what is my ip'), { headers: { 'x-forwarded-for': 'unknown' } })
      expect(text).toBe('null')
    })
  })
})
