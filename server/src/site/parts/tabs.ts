// The tabs above the results: links that search for the same words in another tab. Filters are at the end of the line.
import { OPTIONAL_TABS, TABS, type Tab } from '@bowerbird/engines/engine.ts'
import { type Html, html } from '../http/html.ts'
import type { PageContext, SearchBar, SearchTab } from '../http/page.ts'
import { addressOf } from './address.ts'

const OTHER_TABS = ['maps', 'translate'] as const

/** The tabs with results, without the optional ones that no engine of this instance serves. */
export const offeredTabs = ({ services: { search } }: Pick<PageContext, 'services'>): Tab[] =>
  TABS.filter((tab) => !OPTIONAL_TABS.has(tab) || search.slotNames.some((slot) => search.labelOf(slot, tab) !== ''))

export function tabs(context: PageContext, { text, tab, keep = {}, filters }: SearchBar): Html {
  const { words, hasPage } = context
  const { tabs: names, tabsLabel } = words.frame
  const link = (name: SearchTab, address: string) =>
    html`<li><a href="${address}"${name === tab && html` aria-current="page"`}>${names[name]}</a></li>`
  return html`<div class="tab-line"><nav class="tabs" aria-label="${tabsLabel}"><ul>
${offeredTabs(context).map((name) => link(name, addressOf('/search', { q: text, tab: name === 'web' ? '' : name, ...keep })))}
${OTHER_TABS.map((name) => hasPage(`/${name}`) && link(name, addressOf(`/${name}`, { q: text })))}
</ul></nav>${filters}</div>`
}
