// GET /search/operators: the keys that do something on pages of results, and what can be written in the search field
// besides words, each with an example that can be tried. On those pages, the script shows it as a sheet.
import { type Html, html } from '../http/html.ts'
import { definePage, type PageContext } from '../http/page.ts'
import type { Words } from '../i18n/messages.ts'
import { addressOf } from '../parts/address.ts'
import { TOOLS_PATH } from '../tools/define-tool.ts'

export const OPERATORS_PATH = '/search/operators'

type Meaning = keyof Words['operators']['meanings']

export const operatorsPage = definePage({
  method: 'GET',
  path: OPERATORS_PATH,
  access: 'searcher',
  handle(context) {
    const { operators: words, finding } = context.words
    const { help } = finding
    const rows = rowsOf(context).map(
      ([name, example]) =>
        html`<dt><a href="${addressOf('/search', { q: example })}"><code dir="ltr">${example}</code></a></dt><dd>${words.meanings[name]}</dd>`,
    )
    const body = html`<div class="prose"><h1>${help}</h1>
${keysSection(context)}
<h2>${words.label}</h2><p>${words.intro}</p>
<dl class="operators-list">${rows}</dl>
<p class="quiet">${words.datesHelp}</p>
${context.hasPage(TOOLS_PATH) && html`<p><a href="${TOOLS_PATH}">${context.words.tools.all}</a></p>`}</div>`
    return { title: help, body }
  },
})

type Row = readonly [Meaning, string]

function rowsOf({ words, clock }: PageContext): Row[] {
  const { word, phrase } = words.operators
  const year = new Date(clock()).getUTCFullYear()
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

/** By what they do; `assets/results.js` and `assets/site.js` do it. */
const KEYS: Readonly<Record<keyof Words['finding']['keys']['meanings'], string>> = {
  field: '/',
  next: 'j',
  previous: 'k',
  open: 'Enter',
  newTab: 'v',
  more: 'n',
  back: 'p',
  top: 't',
  help: '?',
  close: 'Esc',
}

function keysSection({ words, preferences, hasPage }: PageContext): Html {
  const { title, intro, off, change, meanings } = words.finding.keys
  const rows = (Object.keys(KEYS) as (keyof typeof KEYS)[]).map(
    (name) => html`<dt><kbd>${KEYS[name]}</kbd></dt><dd>${meanings[name]}</dd>`,
  )
  return html`<section><h2>${title}</h2><p>${preferences.keys ? intro : off}${hasPage('/settings/search') && html` <a href="/settings/search">${change}</a>`}</p>
<dl class="keys-list">${rows}</dl></section>`
}
