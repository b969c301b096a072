// What one call to one engine brought: three results as the results page shows them, what the call cost, and, for who
// wants to know, the request without its key and the reply.
import type { CostReader } from '../../budget/cost-ledger.ts'
import type { CatalogueEntry } from '../../search/engine-catalogue.ts'
import type { TrialReport } from '../../search/try-engine.ts'
import { type Html, html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { findText } from '../i18n/messages.ts'
import { dollars, PRICE_DIGITS } from '../parts/formats.ts'
import { notice } from '../parts/notice.ts'
import { addressLine, externalLink, type ResultView, shortened } from '../search/result-parts.ts'

type IconParts = Pick<ResultView, 'pictures' | 'showsIcons'>

export interface EngineTrialParts extends IconParts {
  costs: CostReader
}

const SHOWN_HITS = 3
const MAX_TITLE_LENGTH = 240
const MAX_SNIPPET_LENGTH = 300

export function trialView(
  parts: EngineTrialParts,
  context: PageContext,
  entry: CatalogueEntry,
  report: TrialReport,
): Html {
  const { words, locale } = context
  const text = words.admin.engines
  const numbers = new Intl.NumberFormat(locale)
  const { error, hits, skippedFor } = report
  return html`${error && notice('bad', `${findText(words.status.troubles, error.kind) ?? error.message} ${findText(words.status.advice, error.kind) ?? ''}`)}
${!error && notice(hits.length === 0 ? 'partial' : 'good', `${text.resultCount({ count: hits.length })}, ${text.ms({ ms: numbers.format(report.ms) })}. ${costText(parts.costs, context, entry, report)}`)}
${skippedFor && notice('partial', text.skipped)}
<ol class="results trial-results">${hits.slice(0, SHOWN_HITS).map((hit) => resultOf(parts, context, hit))}</ol>
${exchange(context, report)}`
}

function resultOf(
  icons: IconParts,
  { preferences }: PageContext,
  { title, url, description }: TrialReport['hits'][number],
): Html {
  return html`<li class="result">${addressLine(url, '', icons)}<h2 dir="auto"><a class="result-link" ${externalLink(url, preferences)}>${shortened(title, MAX_TITLE_LENGTH) || url}</a></h2>
${description !== '' && html`<p class="snippet" dir="auto">${shortened(description, MAX_SNIPPET_LENGTH)}</p>`}</li>`
}

/** By the operator's price, if there is one. */
function costText(
  costs: CostReader,
  { words, locale }: PageContext,
  entry: CatalogueEntry,
  { tab }: TrialReport,
): string {
  const text = words.admin.engines
  const listPrice = entry.terms.pricePerCallMicros
  const price = costs.budgets.get(entry.slug)?.pricePerCallMicros ?? listPrice
  const ofTab = entry.tabs.find((served) => served.tab === tab)?.pricePerCallMicros ?? listPrice
  const micros = listPrice === 0 ? price : (price * ofTab) / listPrice
  if (micros > 0) return text.callCost({ price: dollars(micros, locale, PRICE_DIGITS) })
  return entry.needs.length === 0 ? text.callFree : text.callUnpriced
}

function exchange({ words, locale }: PageContext, { request, status, bytes, ms, terms }: TrialReport): Html {
  const text = words.admin.engines
  const numbers = new Intl.NumberFormat(locale)
  const requestText = [
    `${request.method} ${request.path}`,
    ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
    ...(request.body === '' ? [] : ['', request.body]),
  ].join('\n')
  const took = numbers.format(ms)
  return html`<details class="stack"><summary>${text.exchange}</summary>
<pre class="trial-request" tabindex="0"><code>${requestText}</code></pre>
<p>${status === undefined ? text.noReply({ ms: took }) : text.reply({ status: String(status), bytes: numbers.format(bytes), ms: took })} ${termsOf(text, terms)}</p></details>`
}

function termsOf(text: PageContext['words']['admin']['engines'], terms: TrialReport['terms']): string {
  const { cacheSeconds, cacheIn, attribution, asOf, unverified } = terms
  return [
    cacheSeconds === 0 ? text.notCached : text.cached({ seconds: String(cacheSeconds) }),
    cacheSeconds > 0 && cacheIn === 'memory' ? text.inMemory : '',
    attribution === '' ? '' : `“${attribution}”`,
    text.asOf({ day: asOf }),
    unverified === undefined ? '' : text.unverified({ text: unverified }),
  ]
    .filter(Boolean)
    .join(' ')
}
