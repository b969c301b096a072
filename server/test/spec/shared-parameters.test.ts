// The shared parameters: what each one accepts, means and rejects.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'

let server: TestInstance
beforeAll(async () => {
  server = await startTestInstance()
})
afterAll(() => server.close())

const web = (parameters: string) => server.api.get(`/api/v1/web/?${parameters}`)

/** The one bad parameter of a request, with at least one meaningful message. */
async function expectRefused(parameters: string, name: string): Promise<string> {
  const { status, json } = await web(parameters)
  expect(status).toBe(400)
  expect(Object.keys(json)).toEqual([name])
  expect(json[name].length).toBeGreaterThan(0)
  for (const message of json[name]) expect(message).toMatch(/\w.*\.$/)
  return json[name].join(' ')
}

const askedOf = (slug: string) => server.sandbox.calls(slug).at(-1)?.query ?? {}

describe('q', () => {
  it.each([
    ['missing', ''],
    ['empty', 'q='],
    ['spaces only', 'q=%20%20'],
    ['tabs, line breaks and no-break spaces only', 'q=%09%0A%C2%A0%E2%80%83'],
  ])('400: q %s', async (_name, parameters) => {
    await expectRefused(parameters, 'q')
  })

  it('400: q sent twice', async () => {
    await expectRefused('q=one&q=two', 'q')
  })

  it('may have 500 characters, but not 501', async () => {
    expect((await web(`q=${'x'.repeat(500)}`)).status).toBe(200)
    expect(await expectRefused(`q=${'x'.repeat(501)}`, 'q')).toContain('500')
  })

  it('counts code points: a bird outside the basic plane is one character', async () => {
    expect((await web(`q=${encodeURIComponent('🐦'.repeat(500))}`)).status).toBe(200)
    await expectRefused(`q=${encodeURIComponent('🐦'.repeat(501))}`, 'q')
  })

  it('is trimmed of white space', async () => {
    const { status, json } = await web(`q=${encodeURIComponent(` \t${'y'.repeat(500)}\n `)}`)
    expect(status).toBe(200)
    expect(json.query).toBe('y'.repeat(500))
  })

  it.each(['c++ & c# = 50 % off?', '"exact words" -not site:example.org', 'naïve 鳥 🐦', '<b>&amp;</b>', "o'neil; --"])(
    'reaches the engines and the response unchanged: %s',
    async (text) => {
      const { json } = await web(`q=${encodeURIComponent(text)}`)
      expect(json.query).toBe(text)
      expect(askedOf('brave')['q']).toBe(text)
      expect(askedOf('mojeek')['q']).toBe(text)
      expect(askedOf('marginalia')['query']).toBe(text)
    },
  )

  it('a plus in the URL is a space', async () => {
    expect((await web('q=bower+bird')).json.query).toBe('bower bird')
  })
})

describe('engine', () => {
  const ALL = ['engine_a', 'engine_b', 'engine_c']

  it.each([
    ['', ALL],
    ['&engine=', ALL],
    ['&engine=all', ALL],
    ['&engine=ALL', ALL],
    ['&engine=engine_a', ['engine_a']],
    ['&engine=engine_b', ['engine_b']],
    ['&engine=engine_c', ['engine_c']],
    ['&engine=Engine_B', ['engine_b']],
    ['&engine=engine_a,engine_b', ['engine_a', 'engine_b']],
    ['&engine=engine_a%20engine_b', ['engine_a', 'engine_b']],
    ['&engine=engine_a+engine_b', ['engine_a', 'engine_b']],
    ['&engine=engine_a,%20engine_b,', ['engine_a', 'engine_b']],
    ['&engine=engine_c,engine_a', ['engine_a', 'engine_c']],
    ['&engine=engine_b,engine_b,ENGINE_B', ['engine_b']],
    ['&engine=engine_b,all', ALL],
    ['&engine=engine_c&engine=engine_b', ['engine_b', 'engine_c']],
  ])('"%s" queries %j', async (parameter, engines) => {
    server.sandbox.reset()
    const { status, json } = await web(`q=${freshQuery()}${parameter}`)
    expect(status).toBe(200)
    expect(json.engine).toEqual(engines)
    const asked = ['brave', 'mojeek', 'marginalia'].filter((slug) => server.sandbox.callCount(slug) === 1)
    expect(asked).toHaveLength(engines.length)
  })

  it.each(['engine_d', 'brave', 'engine_a;engine_b', 'engine_a,nosuch', 'all,nosuch', '__proto__'])(
    '400: unknown engine %s, and the message lists the valid ones',
    async (engine) => {
      const message = await expectRefused(`q=climate&engine=${encodeURIComponent(engine)}`, 'engine')
      for (const valid of [...ALL, 'all']) expect(message).toContain(valid)
    },
  )
})

describe('safe', () => {
  const isAdult = ({ title }: { title: string }) => title.includes('adults only')

  it.each(['', '&safe=on', '&safe='])('"%s" hides adult pages from every engine', async (parameter) => {
    const { json } = await web(`q=${freshQuery()}${parameter}`)
    expect(json.results.some(isAdult)).toBe(false)
    expect([askedOf('brave')['safesearch'], askedOf('mojeek')['safe'], askedOf('marginalia')['nsfw']]).toEqual([
      'strict',
      '1',
      '2',
    ])
  })

  it.each(['off', 'false', '0', 'no'])('%s means off', async (value) => {
    const { json } = await web(`q=${freshQuery()}&safe=${value}`)
    expect(json.results.some(isAdult)).toBe(true)
    expect([askedOf('brave')['safesearch'], askedOf('mojeek')['safe'], askedOf('marginalia')['nsfw']]).toEqual([
      'off',
      '0',
      '0',
    ])
  })

  it.each(['maybe', '2', '-1', 'offf', 'on,off', 'null', 'constructor', '__proto__', 'toString'])(
    '400: %s is not a value of safe',
    async (value) => {
      await expectRefused(`q=climate&safe=${value}`, 'safe')
    },
  )

  it('400: safe sent twice', async () => {
    await expectRefused('q=climate&safe=on&safe=off', 'safe')
  })
})

describe('lang', () => {
  it('without it the language is automatic: no engine is sent one', async () => {
    for (const parameter of ['', '&lang=']) {
      await web(`q=${freshQuery()}${parameter}`)
      expect(askedOf('brave')).not.toHaveProperty('search_lang')
      expect(askedOf('mojeek')).not.toHaveProperty('lb')
      expect(askedOf('marginalia')).not.toHaveProperty('lang')
    }
  })

  it.each(['en', 'de', 'EN', 'pt-BR', 'zh-Hant-TW', 'gsw'])('%s is accepted', async (lang) => {
    expect((await web(`q=${freshQuery()}&lang=${lang}`)).status).toBe(200)
  })

  it('reaches the engines that support languages', async () => {
    await web(`q=${freshQuery()}&lang=de`)
    expect(askedOf('brave')['search_lang']).toBe('de')
    expect(askedOf('mojeek')['lb']).toBe('DE')
  })

  it('an engine without that language is skipped, and reported', async () => {
    const { json, headers } = await web(`q=${freshQuery()}&lang=de`)
    expect(json.engine).toEqual(['engine_a', 'engine_b'])
    expect(headers.get('engine-status')).toContain('engine_c;skipped;for=lang')
  })

  it.each(['e', 'english', 'en-', '-en', 'e1', 'en us', '*', 'de;q=0.9', '../etc'])(
    '400: %s is not a language tag',
    async (lang) => {
      await expectRefused(`q=climate&lang=${encodeURIComponent(lang)}`, 'lang')
    },
  )

  it('400: lang sent twice', async () => {
    await expectRefused('q=climate&lang=en&lang=de', 'lang')
  })
})

describe('page', () => {
  it('defaults to 1, the first page', async () => {
    const q = freshQuery()
    const { json } = await web(`q=${q}`)
    expect(json.page).toBe(1)
    expect((await web(`q=${q}&page=1`)).json).toEqual(json)
  })

  it('1 to 50 are all answered with their own number', async () => {
    const q = freshQuery()
    for (let page = 1; page <= 50; page++) {
      const { status, json } = await web(`q=${q}&page=${page}`)
      expect([status, json.page]).toEqual([200, page])
    }
  })

  it('page 2 continues where page 1 ended', async () => {
    const q = freshQuery()
    const urls = async (page: number) =>
      (await web(`q=${q}&page=${page}&engine=engine_a`)).json.results.map(({ url }: { url: string }) => url)
    const [first, second] = [await urls(1), await urls(2)]
    expect(second).toHaveLength(10)
    expect(second.filter((url: string) => first.includes(url))).toEqual([])
    expect(askedOf('brave')['offset']).toBe('1')
  })

  it('past the last page of every engine: 200, no results, complete, and no provider is called', async () => {
    server.sandbox.reset()
    const { status, json, headers } = await web(`q=${freshQuery()}&page=50`)
    expect(status).toBe(200)
    expect(json).toMatchObject({ page: 50, results: [], correction: '' })
    expect(headers.get('search-status')).toBe('complete')
    expect(headers.get('engine-status')).toContain('engine_a;skipped;for=page')
    expect(server.sandbox.callCount('brave')).toBe(0)
  })

  it.each(['abc', '1.5', '0', '-1', '51', '+', '1e1', '0x1', '１', 'NaN', '99999999999999999999', '1,2'])(
    '400: "%s" is not a page',
    async (page) => {
      expect(await expectRefused(`q=climate&page=${encodeURIComponent(page)}`, 'page')).toMatch(/1 to 50/)
    },
  )

  it('400: page sent twice', async () => {
    await expectRefused('q=climate&page=1&page=2', 'page')
  })
})

describe('date', () => {
  it.each([
    ['d', 'pd', /^day$/],
    ['w', 'pw', /^\d{8}$/],
    ['m', 'pm', /^month$/],
    ['y', 'py', /^year$/],
  ])('%s filters at the engines', async (date, freshness, since) => {
    await web(`q=${freshQuery()}&date=${date}`)
    expect(askedOf('brave')['freshness']).toBe(freshness)
    expect(askedOf('mojeek')['since']).toMatch(since)
  })

  it.each(['', '&date='])('"%s" means no time filter', async (parameter) => {
    const { json } = await web(`q=${freshQuery()}${parameter}`)
    expect(askedOf('brave')).not.toHaveProperty('freshness')
    expect(askedOf('mojeek')).not.toHaveProperty('since')
    expect(json.engine).toContain('engine_c')
  })

  it('d returns nothing older than a day', async () => {
    const { json } = await web('q=climate&date=d')
    expect(json.results.length).toBeGreaterThan(0)
    for (const { age } of json.results) expect(age).toMatch(/second|minute|hour|^1 day ago/)
  })

  it('an engine that cannot filter by date is skipped, and reported', async () => {
    const { json, headers } = await web(`q=${freshQuery()}&date=w`)
    expect(json.engine).toEqual(['engine_a', 'engine_b'])
    expect(headers.get('engine-status')).toContain('engine_c;skipped;for=date')
    expect(headers.get('search-status')).toBe('complete')
  })

  it('if no selected engine can filter, the response is empty and unsupported', async () => {
    const { status, json, headers } = await web(`q=${freshQuery()}&date=w&engine=engine_c`)
    expect(status).toBe(200)
    expect(json).toMatchObject({ engine: [], results: [] })
    expect(headers.get('search-status')).toBe('unsupported')
  })

  it.each(['x', 'day', 'D', 'dw', '1', 'constructor'])('400: %s is not a date', async (date) => {
    await expectRefused(`q=climate&date=${date}`, 'date')
  })

  it('400: date sent twice', async () => {
    await expectRefused('q=climate&date=d&date=w', 'date')
  })
})

describe('all parameters together', () => {
  it('400: all bad parameters are reported together, keyed by name', async () => {
    const { status, json } = await web('engine=nosuch&safe=maybe&lang=!!&page=zero&date=never')
    expect(status).toBe(400)
    expect(Object.keys(json).sort()).toEqual(['date', 'engine', 'lang', 'page', 'q', 'safe'])
    for (const messages of Object.values<string[]>(json)) expect(messages.length).toBeGreaterThan(0)
  })

  it('unknown parameters are ignored, even repeated or named like an object member', async () => {
    const plain = await web('q=climate')
    const odd = await web('q=climate&format=xml&callback=run&foo=1&foo=2&__proto__=x&constructor=y&Q=no')
    expect(odd.status).toBe(200)
    expect(odd.json).toEqual(plain.json)
  })
})
