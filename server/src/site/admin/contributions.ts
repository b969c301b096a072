// Administration → Providers: what each search engine contributed to the results of the last days.
import type { EngineContribution } from '../../search/contributions/contribution-ledger.ts'
import { type Html, html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { type Column, dataTable } from '../parts/data-table.ts'
import { dollars, PRICE_DIGITS } from '../parts/formats.ts'
import type { EngineAdmin } from './engine-admin.ts'

const UNKNOWN = '–'

export function contributionsSection(
  engines: EngineAdmin,
  context: PageContext,
  days: number,
  contributions: readonly EngineContribution[],
): Html {
  const text = context.words.admin.contributions
  const columns = contributionColumns(engines, context)
  return html`<section class="stack" id="contributions"><h2>${text.title}</h2>
<p class="help measure">${contributions.length === 0 ? text.none({ days }) : text.help({ days })}</p>
${contributions.length > 0 && dataTable(text.title, columns, contributions)}</section>`
}

function contributionColumns(engines: EngineAdmin, { words, locale }: PageContext): Column<EngineContribution>[] {
  const text = words.admin.contributions
  const names = new Map(engines.catalogue.map(({ slug, name }) => [slug, name]))
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
        calls === failures
          ? UNKNOWN
          : words.admin.engines.ms({ ms: numbers.format(Math.round(answerMs / (calls - failures))) }),
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
