import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { openAnswerBox } from '../search/answer-box.test-harness.ts'
import { resultsPage } from '../search/results-page.ts'
import type { SiteStage } from '../site.test-harness.ts'
import { toolPages } from './tool-pages.ts'
import { callsOf, TOOLS, toolCalledBy } from './tools.ts'

/** The tool on a page, or ''. */
const toolIn = (body: string): string => /<section class="answer tool"[\s\S]*?<\/section>/.exec(body)?.[0] ?? ''

describe('the names of tools', () => {
  const calls = TOOLS.flatMap((tool) => [...new Set(callsOf(tool))].map((call) => ({ call, tool })))

  it('open one tool each, in eight languages', () => {
    const seen = calls.map(({ call }) => call)
    expect(seen.filter((call, at) => seen.indexOf(call) !== at)).toEqual([])
    for (const tool of TOOLS) {
      expect(tool.name).toEqual(tool.name)
      expect(Object.keys(tool.calls)).toHaveLength(8)
    }
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
    ['  CountDown Timer ', 'timer'],
    ['set  timer', 'timer'],
    ['temporizador en linea', 'timer'],
    ['KALKULATOR', 'calculator'],
    ['Währungsrechner', 'currency'],
    ['Générateur de QR code', 'qr-code'],
    ['QR-Code erstellen', 'qr-code'],
  ])('%s opens a tool', (query, name) => {
    expect(toolCalledBy(query)?.name).toBe(name)
  })

  it.each([
    '',
    'timer app',
    'best timer',
    'timers',
    'timer site:example.org',
    'password generator',
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
    stage = await openAnswerBox({ pages: [resultsPage, toolPages] })
  })
  const get = async (path: string) => (await stage.browser().get(path)).body

  it('is listed', async () => {
    const body = await get('/tools')
    for (const { name } of TOOLS) expect(body).toContain(`href="/tools/${name}"`)
  })

  it.each(TOOLS.map(({ name }) => name))('%s has a page, with its script and its stylesheet', async (name) => {
    const { status, body } = await stage.browser().get(`/tools/${name}`)
    expect(status).toBe(200)
    expect(toolIn(body)).not.toBe('')
    expect(body).toContain('/assets/tools.')
    const script = TOOLS.find((tool) => tool.name === name)?.script
    if (script) expect(body).toContain(`/assets/tools/${script}.`)
  })

  it('stands above the results of a search for its name, and its script is loaded only there', async () => {
    const body = await get('/search?q=Temporizador+en+l%C3%ADnea')
    expect(toolIn(body)).toContain('href="/tools/timer"')
    expect(body).toContain('/assets/tools/timer.')
    expect(body).toContain('class="result-link"')
    const other = await get('/search?q=climate')
    expect(other).not.toContain('/assets/tools')
    expect(toolIn(await get('/search?q=timer&page=2'))).toBe('')
    expect(toolIn(await get('/search?q=timer&tab=news'))).toBe('')
  })

  it('stands there even if no engine answers', async () => {
    const broken = await openAnswerBox({ engines: { brave: { fails: 'timeout' }, mojeek: { fails: 'timeout' } } })
    const { status, body } = await broken.browser().get('/search?q=timer')
    expect(status).toBe(503)
    expect(toolIn(body)).not.toBe('')
    expect(body).toContain('/assets/tools/timer.')
  })

  it('is what `timer 90 minutes` shows, with its length set', async () => {
    const shown = toolIn(await get('/search?q=timer+90+minutes'))
    expect(shown).toContain('data-tool="timer"')
    expect(shown).toContain('>1:30:00</p>')
    expect(
      [...shown.matchAll(/name="([hms])"[^>]* value="(\d+)"/g)].map(([, name, value]) => `${value}${name}`),
    ).toEqual(['1h', '30m', '0s'])
  })

  it('that needs a script says so without it, and the timer when it would end', async () => {
    const { clock } = { clock: Date.now() }
    const shown = toolIn(await get('/tools/timer?m=90'))
    expect(shown).toMatch(/<noscript>.*needs JavaScript.*<\/noscript>/s)
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

  it('draws a QR code of a text that is sent in the body, to look at and to download, and no browser stores it', async () => {
    const { body, headers } = await stage.browser().submit('/tools/qr-code', { text: ' https://example.com/?a=1&b=2 ' })
    const [, picture = ''] = /<img class="qr-picture" src="data:image\/svg\+xml,([^"]+)"/.exec(toolIn(body)) ?? []
    const svg = decodeURIComponent(picture)
    expect(headers['cache-control']).toBe('no-store')
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
