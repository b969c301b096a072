import { ALL_ANSWERS } from '@bowerbird/answers/all.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import type { SiteStage } from '../site.test-harness.ts'
import { answerIn, openAnswerBox } from './answer-box.test-harness.ts'

const day = (date: string, rest = {}) => ({ date, code: 61, high: 6.6, low: -0.4, precipitation: 26, ...rest })
const FORECAST = {
  zone: 'Europe/Paris',
  current: {
    time: '2026-11-15T13:00',
    code: 45,
    temperature: -0.4,
    feelsLike: -3.2,
    humidity: 57,
    wind: 22.1,
    isDay: true,
  },
  days: [day('2026-11-15'), day('2026-11-16', { code: 95 }), day('2026-11-17', { precipitation: null, high: null })],
  hours: [],
}

const SENSES = [{ definition: 'Luck <b>found</b>.', examples: ['By "serendipity".'] }]

let stage: SiteStage
beforeAll(async () => {
  stage = await openAnswerBox({
    sayings: {
      'openmeteo forecast': FORECAST,
      'wiktionary definitions': [{ lang: 'en', language: 'English', partOfSpeech: 'Noun', senses: SENSES }],
    },
    translate: async ({ target }) => ({ text: 'bon<i>jour', source: 'en', target }),
  })
})

const ask = async (text: string, lang = '') => {
  const { body } = await stage.browser().get(`/search?q=${encodeURIComponent(text)}${lang && `&lang=${lang}`}`)
  return answerIn(body)
}

describe('an instant answer', () => {
  it('shows the question as it was understood, the value large, and copies the exact result', async () => {
    const shown = await ask('2^70')
    expect(shown).toContain('<p class="answer-question" dir="auto">2^70 =</p>')
    expect(shown).toContain(
      '<p class="answer-value answer-short" dir="auto">1,<wbr>180,<wbr>591,<wbr>620,<wbr>717,<wbr>411,<wbr>303,<wbr>424</p>',
    )
    expect(shown).toContain('data-copy="1180591620717411303424" data-copied="Copied">Copy</button>')
  })

  it('an expression without a result is explained, with nothing to copy', async () => {
    const shown = await ask('1/0')
    expect(shown).toContain('1 / 0')
    expect(shown).not.toContain('data-copy')
  })

  it.each([
    ['5 in to cm', '5 in =', '12.7 cm'],
    ['time in tokyo', 'Tokyo', '21:00'],
    ['capital of france', 'Capital of France', 'Paris'],
    ['element gold', 'Gold (Au)', 'atomic number 79, atomic mass 196.967'],
    ['#1e90ff', '#1e90ff =', 'rgb(30, 144, 255)'],
    ['hello in french', 'hello in French', 'bon&lt;i&gt;jour'],
  ])('%s: the question is "%s", the value "%s"', async (searchQuery, question, value) => {
    const shown = await ask(searchQuery)
    expect(shown).toContain(`<p class="answer-question" dir="auto">${question}</p>`)
    expect(shown).toMatch(new RegExp(`<p class="answer-value [^>]*>${value.replace(/[()]/g, '\\$&')}</p>`))
  })

  it('text for programs is copied exactly and set as code', async () => {
    const shown = await ask('base64 encode "a b"')
    expect(shown).toContain('<p class="answer-question" dir="auto">Base64 of &quot;a b&quot;</p>')
    expect(shown).toContain('answer-code" dir="auto">YSBi</p>')
    expect(shown).toContain('data-copy="YSBi"')
  })

  it('a password is shown without its remark, which is below', async () => {
    const shown = await ask('random password 20')
    expect(shown).toMatch(/answer-code" dir="auto">[^<]{20,80}<\/p>\s*<p class="answer-note" dir="auto">20 characters,/)
  })

  it('a colour swatch needs no inline style', async () => {
    const shown = await ask('#1e90ff')
    expect(shown).toContain('fill="#1e90ff"')
    expect(shown).not.toContain('style=')
    expect(shown).toContain('<dt>OKLCH</dt>')
  })

  it('a QR code is an image with alternative text, not inline markup', async () => {
    const shown = await ask('qr "<script>"')
    expect(shown).toContain('src="data:image/svg+xml,%3Csvg')
    expect(shown).toContain('alt="QR code for “&lt;script&gt;”"')
    expect(shown).not.toMatch(/<svg|<path|<script/)
  })

  it('a definition lists its senses and names its source', async () => {
    const shown = await ask('define serendipity')
    expect(shown).toContain('>serendipity</p>')
    expect(shown).toContain(
      '<li><bdi>Luck &lt;b&gt;found&lt;/b&gt;.</bdi><br><bdi class="quiet">By &quot;serendipity&quot;.',
    )
    expect(shown).toContain('href="https://en.wiktionary.org/wiki/serendipity"')
  })

  it('further details are in a collapsed list', async () => {
    const shown = await ask('sha256 hello')
    expect(shown).toContain('<details class="answer-more"><summary>Details</summary>')
    expect(shown).toContain('<dt>Bytes</dt><dd dir="auto">5</dd>')
    expect(shown).not.toContain('<dt>Input</dt>')
  })

  it('regional holidays name their regions, except in a region’s own list', async () => {
    const uk = await ask('bank holidays uk 2026')
    expect(uk).toContain('<dd dir="auto">St Andrew’s Day <span class="quiet">Scotland</span></dd>')
    expect(uk).toContain('<dd dir="auto">Good Friday</dd>')
    const scotland = await ask('bank holidays scotland 2026')
    expect(scotland).toContain('>Public holidays, Scotland (United Kingdom) 2026</p>')
    expect(scotland).toContain('<dd dir="auto">St Andrew’s Day</dd>')
    expect(scotland).not.toContain('answer-source')
    expect(await ask('public holidays japan 2026')).toMatch(/\(nationwide\)<\/p>[\s\S]*answer-source/)
  })

  it('the next holiday is the value, and earlier regional ones are a note', async () => {
    const shown = await ask('next bank holiday uk')
    expect(shown).toContain('dir="auto">Christmas Day, Friday, 25 December 2026 (40 days, UTC)</p>')
    expect(shown).toContain('<p class="answer-note" dir="auto">regional: 30 Nov St Andrew’s Day (Scotland)</p>')
  })

  it('how a figure was understood is below it', async () => {
    expect(await ask('sin(30)')).toMatch(/>−0\.988031624092862<\/p>\s*<p class="answer-note" dir="auto">radians<\/p>/)
    const year = await ask('how many days in a year')
    expect(year).toMatch(/>365 or 366 d<\/p>\s*<p class="answer-note" dir="auto">365\.2425 on average<\/p>/)
  })

  it('details are written as the reader’s language writes them', async () => {
    const browser = stage.browser()
    browser.cookies.set('bowerbird_preferences', 'interface=de')
    const { body } = await browser.get(`/search?q=${encodeURIComponent('Hauptstadt von Frankreich')}`)
    const shown = answerIn(body)
    expect(shown).toContain('<dt>Sprachen</dt><dd dir="auto">Französisch</dd>')
    expect(shown).toMatch(/<dt>Fläche in km²<\/dt><dd dir="auto">\d{3}\.\d{3}<\/dd>/)
    expect(shown).toMatch(/<dt>Jahr der Angabe<\/dt><dd dir="auto">\d{4}<\/dd>/)
  })
})

describe('the weather', () => {
  it('shows the current weather, and a line for each day', async () => {
    const shown = await ask('weather in Paris')
    expect(shown).toContain('<p class="answer-question" dir="auto">Paris</p>')
    expect(shown).toContain('>0°C</p>')
    expect(shown).toContain('>Fog, feels_like_−3°C, humidity_57%, wind_22_km/h</p>'.replaceAll('_', '\u00a0'))
    expect(shown.match(/<tr><th scope="row">/g)).toHaveLength(3)
    expect(shown).toMatch(
      /<th scope="row">Today<\/th><td>Light rain<\/td>\s*<td class="number"><span title="Chance of rain">26%<\/span><\/td><td class="number"><bdi dir="ltr">0° \/ 7°/,
    )
  })

  it('for tomorrow shows tomorrow', async () => {
    const shown = await ask('weather in Paris tomorrow')
    expect(shown).toContain('>Paris, Monday 16 November</p>')
    expect(shown).toContain('>0°C / 7°C</p>')
    expect(shown).toContain('>Thunderstorm · Chance of rain\u00a026%</p>')
  })

  it('leaves out missing figures', async () => {
    expect(await ask('weather in Paris')).toMatch(
      /Tue<\/th><td>Light rain<\/td>\s*<td class="number"><\/td><td class="number"><bdi dir="ltr"><\/bdi><\/td>/,
    )
  })
})

describe('every kind of answer', () => {
  const examples = ALL_ANSWERS.flatMap(({ slug, examples }) => examples.map(({ q, lang = '' }) => ({ slug, q, lang })))

  it('is shown with a value', async () => {
    const bare: string[] = []
    let count = 0
    for (const { slug, q, lang } of examples) {
      const shown = await ask(q, lang)
      const isShown = /<p class="answer-value [^>]*>[^<]/.test(shown)
      if (isShown) count++
      if (shown !== '' && !isShown) bare.push(`${slug}: ${q}`)
    }
    expect(bare).toEqual([])
    // Some have sources that say nothing here.
    expect(count).toBeGreaterThan(examples.length * 0.8)
  })
})
