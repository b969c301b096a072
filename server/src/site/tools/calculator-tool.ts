// The calculator: a field, and keys for it with script. The sum is worked out here, by the instant answer's exact arithmetic;
// what was calculated before stays on the page until it is left.
import { calculateText } from '@bowerbird/answers/numbers/calculator.ts'
import { LANGUAGES } from '@bowerbird/answers/question.ts'
import { type Html, html, type Piece } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import type { Words } from '../i18n/messages.ts'
import { sumParts } from '../search/instant-parts.ts'
import { output, resultLanguage, resultOf, sentence } from './converter-parts.ts'
import { defineTool, pathOf } from './define-tool.ts'

type CalculatorWords = Words['converters']['calculator']

const NAME = 'calculator'
const MAX_SUM_LENGTH = 200

export const calculatorTool = defineTool({
  name: NAME,
  title: ({ converters }) => converters.calculator.title,
  summary: ({ converters }) => converters.calculator.summary,
  calls: {
    en: ['calculator', 'online calculator', 'calculator online', 'open calculator', 'calc'],
    fr: ['calculatrice', 'calculatrice en ligne', 'calculette'],
    de: ['taschenrechner', 'taschenrechner online', 'online-taschenrechner'],
    es: ['calculadora', 'calculadora online', 'calculadora en línea'],
    it: ['calcolatrice', 'calcolatrice online'],
    pt: ['calculadora', 'calculadora online'],
    nl: ['rekenmachine', 'rekenmachine online', 'online rekenmachine'],
    pl: ['kalkulator', 'kalkulator online'],
  },
  fields: ['sum', 'lang'],
  quota: 'suggestion',
  script: 'converter',
  view(context, { sum, lang }) {
    const words = context.words.converters.calculator
    const language = LANGUAGES.find((known) => known === lang.slice(0, 2)) ?? resultLanguage(context)
    // As for a search: English understands the words of every language.
    const tag = lang || (language === 'en' ? '' : language)
    const typed = sum.trim()
    const result = typed === '' ? undefined : calculateText(typed, tag, language)
    const shown = typed !== '' && (result ? shownSum(context, result) : sentence(words.notSum))
    return html`<form class="calculator" method="get" action="${pathOf({ name: NAME })}" data-converter="submit">
<div class="field"><label class="visually-hidden" for="tool-sum">${words.sum}</label><input id="tool-sum" name="sum" type="text" value="${typed}" maxlength="${MAX_SUM_LENGTH}" required dir="ltr" autocomplete="off" autocapitalize="off" spellcheck="false"></div><button type="submit" class="button button-primary" aria-label="${words.calculate}">=</button>
${keypad(words, decimalMarkOf(language))}${lang && html`<input type="hidden" name="lang" value="${lang}">`}</form>
${output(shown)}
<ol class="sums" aria-label="${words.history}" data-history></ol>`
  },
})

/** A sum without a result, such as 1/0, says why. */
const shownSum = (context: PageContext, sum: { text: string; result: string | null }): Piece =>
  sum.result === null ? sentence(sum.text) : resultOf(context, sumParts(sum))

const decimalMarkOf = (language: string): string => new Intl.NumberFormat(language).format(0.5).replace(/\d/g, '')

function keypad({ keys, back, clear }: CalculatorWords, decimalMark: string): Html {
  const insert = (row: string) =>
    Array.from(
      row,
      (key) => html`<button type="button" class="button button-plain" data-key-insert="${key}">${key}</button>`,
    )
  const [first, second, ...rest] = ['789÷(', '456×)', '123−^√', `0${decimalMark}%+!π`].map(insert)
  const backKey = html`<button type="button" class="button button-plain" data-key-back aria-label="${back}">⌫</button>`
  const clearKey = html`<button type="button" class="button button-plain" data-key-clear aria-label="${clear}">C</button>`
  return html`<fieldset class="keypad needs-script" dir="ltr"><legend class="visually-hidden">${keys}</legend>${first}${backKey}${second}${clearKey}${rest}</fieldset>`
}
