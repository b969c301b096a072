// GET /search/operators: what can be written in the search field besides words, each with an example that can be tried.
import { html } from '../http/html.ts'
import { definePage, type PageContext } from '../http/page.ts'
import type { OperatorsWords } from '../i18n/words.ts'
import { addressOf } from '../parts/address.ts'

export const OPERATORS_PATH = '/search/operators'

type Meaning = keyof OperatorsWords['meanings']

export const operatorsPage = definePage({
  method: 'GET',
  path: OPERATORS_PATH,
  access: 'searcher',
  handle(context) {
    const words = context.words.operators
    const rows = rowsOf(context).map(
      ([name, example]) =>
        html`<dt><a href="${addressOf('/search', { q: example })}"><code dir="ltr">${example}</code></a></dt><dd>${words.meanings[name]}</dd>`,
    )
    const body = html`<div class="prose"><h1>${words.label}</h1><p>${words.intro}</p>
<dl class="operators-list">${rows}</dl>
<p class="quiet">${words.datesHelp}</p></div>`
    return { title: words.label, body }
  },
})

type Row = readonly [Meaning, string]

function rowsOf({ words, services }: PageContext): Row[] {
  const { word, phrase } = words.operators
  const year = new Date(services.clock()).getUTCFullYear()
  return [
    ['site', `${word} site:wikipedia.org`],
    ['notSite', `${word} -site:wikipedia.org`],
    ['after', `${word} after:${year}-01-31`],
    ['before', `${word} before:${year}`],
    ['filetype', `${word} filetype:pdf`],
    ['intitle', `intitle:${word}`],
    ['quotes', `"${phrase}"`],
  ]
}
