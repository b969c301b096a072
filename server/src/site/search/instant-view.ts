// An instant answer above the results: the value large, the question as understood above it, and a copy button. All of
// it is text from us or a data source, never markup.
//
// Most answers are shown by splitting their text; VIEWS lists the types that need more. Each view is typed by its answer,
// so using a field that the answer no longer has doesn't compile.
import type { InstantAnswer } from '@bowerbird/answers/answers.ts'
import type { currency } from '@bowerbird/answers/live/currency.ts'
import type { dictionaryDefinition } from '@bowerbird/answers/live/dictionary-definition.ts'
import type { translation } from '@bowerbird/answers/live/translation.ts'
import type { weather } from '@bowerbird/answers/live/weather.ts'
import type { calculator } from '@bowerbird/answers/numbers/calculator.ts'
import type { units } from '@bowerbird/answers/numbers/units.ts'
import type { passphrase } from '@bowerbird/answers/random/passphrase.ts'
import type { password } from '@bowerbird/answers/random/password.ts'
import type { uuid } from '@bowerbird/answers/random/uuid.ts'
import type { countryFacts } from '@bowerbird/answers/reference/country-facts.ts'
import type { ownIp } from '@bowerbird/answers/reference/own-ip.ts'
import type { base64 } from '@bowerbird/answers/text/base64.ts'
import type { colour } from '@bowerbird/answers/text/colour.ts'
import type { hash } from '@bowerbird/answers/text/hash.ts'
import type { htmlEntities } from '@bowerbird/answers/text/html-entities.ts'
import type { morse } from '@bowerbird/answers/text/morse.ts'
import type { qrCode } from '@bowerbird/answers/text/qr-code.ts'
import type { rot13 } from '@bowerbird/answers/text/rot13.ts'
import type { urlEncoding } from '@bowerbird/answers/text/url-encoding.ts'
import type { publicHolidays } from '@bowerbird/answers/time/public-holidays.ts'
import type { worldClock } from '@bowerbird/answers/time/world-clock.ts'
import type { z } from 'zod'
import { type Html, html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { findText, type Words } from '../i18n/messages.ts'
import { copyButton } from '../parts/notice.ts'
import { changeLink } from '../tools/change-links.ts'
import { TOOLS_PATH } from '../tools/define-tool.ts'
import {
  breakable,
  colourNote,
  details,
  factList,
  moneyParts,
  type ShownAnswer,
  sizeOf,
  splitAnswer,
  sumParts,
  unitParts,
} from './instant-parts.ts'
import { weatherView } from './instant-weather.ts'
import { externalLink, shortened } from './result-parts.ts'

const MAX_VALUE_LENGTH = 3_000

interface AnswerPlace {
  /** The URL of the same answer for the reader's own time zone, for the script; '' for none. */
  localAnswerAddress?: string
  /** The language of the search; '' for none. */
  lang?: string
}

export function instantView(
  context: PageContext,
  answer: InstantAnswer,
  { localAnswerAddress = '', lang = '' }: AnswerPlace = {},
): Html {
  const view = Object.hasOwn(VIEWS, answer.type) ? VIEWS[answer.type] : undefined
  const shown = view ? view(answer, context) : plainAnswer(context, answer)
  return render(context, { ...shown, change: changeLink(answer, lang) }, localAnswerAddress)
}

const plainAnswer = (context: PageContext, answer: InstantAnswer): ShownAnswer => ({
  ...splitAnswer(answer.text),
  body: details(answer, context),
  ...sourceOf(answer),
})

/** Answers with a source call it `attribution`: a text, or a text and a URL. */
function sourceOf({ attribution }: InstantAnswer): Pick<ShownAnswer, 'source'> {
  if (typeof attribution === 'string') return { source: { text: attribution, url: '' } }
  const { text, url } = (attribution ?? {}) as { text?: unknown; url?: unknown }
  return typeof text === 'string' ? { source: { text, url: typeof url === 'string' ? url : '' } } : {}
}

function render(context: PageContext, shown: ShownAnswer, localAnswerAddress: string): Html {
  const { words, preferences } = context
  const { question, note, picture, body, source, lang } = shown
  const credit = source && (findText(words.answers.credits, source.text) ?? source.text)
  const value = shortened(shown.value, MAX_VALUE_LENGTH)
  return html`<section class="answer" aria-label="${words.answers.label}"${localAnswerAddress && html` data-here="${localAnswerAddress}" aria-live="polite"`}><h2 class="visually-hidden">${words.answers.label}</h2><div class="answer-head">${picture}<div class="answer-text">
${question && html`<p class="answer-question" dir="auto">${shortened(question, MAX_VALUE_LENGTH)}</p>`}
<p class="answer-value ${sizeOf(shown)}" dir="auto"${lang && html` lang="${lang}"`}>${shown.isCode ? value : breakable(value)}</p>
${note && html`<p class="answer-note" dir="auto">${note}</p>`}</div>${changeOf(context, shown)}${copyOf(context, shown)}</div>
${body}${source && html`<p class="answer-source">${source.url === '' ? credit : html`<a ${externalLink(source.url, preferences)}>${credit}</a>`}</p>`}</section>`
}

const copyOf = ({ words: { frame } }: PageContext, { value, copy = value }: ShownAnswer): Html | false =>
  copy !== '' && copyButton(copy, frame)

const changeOf = ({ words: { converters }, hasPage }: PageContext, { change = '' }: ShownAnswer): Html | false =>
  change !== '' && hasPage(TOOLS_PATH) && html`<a class="button button-plain" href="${change}">${converters.change}</a>`

type View = (answer: InstantAnswer, context: PageContext) => ShownAnswer

/** An answer as its declaration describes it. */
type AnswerOf<Answer extends { reply: z.ZodObject }> = z.output<Answer['reply']> & InstantAnswer

/**
 * The cast is safe: the `type` of an answer identifies its declaration, but the type checker can't see that through the
 * table.
 */
const view = <Answer extends { reply: z.ZodObject }>(
  show: (answer: AnswerOf<Answer>, context: PageContext) => ShownAnswer,
): View => show as View

/** Text to paste into a program. The rest of the answer's text goes above and below it. */
const code = <Answer extends { reply: z.ZodObject }>(output: (answer: AnswerOf<Answer>) => string): View =>
  view<Answer>((answer, context) => {
    const value = output(answer)
    const { text } = answer
    if (value === '') return { value: text, copy: '' }
    const before = text.endsWith(value) ? text.slice(0, -value.length).replace(/[:\s]{1,3}$/, '') : ''
    const after = text.startsWith(value) ? text.slice(value.length).replace(/^ \((.{1,200})\)$/, '$1') : ''
    return { question: before, value, note: after, isCode: true, body: details(answer, context) }
  })

const MAX_SENSE_LENGTH = 500
const HEX_COLOUR = /^#[\da-f]{6}(?:[\da-f]{2})?$/i

const VIEWS: Readonly<Record<string, View>> = {
  calculator: view<typeof calculator>(sumParts),
  units: view<typeof units>(unitParts),
  currency: view<typeof currency>(moneyParts),
  weather: view<typeof weather>(weatherView),
  world_clock: view<typeof worldClock>(({ text, place }) => {
    // `Tokyo: 13:13, Sunday, 15 November 2026 (JST, UTC+9)`.
    const [clock = '', ...date] = text
      .slice(place.length)
      .replace(/^\s?:\s/, '')
      .split(', ')
    return { ...(place !== '' && { question: place }), value: clock, note: date.join(', '), copy: text }
  }),
  colour: view<typeof colour>((answer, { words, locale }) => {
    const { hex, forms, ...contrast } = answer
    const { value, ...rest } = splitAnswer(answer.text)
    const ratio = (number: number) => `${new Intl.NumberFormat(locale).format(number)} : 1`
    const facts = Object.entries({ hex, ...forms }).map(([space, written]) => ({
      label: space.toUpperCase(),
      value: written,
    }))
    return {
      ...rest,
      value: value.split(' = ')[0] ?? value,
      note: colourNote(answer),
      picture: HEX_COLOUR.test(hex) ? swatch(hex) : html``,
      body: html`<details class="answer-more"><summary>${words.answers.details}</summary>${factList([
        ...facts,
        { label: words.answers.onWhite, value: ratio(contrast.contrast_with_white) },
        { label: words.answers.onBlack, value: ratio(contrast.contrast_with_black) },
      ])}</details>`,
    }
  }),
  qr_code: view<typeof qrCode>(({ content, svg }, { words }) => {
    // As an image, in which nothing can run, rather than as our own markup.
    const source = `data:image/svg+xml,${encodeURIComponent(svg)}`
    const label = words.answers.qrCode({ content: shortened(content, 100) })
    const body = html`<img class="qr-picture" src="${source}" alt="${label}" width="176" height="176">`
    return { value: content, isCode: true, body }
  }),
  translation: view<typeof translation>(({ text, translation: value, target }) => ({
    question: splitAnswer(text).question ?? '',
    value,
    lang: target,
  })),
  dictionary_definition: view<typeof dictionaryDefinition>(({ word, entries, attribution }, { words }) => ({
    value: word,
    copy: '',
    body: senses(entries, words.answers),
    source: attribution,
  })),
  public_holidays: view<typeof publicHolidays>(holidaysView),
  country_facts: view<typeof countryFacts>((answer, context) => {
    const { countries, type, query, text } = answer
    const [country, ...others] = countries
    const isSingle = country && others.length === 0
    return { ...splitAnswer(text), body: isSingle && details({ ...country, type, query, text }, context) }
  }),
  hash: code<typeof hash>(({ hex }) => hex),
  base64: code<typeof base64>(({ output }) => output),
  url_encoding: code<typeof urlEncoding>(({ output }) => output),
  html_entities: code<typeof htmlEntities>(({ output }) => output),
  rot13: code<typeof rot13>(({ output }) => output),
  morse: code<typeof morse>(({ output }) => output),
  uuid: code<typeof uuid>(({ uuids }) => uuids.join('\n')),
  password: code<typeof password>(({ password: chosen }) => chosen),
  passphrase: code<typeof passphrase>(({ passphrase: chosen }) => chosen),
  own_ip: code<typeof ownIp>(({ ip }) => ip),
}

type Entries = AnswerOf<typeof dictionaryDefinition>['entries']

const senses = (entries: Entries, { partsOfSpeech }: Words['answers']): Html =>
  html`${entries.map(
    ({ part_of_speech: part, senses }) =>
      html`<h3 class="answer-part">${findText(partsOfSpeech, part.toLowerCase()) ?? part}</h3><ol class="senses" lang="en">${senses.map(
        ({ definition, examples: [example] }) =>
          html`<li><bdi>${shortened(definition, MAX_SENSE_LENGTH)}</bdi>${example && html`<br><bdi class="quiet">${shortened(example, MAX_SENSE_LENGTH)}</bdi>`}</li>`,
      )}</ol>`,
  )}`

/** An SVG, because our policy forbids inline styles. The hairline makes white visible on white. */
const swatch = (hex: string): Html =>
  html`<svg class="swatch" viewBox="0 0 48 48" aria-hidden="true"><rect x="0.5" y="0.5" width="47" height="47" rx="6" fill="${hex}"/></svg>`

type Holidays = AnswerOf<typeof publicHolidays>

/** From this many regions on, they are shown by their codes. */
const MANY_REGIONS = 7

/** The next holiday large, or a list for a year. Regional holidays name their regions. */
function holidaysView(answer: Holidays, { locale }: PageContext): ShownAnswer {
  const { text, holidays, is_next: isNext, attribution } = answer
  const { question = '', value } = splitAnswer(text)
  const source = attribution.url !== '' && { source: attribution }
  if (isNext) {
    const [next = value, ...regional] = value.split(/ ?; /)
    return { question, value: next, note: regional.join('; '), copy: text, ...source }
  }
  const days = new Intl.DateTimeFormat(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  })
  const facts = holidays.map(({ date, name, regions }) => ({
    label: days.format(Date.parse(date)),
    value: html`${name}${regions.length > 0 && html` <span class="quiet">${namesOf(regions, answer)}</span>`}`,
  }))
  return { value: question, copy: text, body: factList(facts), ...source }
}

const namesOf = (codes: readonly string[], { regions }: Holidays): string => {
  if (regions.length >= MANY_REGIONS) return codes.join(', ')
  return codes.map((code) => regions.find((region) => region.code === code)?.name ?? code).join(', ')
}
