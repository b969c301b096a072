// Counts the characters, words and more of a text. With script it counts while one types, and the text goes nowhere;
// without it, the text is sent in the body of a form and is in no URL. Words and sentences are those of the reader's
// language, so that also texts without spaces between words are counted.
import { html } from '../http/html.ts'
import type { Locale } from '../i18n/messages.ts'
import { postForm, textArea } from '../parts/form.ts'
import { WORDS_A_MINUTE } from '../reading/reading-time.ts'
import { defineTool } from './define-tool.ts'

/** Counting takes milliseconds for this much; with script, a text can be longer. */
const MAX_FORM_BYTES = 65_536

export const COUNTS = ['characters', 'words', 'sentences', 'lines', 'bytes'] as const

export const textCounterTool = defineTool({
  name: 'text-counter',
  title: ({ tools }) => tools.counter.title,
  summary: ({ tools }) => tools.counter.summary,
  calls: {
    en: ['word counter', 'character counter', 'letter counter', 'text counter', 'online word counter'],
    fr: ['compteur de mots', 'compteur de caractères', 'compteur de lettres', 'compteur de signes'],
    de: ['wortzähler', 'zeichenzähler', 'wörter zählen', 'zeichen zählen'],
    es: ['contador de palabras', 'contador de caracteres', 'contador de letras'],
    it: ['contatore di parole', 'contatore di caratteri', 'contatore parole', 'contatore caratteri'],
    pt: ['contador de palavras', 'contador de caracteres'],
    nl: ['woordenteller', 'woorden tellen', 'tekens tellen'],
    pl: ['licznik słów', 'licznik znaków'],
  },
  fields: ['text'],
  method: 'POST',
  maxFormBytes: MAX_FORM_BYTES,
  quota: 'search',
  script: 'text-counter',
  view(context, { text }) {
    const { counter } = context.words.tools
    const number = new Intl.NumberFormat(context.locale)
    const counts = countText(text, context.locale)
    const fact = (label: string, name: string, value: string) =>
      html`<div><dt>${label}</dt><dd data-count-of="${name}">${value}</dd></div>`
    const body = html`${textArea({ name: 'text', label: counter.text, value: text, rows: 3 })}
<dl class="tool-counts">${COUNTS.map((name) => fact(counter.counts[name], name, number.format(counts[name])))}
${fact(counter.readingTime({ words: WORDS_A_MINUTE }), 'reading', readingTime(counts.words, context.locale))}</dl>
<noscript><div class="actions"><button type="submit" class="button button-primary">${counter.count}</button></div></noscript>`
    const attributes = html` data-words-per-minute="${WORDS_A_MINUTE}"`
    return postForm(context, { action: '/tools/text-counter', body, attributes })
  },
})

/** Browsers send a line break as two characters; it counts as one, as it does with script. */
export function countText(sent: string, locale: Locale): Record<(typeof COUNTS)[number], number> {
  const text = sent.replaceAll('\r\n', '\n')
  const segments = (granularity: 'grapheme' | 'word' | 'sentence') =>
    Array.from(new Intl.Segmenter(locale, { granularity }).segment(text))
  return {
    characters: segments('grapheme').length,
    words: segments('word').filter(({ isWordLike }) => isWordLike).length,
    sentences: segments('sentence').filter(({ segment }) => segment.trim() !== '').length,
    lines: text === '' ? 0 : text.split('\n').length,
    bytes: Buffer.byteLength(text),
  }
}

/** In minutes, or below one in seconds. */
export function readingTime(words: number, locale: Locale): string {
  const minutes = words / WORDS_A_MINUTE
  const unit = minutes < 1 ? 'second' : 'minute'
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 })
  return format.format(minutes < 1 ? minutes * 60 : minutes)
}
