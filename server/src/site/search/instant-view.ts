// An instant answer above the results: the value large, the question as understood above it, and a copy button. All of
// it is text from us or a data source, never markup.
import type { InstantAnswer } from '@bowerbird/answers/answers.ts'
import { type Html, html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { VIEWS } from './instant-kinds.ts'
import { details, type ShownAnswer, takenApart } from './instant-parts.ts'
import { outward } from './result-view-options.ts'
import { shortened } from './shortened.ts'

const LONGEST_VALUE = 3_000
/** Short values are large; sentences are set as text. */
const SHORT = 32
const MEDIUM = 90

/** `here`: where the script finds the same answer for the reader's own time zone, or ''. */
export function instantView(context: PageContext, answer: InstantAnswer, here = ''): Html {
  const view = Object.hasOwn(VIEWS, answer.type) ? VIEWS[answer.type] : undefined
  return draw(context, view ? view(answer, context) : plainly(context, answer), here)
}

const plainly = ({ words }: PageContext, answer: InstantAnswer): ShownAnswer => ({
  ...takenApart(answer.text),
  body: details(answer, words.answers),
  ...sourceOf(answer),
})

/** Answers with a source call it `attribution`: a text, or a text and a URL. */
function sourceOf({ attribution }: InstantAnswer): Pick<ShownAnswer, 'source'> {
  if (typeof attribution === 'string') return { source: { text: attribution, url: '' } }
  const { text, url } = (attribution ?? {}) as { text?: unknown; url?: unknown }
  return typeof text === 'string' ? { source: { text, url: typeof url === 'string' ? url : '' } } : {}
}

function draw(context: PageContext, shown: ShownAnswer, here: string): Html {
  const { words, preferences } = context
  const { question, note, picture, body, source, lang } = shown
  const value = shortened(shown.value, LONGEST_VALUE)
  return html`<section class="answer" aria-label="${words.answers.label}"${here && html` data-here="${here}"`}><div class="answer-head">${picture}<div class="answer-text">
${question && html`<p class="answer-question" dir="auto">${shortened(question, LONGEST_VALUE)}</p>`}
<p class="answer-value ${sizeOf(shown)}" dir="auto"${lang && html` lang="${lang}"`}>${value}</p>
${note && html`<p class="answer-note" dir="auto">${note}</p>`}</div>${copyButton(context, shown)}</div>
${body}${source && html`<p class="answer-source">${source.url === '' ? source.text : html`<a ${outward(source.url, preferences)}>${source.text}</a>`}</p>`}</section>`
}

const sizeOf = ({ value, isCode }: ShownAnswer): string => {
  const size = value.length <= SHORT ? 'answer-short' : value.length <= MEDIUM ? 'answer-medium' : 'answer-long'
  return isCode ? `${size} answer-code` : size
}

function copyButton({ words: { frame } }: PageContext, { value, copy = value }: ShownAnswer): Html | false {
  if (copy === '') return false
  return html`<button type="button" class="button button-plain" data-copy="${copy}" data-copied="${frame.copied}" hidden>${frame.copy}</button>`
}
