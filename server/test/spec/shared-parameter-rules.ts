// The shared parameters as rules for any tab: what each accepts, means and rejects, down to the
// provider requests. The instance has the default slots, and an engine_d that also serves the tab.
import { describe, expect, it } from 'vitest'
import type { TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'

type Parameters = Record<string, string | undefined>

interface TabRules {
  tab: 'images' | 'news' | 'videos'
  server: () => TestInstance
  /** The slug of engine_c's provider, and its name for the query parameter. */
  other: { slug: string; q: string }
  /** The parameters that Brave and the other provider must be sent; undefined means no such parameter. */
  asks: {
    safe: { on: [Parameters, Parameters]; off: [Parameters, Parameters] }
    page2: [Parameters, Parameters]
    /** The other provider is skipped if it lacks the language. */
    german: [Parameters, Parameters | 'skipped']
  }
  /** Engines without a page 50. */
  endBefore50: string[]
}

interface Asking extends TabRules {
  ask: (parameters: string) => ReturnType<TestInstance['api']['get']>
  /** The query of the last call to a provider. */
  askedOf: (slug: string) => Parameters
}

const ALL = ['engine_a', 'engine_c', 'engine_d']

export function describeSharedParameters(rules: TabRules): void {
  const asking: Asking = {
    ...rules,
    ask: (parameters) => rules.server().api.get(`/api/v1/${rules.tab}/?${parameters}`),
    askedOf: (slug) => rules.server().sandbox.calls(slug).at(-1)?.query ?? {},
  }
  describe('q', () => describeQuery(asking))
  describe('engine', () => describeEngine(asking))
  describe('safe', () => describeSafe(asking))
  describe('lang', () => describeLang(asking))
  describe('page', () => describePage(asking))
}

function describeQuery(asking: Asking): void {
  const { ask, askedOf, other } = asking

  it.each(['c++ & c# = 50 % off?', '"exact words" -not', 'naïve 鳥 🐦', '<b>&amp;</b>'])(
    'reaches the engines and the response unchanged: %s',
    async (text) => {
      const { json } = await ask(`q=${encodeURIComponent(`  ${text} `)}`)
      expect(json.query).toBe(text)
      expect(askedOf('brave')['q']).toBe(text)
      expect(askedOf(other.slug)[other.q]).toBe(text)
    },
  )
}

function describeEngine(asking: Asking): void {
  const { ask, server, other } = asking

  it.each([
    ['', ALL],
    ['&engine=all', ALL],
    ['&engine=engine_c,all', ALL],
    ['&engine=engine_a', ['engine_a']],
    ['&engine=ENGINE_C', ['engine_c']],
    ['&engine=engine_c,engine_a', ['engine_a', 'engine_c']],
    ['&engine=engine_c+engine_a', ['engine_a', 'engine_c']],
    ['&engine=engine_a,engine_a', ['engine_a']],
    ['&engine=engine_b,engine_c', ['engine_c']],
  ])('"%s" queries only %j', async (parameter, engines) => {
    server().sandbox.reset()
    const { status, json } = await ask(`q=${freshQuery()}${parameter}`)
    expect([status, json.engine]).toEqual([200, engines])
    expect(server().sandbox.callCount('brave')).toBe(engines.includes('engine_a') ? 1 : 0)
    expect(server().sandbox.callCount(other.slug)).toBe(engines.includes('engine_c') ? 1 : 0)
  })

  it('503: only a known engine whose provider does not serve this tab is selected', async () => {
    const { status, json } = await ask(`q=${freshQuery()}&engine=engine_b`)
    expect(status).toBe(503)
    expect(json).toEqual({ detail: expect.stringContaining('engine_b') })
  })
}

function describeSafe(asking: Asking): void {
  const { ask, askedOf, other, asks } = asking
  const titles = async (parameter: string): Promise<string> => {
    const { json } = await ask(`q=${freshQuery()}${parameter}`)
    expect(json.results.length).toBeGreaterThan(0)
    return json.results.map(({ title }: { title: string }) => title).join('\n')
  }

  it.each(['', '&safe=on', '&safe='])('"%s" hides adult content from every engine', async (parameter) => {
    expect(await titles(parameter)).not.toContain('adults only')
    expect(askedOf('brave')).toMatchObject(asks.safe.on[0])
    expect(askedOf(other.slug)).toMatchObject(asks.safe.on[1])
  })

  it.each(['off', 'false', '0', 'no', 'OFF'])('%s means off', async (value) => {
    expect(await titles(`&safe=${value}`)).toContain('adults only')
    expect(askedOf('brave')).toMatchObject(asks.safe.off[0])
    expect(askedOf(other.slug)).toMatchObject(asks.safe.off[1])
  })
}

function describeLang(asking: Asking): void {
  const { ask, askedOf, other, asks, server } = asking
  const [ofBrave, ofOther] = asks.german

  it('without it no engine is sent a language', async () => {
    for (const parameter of ['', '&lang=']) {
      await ask(`q=${freshQuery()}${parameter}`)
      for (const name of Object.keys(ofBrave)) expect(askedOf('brave')).not.toHaveProperty([name])
      if (ofOther === 'skipped') continue
      for (const name of Object.keys(ofOther)) expect(askedOf(other.slug)).not.toHaveProperty([name])
    }
  })

  it('reaches the engines that support the language; others are skipped, and reported', async () => {
    server().sandbox.reset()
    const { json, headers } = await ask(`q=${freshQuery()}&lang=de`)
    expect(askedOf('brave')).toMatchObject(ofBrave)
    expect(headers.get('search-status')).toBe('complete')
    if (ofOther === 'skipped') {
      expect(server().sandbox.callCount(other.slug)).toBe(0)
      expect(json.engine).toEqual(['engine_a', 'engine_d'])
      expect(headers.get('engine-status')).toContain('engine_c;skipped;for=lang')
    } else {
      expect(json.engine).toEqual(ALL)
      expect(askedOf(other.slug)).toMatchObject(ofOther)
    }
  })
}

function describePage(asking: Asking): void {
  const { ask, askedOf, other, asks, server, endBefore50 } = asking

  it('defaults to 1', async () => {
    const q = freshQuery()
    const { json } = await ask(`q=${q}`)
    expect(json.page).toBe(1)
    expect((await ask(`q=${q}&page=1`)).json).toEqual(json)
  })

  it.each(['engine_a', 'engine_c'])('2 continues where 1 ended, at %s', async (engine) => {
    const q = freshQuery()
    const urls = async (page: number): Promise<string[]> => {
      const { json } = await ask(`q=${q}&engine=${engine}&page=${page}`)
      expect(json.page).toBe(page)
      return json.results.map(({ url }: { url: string }) => url)
    }
    const [first, second] = [await urls(1), await urls(2)]
    expect([first.length, second.length]).toEqual([10, 10])
    expect(second.filter((url) => first.includes(url))).toEqual([])
    if (engine === 'engine_a') expect(askedOf('brave')).toMatchObject(asks.page2[0])
    else expect(askedOf(other.slug)).toMatchObject(asks.page2[1])
  })

  it('50 is answered; an engine that ends before is skipped, and reported', async () => {
    server().sandbox.reset()
    const { status, json, headers } = await ask(`q=${freshQuery()}&page=50`)
    expect([status, json.page]).toEqual([200, 50])
    expect(headers.get('search-status')).toBe('complete')
    for (const engine of endBefore50) expect(headers.get('engine-status')).toContain(`${engine};skipped;for=page`)
    expect(server().sandbox.callCount('brave')).toBe(0)
    expect(server().sandbox.callCount(other.slug)).toBe(endBefore50.includes('engine_c') ? 0 : 1)
  })
}

/** What is rejected before any engine is selected: the same code for every tab, so one tab is enough. */
export function describeRefusals(rules: Pick<TabRules, 'tab' | 'server'>): void {
  const ask = (parameters: string) => rules.server().api.get(`/api/v1/${rules.tab}/?${parameters}`)
  /** The one bad parameter of a request, with at least one meaningful message. */
  const expectRefused = async (parameters: string, name: string): Promise<string> => {
    const { status, json } = await ask(parameters)
    expect(status).toBe(400)
    expect(Object.keys(json)).toEqual([name])
    for (const message of json[name]) expect(message).toMatch(/\w.*\.$/)
    return json[name].join(' ')
  }

  it.each([
    ['missing', ''],
    ['empty', 'q='],
    ['only white space', 'q=%20%09%C2%A0'],
    ['given twice', 'q=one&q=two'],
    ['with 501 characters', `q=${'x'.repeat(501)}`],
  ])('400: q %s', async (_name, parameters) => {
    await expectRefused(parameters, 'q')
  })

  it('with 500 characters is accepted', async () => {
    expect((await ask(`q=${'x'.repeat(500)}`)).status).toBe(200)
  })

  it.each(['engine_e', 'brave', 'engine_a;engine_c', 'all,nosuch', '__proto__'])(
    '400: unknown engine %s, and the message lists the valid ones',
    async (engine) => {
      const message = await expectRefused(`q=climate&engine=${encodeURIComponent(engine)}`, 'engine')
      for (const valid of [...ALL, 'all']) expect(message).toContain(valid)
    },
  )

  it.each(['maybe', '2', 'on,off', 'constructor'])('400: %s is not a value of safe', async (value) => {
    await expectRefused(`q=climate&safe=${value}`, 'safe')
  })

  it.each(['en', 'EN', 'pt-BR', 'zh-Hant-TW'])('%s is accepted', async (lang) => {
    expect((await ask(`q=${freshQuery()}&lang=${lang}`)).status).toBe(200)
  })

  it.each(['english', '*', 'de;q=0.9'])('400: %s is not a language tag', async (lang) => {
    await expectRefused(`q=climate&lang=${encodeURIComponent(lang)}`, 'lang')
  })

  it.each(['abc', '1.5', '0', '-1', '51', '1e1'])('400: "%s" is not a page', async (page) => {
    expect(await expectRefused(`q=climate&page=${page}`, 'page')).toMatch(/1 to 50/)
  })

  it('400: all bad parameters are reported together, keyed by name', async () => {
    const { status, json } = await ask('engine=nosuch&safe=maybe&lang=!!&page=zero&include=nosuch&date=never')
    expect(status).toBe(400)
    const names = ['engine', 'include', 'lang', 'page', 'q', 'safe']
    expect(Object.keys(json).sort()).toEqual(names)
  })

  it('unknown parameters are ignored', async () => {
    const plain = await ask('q=climate')
    const odd = await ask('q=climate&format=xml&foo=1&foo=2&__proto__=x&size=large')
    expect([odd.status, odd.json]).toEqual([200, plain.json])
  })
}

/** Not for images, which have no time filter. */
export function describeDate(
  rules: Pick<TabRules, 'tab' | 'server'> & { since: (asked: Parameters) => unknown },
): void {
  const { tab, server, since } = rules
  const ask = (parameters: string) => server().api.get(`/api/v1/${tab}/?${parameters}`)
  const asked = (slug: string): Parameters => server().sandbox.calls(slug).at(-1)?.query ?? {}
  const slug = tab === 'news' ? 'hackernews' : 'sepiasearch'

  it.each([
    ['d', 'pd', 1],
    ['w', 'pw', 7],
    ['m', 'pm', 31],
    ['y', 'py', 366],
  ])('%s filters at the engines', async (date, freshness, mostDays) => {
    const { headers } = await ask(`q=${freshQuery()}&date=${date}`)
    expect(headers.get('search-status')).toBe('complete')
    expect(asked('brave')['freshness']).toBe(freshness)
    const days = (Date.now() - Number(since(asked(slug)))) / 86_400_000
    // Some support only whole days, so they may reach back to the start of the first one.
    expect(days).toBeGreaterThanOrEqual(mostDays * 0.85)
    expect(days).toBeLessThan(mostDays + 1.1)
  })

  it.each(['', '&date='])('"%s" means no time filter', async (parameter) => {
    await ask(`q=${freshQuery()}${parameter}`)
    expect(asked('brave')).not.toHaveProperty('freshness')
    expect(since(asked(slug))).toBeNaN()
  })

  it('d returns nothing older than a day', async () => {
    const { json } = await ask('q=climate&date=d&engine=engine_a')
    expect(json.results.length).toBeGreaterThan(0)
    for (const { age } of json.results) expect(age).toMatch(/minute|hour|^1 day ago/)
  })

  it.each(['x', 'day', 'D', '1'])('400: %s is not a date', async (date) => {
    const { status, json } = await ask(`q=climate&date=${date}`)
    expect([status, Object.keys(json)]).toEqual([400, ['date']])
  })
}
