// The tabs over results, as links: what else the same words can be looked up in. Filters stand at the end of the line.
import { type Html, html } from '../http/html.ts'
import type { PageContext, SearchBar, SearchTab } from '../http/page.ts'
import { addressOf } from './address.ts'

const SEARCH_TABS = ['web', 'images', 'news', 'videos'] as const
const OTHER_TABS = ['maps', 'translate'] as const

export function tabs({ words, hasPage }: PageContext, { text, tab, keep = {}, filters }: SearchBar): Html {
  const { tabs: names, tabsLabel } = words.frame
  const link = (name: SearchTab, address: string) =>
    html`<li><a href="${address}"${name === tab && html` aria-current="page"`}>${names[name]}</a></li>`
  return html`<div class="tab-line"><nav class="tabs" aria-label="${tabsLabel}"><ul>
${SEARCH_TABS.map((name) => link(name, addressOf('/search', { q: text, tab: name === 'web' ? '' : name, ...keep })))}
${OTHER_TABS.map((name) => hasPage(`/${name}`) && link(name, addressOf(`/${name}`, { q: text })))}
</ul></nav>${filters}</div>`
}
