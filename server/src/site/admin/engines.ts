// Administration → Providers, the sections about search engines: their contributions, the catalogue, and a form that
// makes one call to one engine. The query of that call is sent only in the form: it is in no URL and in no log.

import { z } from 'zod'
import type { EngineContribution } from '../../search/contributions/contribution-ledger.ts'
import type { CatalogueEntry, CatalogueTab } from '../../search/engine-catalogue.ts'
import type { TrialReport } from '../../search/try-engine.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type PageContext, type View } from '../http/page.ts'
import { type Column, dataTable } from '../parts/data-table.ts'
import { actions, button, postForm, selectField, textField } from '../parts/form.ts'
import { notice } from '../parts/notice.ts'
import { settingsView } from '../parts/settings-view.ts'

const TRY_PATH = '/admin/providers/try'
const MICROS_PER_DOLLAR = 1_000_000
/** Decimal digits of a price, which may be a fraction of a cent. */
export const PRICE_DIGITS = 6
/** The catalogue shows prices per this many calls. */
const CALLS_PER_PRICE = 1_000
const UNKNOWN = '–'

export const dollars = (micros: number, locale: string, maxDigits = 2): string =>
  new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD', maximumFractionDigits: maxDigits }).format(
    micros / MICROS_PER_DOLLAR,
  )

export function contributionsSection(
  context: PageContext,
  days: number,
  contributions: readonly EngineContribution[],
): Html {
  const text = context.words.admin.engines
  const columns = contributionColumns(context)
  return html`<section class="stack" id="contributions"><h2>${text.contributions}</h2>
<p class="help measure">${contributions.length === 0 ? text.noContributions(days) : text.contributionsHelp(days)}</p>
${contributions.length > 0 && dataTable(text.contributions, columns, contributions)}</section>`
}

function contributionColumns({ words, locale, services }: PageContext): Column<EngineContribution>[] {
  const text = words.admin.engines
  const names = new Map(services.engines.catalogue.map(({ slug, name }) => [slug, name]))
  const numbers = new Intl.NumberFormat(locale)
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const share = (part: number, whole: number) => (whole === 0 ? UNKNOWN : percent.format(part / whole))
  return [
    { label: text.engine, isHeading: true, cell: ({ engine }) => names.get(engine) ?? engine },
    { label: text.searches, isNumber: true, cell: ({ searches }) => numbers.format(searches) },
    { label: text.alone, isNumber: true, cell: ({ alone, results }) => share(alone, results) },
    { label: text.agreement, isNumber: true, cell: ({ alone, returned }) => share(returned - alone, returned) },
    {
      label: text.time,
      isNumber: true,
      cell: ({ answerMs, calls, failures }) =>
        calls === failures ? UNKNOWN : text.ms(numbers.format(Math.round(answerMs / (calls - failures)))),
    },
    { label: text.failures, isNumber: true, cell: ({ failures, calls }) => share(failures, calls) },
    {
      label: text.cost,
      isNumber: true,
      cell: ({ micros, alone }) =>
        micros === 0 ? dollars(0, locale) : alone === 0 ? UNKNOWN : dollars(micros / alone, locale, PRICE_DIGITS),
    },
  ]
}

export function catalogueSection({ words, locale, services }: PageContext): Html {
  const text = words.admin.engines
  const columns: Column<CatalogueEntry>[] = [
    {
      label: text.engine,
      isHeading: true,
      cell: ({ slug, name, homepage }) =>
        html`<a href="${homepage}" rel="noreferrer">${name}</a> <code class="quiet">${slug}</code>`,
    },
    { label: text.state, cell: ({ state }) => text.states[state] },
    {
      label: text.serves,
      cell: ({ tabs }) => tabs.map(({ tab, filters }) => [tab, ...Object.keys(filters)].join(' ')).join('; '),
    },
    { label: text.languages, isNumber: true, cell: ({ tabs }) => languagesOf(tabs, text.anyLanguage) },
    {
      label: text.price,
      isNumber: true,
      cell: ({ terms }) => dollars(terms.pricePerCallMicros * CALLS_PER_PRICE, locale, PRICE_DIGITS),
    },
    {
      label: text.needs,
      cell: ({ needs, hasNoContract }) =>
        needs.length > 0 ? html`<code>${needs.join(', ')}</code>` : hasNoContract ? text.noContract : text.nothing,
    },
  ]
  return html`<p><a href="/admin/engines/own">${words.ownEngines.link}</a></p><details class="stack" id="engines"><summary>${text.all}</summary>
<p class="help measure">${text.allHelp}</p>
${dataTable(text.all, columns, services.engines.catalogue)}</details>`
}

function languagesOf(tabs: readonly CatalogueTab[], any: string): string {
  const counts = tabs.flatMap(({ filters, languages }) => (filters.lang ? [languages?.length] : []))
  if (counts.length === 0) return UNKNOWN
  return counts.includes(undefined) ? any : String(Math.max(...counts.map((count) => count ?? 0)))
}

export const tryEnginePage = definePage({
  method: 'POST',
  path: TRY_PATH,
  access: 'admin',
  quota: 'search',
  form: ({ admin: { engines } }) =>
    z.object({
      what: z.string().regex(/^[a-z0-9]{1,40} [a-z]{1,10}$/, engines.notOn),
      q: z.string().trim().min(1, engines.queryMissing).max(500, engines.queryMissing),
    }),
  async handle(context) {
    const { form, services, words } = context
    if (!form.ok) return tryView(context, tryForm(context, form.messages), 400)
    const [slug = '', tab = ''] = form.values.what.split(' ')
    const report = await services.engines.tryEngine({ slug, tab, text: form.values.q })
    if (!report) return tryView(context, tryForm(context, { what: [words.admin.engines.notOn] }), 400)
    return tryView(context, html`${reportOf(context, report)}${tryForm(context)}`)
  },
})

/** After a submission, the form is filled in again and shows its errors. */
export function tryForm(context: PageContext, messages: Readonly<Record<string, string[]>> = {}): Html {
  const { words, services, submitted } = context
  const text = words.admin.engines
  const options = services.engines.catalogue
    .filter(({ state }) => state === 'on')
    .flatMap(({ slug, name, tabs }) =>
      tabs.flatMap(({ tab }) =>
        tab === 'suggest' ? [] : [{ value: `${slug} ${tab}`, label: `${name}: ${words.frame.tabs[tab]}` }],
      ),
    )
  if (options.length === 0) return html``
  const body = html`${selectField({ name: 'what', label: text.tryWhat, value: submitted['what'], options, errors: messages['what'] })}
${textField({ name: 'q', label: text.tryQuery, value: submitted['q'], maxlength: 500, errors: messages['q'] })}
${actions(button(text.tryButton))}`
  return html`<section class="stack" id="try"><h2>${text.tryTitle}</h2><p class="help measure">${text.tryHelp}</p>
${postForm(context, { action: TRY_PATH, body })}</section>`
}

function tryView(context: PageContext, content: Html, status = 200): View {
  const { tryTitle, back } = context.words.admin.engines
  return settingsView(context, '/admin/providers', {
    title: tryTitle,
    content: html`<p><a href="/admin/providers">${back}</a></p>${content}`,
    status,
    headers: { 'Cache-Control': 'no-store' },
  })
}

function reportOf({ words, locale }: PageContext, report: TrialReport): Html {
  const text = words.admin.engines
  const numbers = new Intl.NumberFormat(locale)
  const { request, status, hits, error } = report
  const ms = numbers.format(report.ms)
  const requestText = [
    `${request.method} ${request.path}`,
    ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
    ...(request.body === '' ? [] : ['', request.body]),
  ].join('\n')
  return html`<section class="stack"><h2>${report.name}: ${words.frame.tabs[report.tab]}</h2>
${report.skippedFor && notice('partial', text.skipped)}
${error && notice('bad', `${words.status.troubles[error.kind] ?? error.message} (${error.kind})`)}
<p>${status === undefined ? text.noReply(ms) : text.reply(String(status), numbers.format(report.bytes), ms)}</p>
<h3>${text.request}</h3><pre class="trial-request" tabindex="0"><code>${requestText}</code></pre>
<h3>${text.resultCount(hits.length)}</h3>
<ol class="trial-hits">${hits.map((hit) => html`<li><a href="${hit.url}" rel="noreferrer">${hit.title || hit.url}</a>${hit.description !== '' && html`<br><span class="quiet">${hit.description}</span>`}</li>`)}</ol>
<h3>${text.terms}</h3><p>${termsOf(text, report.terms)}</p></section>`
}

function termsOf(text: PageContext['words']['admin']['engines'], terms: TrialReport['terms']): string {
  const { cacheSeconds, cacheIn, attribution, asOf, unverified } = terms
  return [
    cacheSeconds === 0 ? text.notCached : text.cached(String(cacheSeconds)),
    cacheSeconds > 0 && cacheIn === 'memory' ? text.inMemory : '',
    attribution === '' ? '' : `“${attribution}”`,
    text.asOf(asOf),
    unverified === undefined ? '' : text.unverified(unverified),
  ]
    .filter(Boolean)
    .join(' ')
}
