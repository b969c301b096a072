import { ALL_ANSWERS } from '@bowerbird/answers/all.ts'
import { createAnswers } from '@bowerbird/answers/answers.ts'
import { unitsByKind } from '@bowerbird/answers/numbers/units/unit-table.ts'
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { playedSources, type Sayings } from '../played-sources.test-harness.ts'
import { openAnswerBox } from '../search/answer-box.test-harness.ts'
import { resultsPage } from '../search/results-page.ts'
import { type SiteStage, textOf } from '../site.test-harness.ts'
import { toolPages } from './tool-pages.ts'

const PAGES = [resultsPage, toolPages]
const SAYINGS: Sayings = {
  'ecb daily': { date: '2026-11-13', rates: { USD: '1.1568', GBP: '0.876', JPY: '170.10', KWD: '0.35514' } },
  'frankfurter rates': [],
  'frankfurter series': [
    { date: '2026-11-10', rate: '0.86' },
    { date: '2026-11-11', rate: '0.85' },
    { date: '2026-11-12', rate: '0.88' },
    { date: '2026-11-13', rate: '0.8645' },
  ],
}

let stage: SiteStage
beforeAll(async () => {
  stage = await openAnswerBox({ pages: PAGES, sayings: SAYINGS })
})

const open = async (path: string, headers: Record<string, string> = {}) =>
  (await stage.browser().get(path, headers)).body

const outputIn = (body: string, name = 'result'): string => {
  const rest = body.split(`data-output="${name}">`)[1] ?? ''
  return (rest.split(/<form|<ol class="sums"|<div data-output|<\/section>/)[0] ?? '').trim()
}
const shown = async (path: string, headers = {}) =>
  textOf(outputIn(await open(path, headers)))
    .replace(/ (?:Copy|Kopieren)\b/, '')
    .trim()

const copied = (body: string): string => /data-copy="([^"]*)"/.exec(outputIn(body))?.[1] ?? ''

const sum = (text: string) => `/tools/calculator?sum=${encodeURIComponent(text)}`

describe('the calculator', () => {
  it.each([
    ['0.1+0.2', '0.1 + 0.2 = 0.3'],
    ['2^10*(3+4)', '2^10 × (3 + 4) = 7,168'],
    ['12×(3−1)÷4', '12 × (3 - 1) / 4 = 6'],
    ['100-20%', '100 - 20% = 80'],
    // In the search field these are something else.
    ['24/7', '24 / 7 ≈ 3.42857142857143'],
    ['9/11', '9 / 11 ≈ 0.818181818181818'],
    ['5+3=', '5 + 3 = 8'],
    ['5 + 3 = ', '5 + 3 = 8'],
    ['5+3=?', '5 + 3 = 8'],
    ['how much is 5+3?', '5 + 3 = 8'],
    ['2π', '2 × π ≈ 6.28318530717959'],
    ['π', 'π ≈ 3.14159265358979'],
    ['1/0', '1 / 0 is not defined: division by zero.'],
    ['5', 'This can’t be calculated. Perhaps a number or a bracket is missing.'],
    ['2+', 'This can’t be calculated. Perhaps a number or a bracket is missing.'],
    ['hello', 'This can’t be calculated. Perhaps a number or a bracket is missing.'],
    ['<b>1+1</b>', 'This can’t be calculated. Perhaps a number or a bracket is missing.'],
    ['', ''],
  ])('%s: %s', async (typed, text) => {
    expect(await shown(sum(typed))).toBe(text)
  })

  it.each([
    ['1000!', /^4023872600770\d{2555}$/],
    ['2^40', /^1099511627776$/],
    ['5-8', /^-3$/],
    ['sin(0)', /^0$/],
  ])('of %s copies all digits, without marks between them', async (typed, digits) => {
    expect(copied(await open(sum(typed), { 'accept-language': 'de' }))).toMatch(digits)
  })

  it('a long result is smaller, and breaks between its groups', async () => {
    expect(outputIn(await open(sum('2^100')))).toContain('answer-medium" dir="auto">1,<wbr>267,<wbr>650')
  })

  it('reads and writes numbers as the reader’s language does, and so do its keys', async () => {
    const german = { 'accept-language': 'de' }
    expect(await shown(sum('1.000,5 + 1'), german)).toBe('1.000,5 + 1 = 1.001,5')
    expect(await open('/tools/calculator', german)).toContain('data-key-insert=",">,')
  })
})

describe('the unit converter', () => {
  it.each([
    ['kind=length&amount=5&from=in&to=cm', '5 in = 12.7 cm'],
    ['kind=length&amount=12.7&from=in&to=cm&swap=on', '12.7 cm = 5 in'],
    ['kind=temperature&amount=-40&from=%C2%B0C&to=%C2%B0F', '-40 °C = −40 °F'],
    ['kind=temperature&amount=-300&from=%C2%B0C&to=K', '-300 °C does not exist: absolute zero is -273.15 °C.'],
    ['kind=fuel_economy&amount=0&from=L%2F100+km&to=mpg+(US)', 'This value has no equivalent in that unit.'],
    ['kind=mass&amount=1e3&from=g&to=kg', '1,000 g = 1 kg'],
    ['kind=length&amount=1e100&from=m&to=km', '1 × 10^100 m = 1 × 10^97 km'],
    ['kind=length&amount=five', 'Enter an amount in digits.'],
    ['kind=nonsense&from=x', '1 mi = 1.609344 km'],
    ['', '1 mi = 1.609344 km'],
  ])('%s: %s', async (query, text) => {
    expect(await shown(`/tools/units?${query}`)).toBe(text)
  })

  it.each([...unitsByKind().keys()])('%s has a name and at least two units', async (kind) => {
    const body = await open(`/tools/units?kind=${kind}`)
    expect(body).toContain(`<option value="${kind}" selected>`)
    expect(outputIn(body)).toContain('answer-value')
  })

  it.each([
    ['kind=volume&amount=1&from=L&to=gal+(US)', '0.2641720524 gal (US)'],
    ['kind=length&amount=180&from=cm&to=ft', '5.905511811 ft (5 ft 10.87 in)'],
    ['kind=temperature&amount=-40&from=%C2%B0C&to=%C2%B0F', '-40 °F'],
  ])('%s: copies %s', async (query, value) => {
    expect(copied(await open(`/tools/units?${query}`))).toBe(value)
  })

  it('takes the brackets of a unit for no remark, and nor does the instant answer', async () => {
    const tool = await open('/tools/units?kind=volume&amount=1&from=L&to=gal+(US)')
    for (const body of [tool, await open('/search?q=1+l+in+gallons')])
      expect(body).toContain('>0.2641720524 gal (US)</p>')
  })

  it('doesn’t call the acceleration of gravity a gram', async () => {
    expect(await open('/tools/units?kind=acceleration')).toMatch(/<option value="g"[^>]*>g<\/option>/)
    expect(await open('/tools/units?kind=mass')).toContain('g · grams')
  })

  it('names units in the reader’s language where Intl does', async () => {
    expect(await open('/tools/units')).toContain('km · kilometres')
    expect(await open('/tools/units', { 'accept-language': 'fr' })).toContain('km · kilomètres')
  })
})

describe('the currency converter', () => {
  it.each([
    ['amount=100&from=USD&to=EUR', '100 USD ≈ 86.45 EUR European Central Bank, 13 November 2026 © ecb'],
    ['amount=100&from=EUR&to=USD&swap=on', '100 USD ≈ 86.45 EUR European Central Bank, 13 November 2026 © ecb'],
    ['amount=5&from=usd&to=jpy', '5 USD ≈ 735 JPY European Central Bank, 13 November 2026 © ecb'],
    ['amount=5&from=EUR&to=EUR', 'Choose two different currencies.'],
    ['amount=1e16', 'This amount is too large to convert.'],
    ['amount=1e100', 'This amount is too large to convert.'],
    ['amount=ten', 'Enter an amount in digits.'],
    ['amount=5&from=EUR&to=AMD', 'There is no exchange rate for these two currencies.'],
    ['from=NOPE', '1 EUR = 1.1568 USD European Central Bank, 13 November 2026 © ecb'],
  ])('%s: %s', async (query, text) => {
    expect(await shown(`/tools/currency?${query}`)).toBe(text)
  })

  it('has the chosen currencies on both sides, so that they can be swapped', async () => {
    const body = await open('/tools/currency?from=KWD&to=ARS')
    for (const code of ['KWD', 'ARS']) expect(body.split(`<option value="${code}"`)).toHaveLength(3)
  })

  it('shows past rates as a line, and in words', async () => {
    const past = outputIn(await open('/tools/currency?from=USD&to=EUR&days=30'), 'past')
    expect(textOf(past)).toContain(
      'First 0.86 10 Nov 2026 Last 0.8645 13 Nov 2026 Highest 0.88 12 Nov 2026 Lowest 0.85 11 Nov 2026 © frankfurter',
    )
    expect(past).toContain('viewBox="0 0 3 60"')
    expect(past).toContain('d="M0 38.7L1 56L2 4L3 30.9"')
    expect(past).toContain('days=30" aria-current="true">30 days')
  })

  it('a rate that never changed is a line in the middle', async () => {
    const flat = [
      { date: '2026-11-12', rate: '7.46' },
      { date: '2026-11-13', rate: '7.46' },
    ]
    const other = await openAnswerBox({ pages: PAGES, sayings: { ...SAYINGS, 'frankfurter series': flat } })
    const { body } = await other.browser().get('/tools/currency')
    expect(body).toContain('d="M0 30L1 30"')
  })

  it('says so if rates can’t be fetched, and still shows the form', async () => {
    const fault = new UpstreamError('unreachable', 'out of order')
    const broken = await openAnswerBox({
      pages: PAGES,
      sayings: { 'ecb daily': fault, 'frankfurter rates': fault, 'frankfurter series': fault },
    })
    const { status, body } = await broken.browser().get('/tools/currency?amount=5&from=USD&to=EUR')
    expect(status).toBe(200)
    expect(textOf(outputIn(body))).toContain('The exchange rates could not be fetched.')
    expect(textOf(outputIn(body, 'past'))).toContain('so there is no chart')
    expect(body).toContain('<option value="USD" selected>')
  })

  it('above the results it asks nobody until it is used', async () => {
    const asked: string[] = []
    const spy = (name: string) => () => {
      asked.push(name)
      return SAYINGS[name]
    }
    const sayings = { 'ecb daily': spy('ecb daily'), 'frankfurter series': spy('frankfurter series') }
    const watched = await openAnswerBox({ pages: PAGES, sayings })
    expect((await watched.browser().get('/search?q=currency+converter')).body).toContain('data-tool="currency"')
    expect(asked).toEqual([])
    await watched.browser().get('/tools/currency')
    expect(asked.toSorted()).toEqual(['ecb daily', 'frankfurter series'])
  })
})

describe('the page of a converter gives what the instant answer gives', () => {
  const answers = createAnswers({
    answers: ALL_ANSWERS,
    find: playedSources(SAYINGS),
    translate: undefined,
    startDeadline: () => createDeadline(5_000),
    clock: () => Date.UTC(2026, 10, 15, 12),
    random: () => 0,
    onError: (_answer, error) => {
      throw error
    },
  })
  const answerTo = async (text: string) => {
    const given = await answers.answer({ text, lang: 'en', client: { ip: '' } })
    return given?.answer.text.replace(/ \((.{1,200})\)$/, ' $1').replace(/([=≈]) -/, '$1 −')
  }
  const amounts = fc
    .tuple(fc.integer({ min: 2, max: 99_999 }), fc.integer({ min: 0, max: 99 }))
    .map(([whole, rest]) => (rest === 0 ? String(whole) : `${whole}.${String(rest).padStart(2, '0')}`))

  it('units', async () => {
    const pairs = [
      ['length', 'km', 'mi'],
      ['length', 'yd', 'cm'],
      ['mass', 'lb', 'kg'],
      ['data', 'GiB', 'MB'],
      ['energy', 'kWh', 'MJ'],
      ['pressure', 'psi', 'kPa'],
      ['speed', 'mph', 'm/s'],
    ] as const
    await fc.assert(
      fc.asyncProperty(amounts, fc.constantFrom(...pairs), async (amount, [kind, from, to]) => {
        const query = new URLSearchParams({ kind, amount, from, to })
        expect(await shown(`/tools/units?${query.toString()}`)).toBe(await answerTo(`${amount} ${from} to ${to}`))
      }),
      { numRuns: 60 },
    )
  })

  it('money', async () => {
    const codes = fc.uniqueArray(fc.constantFrom('EUR', 'USD', 'GBP', 'JPY', 'KWD'), { minLength: 2, maxLength: 2 })
    await fc.assert(
      fc.asyncProperty(amounts, codes, async (amount, [from = '', to = '']) => {
        const query = new URLSearchParams({ amount, from, to })
        expect(await shown(`/tools/currency?${query.toString()}`)).toBe(
          `${await answerTo(`${amount} ${from} to ${to}`)} © ecb`,
        )
      }),
      { numRuns: 60 },
    )
  })
})

describe('the colour picker', () => {
  it.each(['dodgerblue', '#1E90FF', '1e90ff', 'rgb(30, 144, 255)', 'oklch(0.652 0.1901 253.21)'])(
    'reads %s',
    async (colour) => {
      const body = await open(`/tools/colour?colour=${encodeURIComponent(colour)}`)
      expect(body).toContain('type="color" value="#1e90ff"')
      expect(textOf(outputIn(body)).replaceAll(' Copy', '')).toContain(
        'HEX #1e90ff RGB rgb(30, 144, 255) HSL hsl(210, 100%, 56%) OKLCH oklch(0.652 0.1901 253.21) Contrast on white 3.24 : 1 Contrast on black 6.49 : 1',
      )
    },
  )

  it.each([
    ['fff', '#ffffff'],
    ['FFFFFF', '#ffffff'],
    ['eee', '#eeeeee'],
    ['aabbcc', '#aabbcc'],
    ['facade', '#facade'],
    ['aabbccdd', '#aabbccdd'],
    // The name of a colour wins.
    ['red', '#ff0000'],
  ])('reads %s as %s', async (typed, hex) => {
    expect(outputIn(await open(`/tools/colour?colour=${typed}`))).toContain(`>${hex}</code>`)
  })

  it('says that a colour is out of range, as the instant answer does', async () => {
    expect(await open('/tools/colour?colour=rgb(300,0,0)')).toContain('>red, rgb(300,0,0) is out of range, clamped</p>')
  })

  it.each(['', 'not a colour', 'face it', 'abcde', '#12', '"><script>'])('is not broken by %s', async (colour) => {
    const body = await open(`/tools/colour?colour=${encodeURIComponent(colour)}`)
    expect(body).toContain('type="color" value="#1f47c4"')
    expect(outputIn(body).includes('not a colour in a notation')).toBe(colour !== '')
  })
})

describe('an instant answer leads to its tool', () => {
  it.each([
    ['5 in to cm', '/tools/units?kind=length&amount=5&from=in&to=cm', '12.7 cm'],
    ['100 usd to eur', '/tools/currency?amount=100&from=USD&to=EUR', '86.45 EUR'],
    ['2^10 * 3', '/tools/calculator?sum=2%5E10+*+3', '3,072'],
    ['#1e90ff', '/tools/colour?colour=%231e90ff', '#1e90ff'],
  ])('%s', async (query, address, value) => {
    const body = await open(`/search?q=${encodeURIComponent(query)}`)
    expect(body).toContain(`href="${address.replaceAll('&', '&amp;')}">Change</a>`)
    expect(textOf(outputIn(await open(address)))).toContain(value)
  })

  it('which reads numbers in the language of the search', async () => {
    const body = await open('/search?q=1.000%2B2.000&lang=de')
    const address = '/tools/calculator?sum=1.000%2B2.000&lang=de'
    expect(body).toContain(`href="${address.replaceAll('&', '&amp;')}">Change</a>`)
    const tool = await open(address)
    expect(textOf(outputIn(tool))).toContain('1.000 + 2.000 = 3.000')
    expect(tool).toContain('<input type="hidden" name="lang" value="de">')
  })

  it('unless there is none for it', async () => {
    expect(await open('/search?q=uuid')).not.toContain('>Change</a>')
  })
})
