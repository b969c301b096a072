// What the calculator and the converters share: an amount in a URL, and a result in the type of an instant answer. Their
// results come from the code of the instant answers, so both always agree. `assets/tools/converter.js` fetches the page
// again while someone types, and puts its `data-output` in place.
import { type Decimal, Exact } from '@bowerbird/answers/lib/numbers.ts'
import { LANGUAGES } from '@bowerbird/answers/question.ts'
import { type Html, html, type Piece } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { copyButton } from '../parts/notice.ts'
import { breakable, type ShownAnswer, sizeOf } from '../search/instant-parts.ts'

/** As a number field sends it, in any language: with a point. */
const AMOUNT = /^-?(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})(?:e[-+]?\d{1,3})?$/i

export const readDecimal = (text: string): Decimal | undefined =>
  AMOUNT.test(text.trim()) ? new Exact(text.trim()) : undefined

/** Answers have texts in seven languages; for another, theirs are in English. */
export const resultLanguage = ({ language }: Pick<PageContext, 'language'>) =>
  LANGUAGES.find((known) => known === language) ?? 'en'

/** The amount of a converter. The browser shows it as its reader writes numbers. */
export const amountField = (label: string, value: string): Html =>
  html`<div class="field tool-amount"><label for="tool-amount">${label}</label><input id="tool-amount" name="amount" type="number" step="any" inputmode="decimal" required value="${value}"></div>`

/** `5 in = 12.7 cm`, with the result large. */
export function resultOf({ words: { frame } }: PageContext, shown: ShownAnswer): Html {
  const { question, value, note, copy = value } = shown
  return html`<div class="answer-head"><div class="answer-text"><p class="answer-question" dir="auto">${question}</p>
<p class="answer-value ${sizeOf(shown)}" dir="auto">${breakable(value)}</p>${note && html`<p class="answer-note" dir="auto">${note}</p>`}</div>
${copyButton(copy, frame)}</div>`
}

/** What may change while someone types, and is said aloud then. */
export const output = (body: Piece): Html =>
  html`<div class="tool-output" role="status" data-output="result">${body}</div>`

export const sentence = (text: string): Html => html`<p class="answer-note">${text}</p>`

export const swapButton = ({ words: { converters } }: PageContext): Html =>
  html`<button type="submit" class="button button-plain" name="swap" value="on" data-swap>${converters.swap}</button>`
