// Administration → Providers, the sections about search engines: their contributions, the catalogue, and the form that
// tries one.
import type { EngineContribution } from '../../search/contributions/contribution-ledger.ts'
import type { CatalogueEntry, CatalogueTab } from '../../search/engine-catalogue.ts'
import { type Html, html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { type Column, dataTable } from '../parts/data-table.ts'
import { actions, button, postForm, selectField, textField } from '../parts/form.ts'
import { dollars } from './provider-costs.ts'

export const TRY_PATH = '/admin/providers/try'
const FINEST = 6
const CALLS = 1_000
const UNKNOWN = '–'

export function contributionsSection(
  context: PageContext,
  days: number,
  contributions: readonly EngineContribution[],
): Html {
  const text = context.words.admin.engines
  const columns = contributionColumns(context)
  return html`<section class="stack"><h2>${text.contributions}</h2>
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
        micros === 0 ? dollars(0, locale) : alone === 0 ? UNKNOWN : dollars(micros / alone, locale, FINEST),
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
      cell: ({ terms }) => dollars(terms.pricePerCallMicros * CALLS, locale, FINEST),
    },
    {
      label: text.needs,
      cell: ({ needs, hasNoContract }) =>
        needs.length > 0 ? html`<code>${needs.join(', ')}</code>` : hasNoContract ? text.noContract : text.nothing,
    },
  ]
  return html`<details class="stack"><summary>${text.all}</summary>
<p class="help measure">${text.allHelp}</p>
${dataTable(text.all, columns, services.engines.catalogue)}</details>`
}

function languagesOf(tabs: readonly CatalogueTab[], any: string): string {
  const counts = tabs.flatMap(({ filters, languages }) => (filters.lang ? [languages?.length] : []))
  if (counts.length === 0) return UNKNOWN
  return counts.includes(undefined) ? any : String(Math.max(...counts.map((count) => count ?? 0)))
}

/** Refills the form and shows its errors if it was submitted before. */
export function tryForm(context: PageContext, messages: Readonly<Record<string, string[]>> = {}): Html {
  const { words, services, given } = context
  const text = words.admin.engines
  const options = services.engines.catalogue
    .filter(({ state }) => state === 'on')
    .flatMap(({ slug, name, tabs }) =>
      tabs.flatMap(({ tab }) =>
        tab === 'suggest' ? [] : [{ value: `${slug} ${tab}`, label: `${name}: ${words.frame.tabs[tab]}` }],
      ),
    )
  if (options.length === 0) return html``
  const body = html`${selectField({ name: 'what', label: text.tryWhat, value: given['what'], options, errors: messages['what'] })}
${textField({ name: 'q', label: text.tryQuery, value: given['q'], maxlength: 500, errors: messages['q'] })}
${actions(button(text.tryButton))}`
  return html`<section class="stack"><h2>${text.tryTitle}</h2><p class="help measure">${text.tryHelp}</p>
${postForm(context, { action: TRY_PATH, body })}</section>`
}
