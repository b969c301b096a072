import { ALL_ANSWERS } from '@bowerbird/answers/all.ts'
import { describe, expect, it } from 'vitest'
import { answerIn, openAnswerBox } from './answer-box.test-harness.ts'

const day = (date: string, rest = {}) => ({ date, code: 61, high: 6.6, low: -0.4, precipitation: 26, ...rest })
const current = {
  time: '2026-11-15T13:00',
  code: 45,
  temperature: -0.4,
  feelsLike: -3.2,
  humidity: 57,
  wind: 22.1,
  isDay: true,
}
const days = [
  day('2026-11-15'),
  day('2026-11-16', { code: 95 }),
  day('2026-11-17', { precipitation: null, high: null }),
]
const senses = [{ definition: 'Luck <b>found</b>.', examples: ['By "serendipity".'] }]

const { browser } = await openAnswerBox({
  sayings: {
    'openmeteo forecast': { zone: 'Europe/Paris', current, days, hours: [] },
    'wiktionary definitions': [{ lang: 'en', language: 'English', partOfSpeech: 'Noun', senses }],
  },
  translate: async ({ target }) => ({ text: 'bon<i>jour', source: 'en', target }),
})

const ask = async (text: string, lang = '', preferences = '') => {
  const reader = browser()
  if (preferences) reader.cookies.set('bowerbird_preferences', preferences)
  return answerIn((await reader.get(`/search?q=${encodeURIComponent(text)}${lang && `&lang=${lang}`}`)).body)
}

const question = (text: string) => `<p class="answer-question" dir="auto">${text}</p>`
const note = (text: string) => `<p class="answer-note" dir="auto">${text}</p>`

describe('an instant answer', () => {
  it.each<[what: string, q: string, shows: (string | RegExp)[], hides?: RegExp]>([
    [
      'shows the question as it was understood, the value large, and copies the exact result',
      '2^70',
      [
        question('2^70 ='),
        '<p class="answer-value answer-short" dir="auto">1,<wbr>180,<wbr>591,<wbr>620,<wbr>717,<wbr>411,<wbr>303,<wbr>424</p>',
        'data-copy="1180591620717411303424" data-copied="Copied">Copy</button>',
      ],
    ],
    ['explains an expression without a result, with nothing to copy', '1/0', ['1 / 0'], /data-copy/],
    ['converts units', '5 in to cm', [question('5 in ='), '>12.7 cm</p>']],
    ['tells the time', 'time in tokyo', [question('Tokyo'), '>21:00</p>']],
    ['names no place for the reader’s own time', 'what time is it', ['>12:00</p>'], /answer-question/],
    ['knows capitals', 'capital of france', [question('Capital of France'), '>Paris</p>']],
    ['knows elements', 'element gold', [question('Gold (Au)'), '>atomic number 79, atomic mass 196.967</p>']],
    [
      'shows a colour without inline style',
      '#1e90ff',
      ['fill="#1e90ff"', '<dt>OKLCH</dt>', 'rgb(30, 144, 255)'],
      /style=/,
    ],
    ['marks a colour that is out of range', 'rgb(300,0,0)', ['>red, rgb(300,0,0) is out of range, clamped</p>']],
    ['escapes a translation', 'hello in french', [question('hello in French'), '>bon&lt;i&gt;jour</p>']],
    [
      'sets text for programs as code, and copies it exactly',
      'base64 encode "a b"',
      [question('Base64 of &quot;a b&quot;'), 'answer-code" dir="auto">YSBi</p>', 'data-copy="YSBi"'],
    ],
    [
      'shows a password without its remark, which is below',
      'random password 20',
      [/answer-code" dir="auto">[^<]{20,80}<\/p>\s*<p class="answer-note" dir="auto">20 characters,/],
    ],
    [
      'has a QR code as an image with alternative text, not inline markup',
      'qr "<script>"',
      ['src="data:image/svg+xml,%3Csvg', 'alt="QR code for “&lt;script&gt;”"'],
      /<svg|<path|<script/,
    ],
    [
      'lists the senses of a word and names its source',
      'define serendipity',
      [
        '>serendipity</p>',
        '<li><bdi>Luck &lt;b&gt;found&lt;/b&gt;.</bdi><br><bdi class="quiet">By &quot;serendipity&quot;.',
        'href="https://en.wiktionary.org/wiki/serendipity"',
      ],
    ],
    [
      'has further details in a collapsed list',
      'sha256 hello',
      ['<details class="answer-more"><summary>Details</summary>', '<dt>Bytes</dt><dd dir="auto">5</dd>'],
      /<dt>Input<\/dt>/,
    ],
    [
      'lists the holidays of a year',
      'public holidays germany 2026',
      ['>Public holidays, Germany 2026</p>', /<dt>Fri,? 25 Dec<\/dt><dd dir="auto">Christmas Day<\/dd>/],
    ],
    [
      'names the regions of holidays',
      'bank holidays uk 2026',
      ['<dd dir="auto">St Andrew’s Day <span class="quiet">Scotland</span></dd>', '<dd dir="auto">Good Friday</dd>'],
    ],
    [
      'names no region in a region’s own list',
      'bank holidays scotland 2026',
      ['>Public holidays, Scotland (United Kingdom) 2026</p>', '<dd dir="auto">St Andrew’s Day</dd>'],
      /answer-source/,
    ],
    ['says where holidays come from', 'public holidays japan 2026', [/\(nationwide\)<\/p>[\s\S]*answer-source/]],
    [
      'has the next holiday as the value, and earlier regional ones as a note',
      'next bank holiday uk',
      [
        'dir="auto">Christmas Day, Friday, 25 December 2026 (40 days, UTC)</p>',
        note('regional: 30 Nov St Andrew’s Day (Scotland)'),
      ],
    ],
    ['says below a figure how it was understood', 'sin(30)', ['>−0.988031624092862</p>', note('radians')]],
    ['notes an average', 'how many days in a year', ['>365 or 366 d</p>', note('365.2425 on average')]],
    [
      'explains an impossible conversion, with nothing to copy',
      '-300 c in f',
      ['>-300 °C does not exist: absolute zero is -273.15 °C.</p>'],
      /data-copy/,
    ],
    [
      'shows the current weather, and a line for each day without missing figures, and credits the source',
      'weather in Paris',
      [
        question('Paris'),
        '>0°C</p>',
        '>Fog, feels_like_−3°C, humidity_57%, wind_22_km/h</p>'.replaceAll('_', '\u00a0'),
        /<th scope="row">Today<\/th><td>Light rain<\/td>\s*<td class="number"><span title="Chance of rain">26%<\/span><\/td><td class="number"><bdi dir="ltr">0° \/ 7°/,
        /Tue<\/th><td>Light rain<\/td>\s*<td class="number"><\/td><td class="number"><bdi dir="ltr"><\/bdi><\/td>/,
        '<a href="https://openmeteo.example">© openmeteo</a>',
      ],
    ],
    [
      'shows tomorrow’s weather',
      'weather in Paris tomorrow',
      ['>Paris, Monday 16 November</p>', '>0°C / 7°C</p>', '>Thunderstorm · Chance of rain\u00a026%</p>'],
    ],
    ['shows the weather of a weekday', 'weather monday paris', ['>Paris, Monday 16 November</p>']],
  ])('%s', async (_, q, shows, hides) => {
    const shown = await ask(q)
    for (const part of shows) expect(shown).toMatch(part)
    if (hides) expect(shown).not.toMatch(hides)
  })

  it('is in the language of the search, with details as the reader’s language writes them', async () => {
    expect(await ask('0,1+0,2', 'de')).toContain('0,3</p>')
    const shown = await ask('Hauptstadt von Frankreich', '', 'interface=de')
    expect(shown).toContain('<dt>Sprachen</dt><dd dir="auto">Französisch</dd>')
    expect(shown).toMatch(/<dt>Fläche in km²<\/dt><dd dir="auto">\d{3}\.\d{3}<\/dd>/)
    expect(shown).toMatch(/<dt>Jahr der Angabe<\/dt><dd dir="auto">\d{4}<\/dd>/)
  })
})

it('every kind of answer is shown with a value', async () => {
  // Some have sources that say nothing here.
  const bare: string[] = []
  let count = 0
  for (const { slug, examples } of ALL_ANSWERS) {
    const shown = await ask(examples[0]?.q ?? '', examples[0]?.lang)
    if (/<p class="answer-value [^>]*>[^<]/.test(shown)) count += 1
    else if (shown !== '') bare.push(slug)
  }
  expect(bare).toEqual([])
  expect(count).toBeGreaterThan(ALL_ANSWERS.length * 0.8)
})
