import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAnswerBox } from '../search/answer-box.test-harness.ts'
import { resultsPage } from '../search/results-page.ts'
import type { SiteStage } from '../site.test-harness.ts'
import { toolPages } from './tool-pages.ts'
import { callsOf, TOOLS, toolCalledBy } from './tools.ts'

/** The tool on a page, or ''. */
const toolIn = (body: string): string => /<section class="answer tool"[\s\S]*?<\/section>/.exec(body)?.[0] ?? ''

describe('the names of tools', () => {
  const calls = TOOLS.flatMap((tool) => [...new Set(callsOf(tool))].map((call) => ({ call, tool })))

  it('open one tool each, in every language of the website', () => {
    const seen = calls.map(({ call }) => call)
    expect(seen.filter((call, at) => seen.indexOf(call) !== at)).toEqual([])
    for (const tool of TOOLS) expect([tool.name, Object.keys(tool.calls).length]).toEqual([tool.name, 8])
  })

  it.each(calls)('$call is compared in the form in which queries are', ({ call, tool }) => {
    expect(toolCalledBy(call)).toBe(tool)
  })

  it('are not among ordinary queries', () => {
    const file = new URL('../../../../answers/src/ordinary-queries.txt', import.meta.url)
    const ordinary = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => !line.startsWith('# '))
    expect(ordinary.length).toBeGreaterThan(5_000)
    expect(ordinary.filter((query) => toolCalledBy(query))).toEqual([])
  })

  it.each([
    ['  StopWatch ', 'stopwatch'],
    ['stop  watch', 'stopwatch'],
    ['chronometre', 'stopwatch'],
    ['CRONÓMETRO', 'stopwatch'],
    ['Timer', 'timer'],
    ['Zeichenzähler', 'text-counter'],
    ['Générateur de mots de passe', 'password'],
    ['generador de frases de contrasena', 'passphrase'],
    ['QR-Code erstellen', 'qr-code'],
  ])('%s opens a tool', (query, name) => {
    expect(toolCalledBy(query)?.name).toBe(name)
  })

  it.each([
    '',
    'stopwatch app',
    'best stopwatch',
    'stopwatches',
    'stopwatch site:example.org',
    'time',
    'x'.repeat(500),
  ])('%s opens none', (query) => {
    expect(toolCalledBy(query)).toBeUndefined()
  })

  it('are not taken by the tool server for programs', () => {
    const taken = 'search answer cards find_place translate suggest read openapi.json'.split(' ')
    expect(TOOLS.map(({ name }) => name).filter((name) => taken.includes(name))).toEqual([])
  })
})

describe('a tool', () => {
  let stage: SiteStage
  beforeAll(async () => {
    stage = await openAnswerBox({ pages: [resultsPage, ...toolPages] })
  })
  afterAll(() => stage.close())
  const get = async (path: string) => (await stage.browser().get(path)).body

  it('is listed', async () => {
    const body = await get('/tools')
    for (const { name } of TOOLS) expect(body).toContain(`href="/tools/${name}"`)
  })

  it.each(TOOLS.map(({ name }) => name))('%s has a page, with its script and its stylesheet', async (name) => {
    const { statusCode, body } = await stage.browser().get(`/tools/${name}`)
    expect([statusCode, toolIn(body) === '']).toEqual([200, false])
    expect(body).toContain('/assets/tools.')
    const script = TOOLS.find((tool) => tool.name === name)?.script
    if (script) expect(body).toContain(`/assets/tools/${script}.`)
  })

  it('stands above the results of a search for its name, and its script is loaded only there', async () => {
    const body = await get('/search?q=Chronom%C3%A8tre')
    expect(toolIn(body)).toContain('href="/tools/stopwatch"')
    expect(body).toContain('/assets/tools/stopwatch.')
    expect(body).toContain('class="result-link"')
    const other = await get('/search?q=climate')
    expect(other).not.toContain('/assets/tools')
    expect(toolIn(await get('/search?q=stopwatch&page=2'))).toBe('')
    expect(toolIn(await get('/search?q=stopwatch&tab=news'))).toBe('')
  })

  it('stands there even if no engine answers', async () => {
    const broken = await openAnswerBox({ engines: { brave: { fails: 'timeout' }, mojeek: { fails: 'timeout' } } })
    const { statusCode, body } = await broken.browser().get('/search?q=stopwatch')
    await broken.close()
    expect([statusCode, toolIn(body) === '']).toEqual([503, false])
    expect(body).toContain('/assets/tools/stopwatch.')
  })

  it('is what `timer 90 minutes` shows, with its length set', async () => {
    const shown = toolIn(await get('/search?q=timer+90+minutes'))
    expect(shown).toContain('data-tool="timer"')
    expect(shown).toContain('>1:30:00</p>')
    expect(
      [...shown.matchAll(/name="([hms])"[^>]* value="(\d+)"/g)].map(([, name, value]) => `${value}${name}`),
    ).toEqual(['1h', '30m', '0s'])
  })

  it('the stopwatch is written as its script writes it', async () => {
    const { body } = await stage.browser().get('/tools/stopwatch', { 'accept-language': 'de' })
    expect([toolIn(await get('/tools/stopwatch')).includes('>0:00.0<'), toolIn(body).includes('>0:00,0<')]).toEqual([
      true,
      true,
    ])
  })

  it('that needs a script says so without it, and the timer when it would end', async () => {
    expect(toolIn(await get('/tools/stopwatch'))).toMatch(/<noscript>.*needs JavaScript.*<\/noscript>/s)
    const { clock } = { clock: Date.now() }
    const shown = toolIn(await get('/tools/timer?m=90'))
    const times = [clock, Date.now()].map((now) => new Date(now + 90 * 60_000).toISOString().slice(11, 16))
    expect(times.map((time) => `it would end at ${time} UTC.`)).toContainEqual(
      /it would end at .*? UTC\./.exec(shown)?.[0],
    )
  })

  it.each([
    ['', '5:00'],
    ['?h=1&m=2&s=3', '1:02:03'],
    ['?m=x&s=-1', '0:00'],
    ['?h=25&m=1440', '24:00:00'],
    ['?m=5&m=6', '5:00'],
  ])('/tools/timer%s is set to %s', async (query, time) => {
    expect(toolIn(await get(`/tools/timer${query}`))).toContain(`>${time}</p>`)
  })

  const madeIn = (body: string) => /data-value><noscript>([^<]*)</.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? ''

  it.each([
    ['', /^\S{20}$/, '124 bits'],
    ['?length=12&digits=on', /^\d{12}$/, '39 bits'],
    ['?length=9999&lower=on', /^[a-z]{128}$/, '601 bits'],
    ['?length=1&lower=on&upper=on', /^[a-zA-Z]{8}$/, '45 bits'],
    ['?length=20', /^$/, 'Choose at least one kind of character.'],
  ])('/tools/password%s makes one of that kind, which no browser stores', async (query, form, strength) => {
    const { body, headers } = await stage.browser().get(`/tools/password${query}`)
    expect(madeIn(body)).toMatch(form)
    expect(toolIn(body)).toContain(strength)
    expect(headers['cache-control']).toBe('no-store')
  })

  it('above the results has a password that no browser stores, either', async () => {
    const { headers, body } = await stage.browser().get('/search?q=password+generator')
    expect(headers['cache-control']).toBe('no-store')
    expect(madeIn(body)).toHaveLength(20)
    expect(madeIn(await get('/search?q=password+generator'))).not.toBe(madeIn(body))
  })

  it('makes passphrases of words, and tells the script where the words are', async () => {
    const { body, headers } = await stage.browser().get('/tools/passphrase?words=8')
    expect(madeIn(body)).toMatch(/^[a-z]+(?:-[a-z]+){7}$/)
    expect([toolIn(body).includes('88 bits'), headers['cache-control']]).toEqual([true, 'no-store'])
    const list = await get(/data-words="([^"]+)"/.exec(body)?.[1] ?? '')
    expect(list.trim().split('\n')).toHaveLength(2_048)
  })

  it('counts a text that is sent in the body, and shows it again', async () => {
    const { statusCode, headers, body } = await stage
      .browser()
      .submit('/tools/text-counter', { text: 'Two words.\r\n<b>' })
    expect([statusCode, headers['cache-control']]).toEqual([200, 'no-store'])
    const counts = [...toolIn(body).matchAll(/data-count-of="(\w+)">([^<]+)</g)].map(
      ([, name, count]) => `${name} ${count}`,
    )
    expect(counts).toEqual(['characters 14', 'words 3', 'sentences 2', 'lines 2', 'bytes 14', 'reading 1 second'])
    expect(body).toContain('Two words.\n&lt;b&gt;</textarea>'.replace('\n', '\r\n'))
  })

  it('draws a QR code of a text that is sent in the body, to look at and to download', async () => {
    const { body } = await stage.browser().submit('/tools/qr-code', { text: ' https://example.com/?a=1&b=2 ' })
    const [, picture = ''] = /<img class="qr-picture" src="data:image\/svg\+xml,([^"]+)"/.exec(toolIn(body)) ?? []
    const svg = decodeURIComponent(picture)
    // Black on white, whatever the theme.
    expect(svg).toMatch(/^<svg [^>]*><path fill="#fff" d="M0 0h\d+v\d+H0z"\/><path d="M/)
    expect(toolIn(body)).toContain(`href="data:image/svg+xml,${picture}" download="qr-code.svg"`)
    expect(toolIn(body)).toContain('alt="QR code')
  })

  it('draws none of a text that is empty or too long, and says why', async () => {
    expect(toolIn((await stage.browser().submit('/tools/qr-code', { text: '  ' })).body)).not.toContain('<img')
    const long = toolIn((await stage.browser().submit('/tools/qr-code', { text: 'ä'.repeat(501) })).body)
    expect(long).not.toContain('<img')
    expect(long).toContain('At most 1,000 bytes')
  })
})
