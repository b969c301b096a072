// The notice for a provider whose daily calls are used up: when calls resume, and what an operator can do about it.
import { type Html, html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { notice } from '../parts/notice.ts'
import type { SpentQuota } from '../site-services.ts'

export function spentLine({ words, locale, services }: PageContext, { slug, calls, waitMs }: SpentQuota): Html {
  const text = words.admin.spent
  const back = services.clock() + waitMs
  const when = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  const { catalogue } = services.engines
  const tierOf = catalogue.find((entry) => entry.slug === slug)?.tierOf
  const keyed = catalogue.find((entry) => entry.slug === tierOf)
  const remedy = keyed
    ? text.addKey(keyed.needs.join(', '), keyed.slug, slug)
    : text.largerPlan(`${slug.toUpperCase()}_PACE`)
  const line = text.line(new Intl.NumberFormat(locale).format(calls), `${when.format(back)} UTC`)
  return notice('partial', html`<p>${line} ${remedy}</p>`)
}
