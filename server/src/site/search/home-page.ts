// GET /: the name, the search field and the tabs, and nothing else. The tabs are buttons of the form: type, then choose
// where to search; Enter searches the web. With an empty field a tab opens its page, which asks for words.

import { logoView } from '../appearance/appearance-head.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type PageContext } from '../http/page.ts'
import { otherTabs, searchField } from '../parts/search-navigation.ts'

export const homePage = definePage({
  method: 'GET',
  path: '/',
  access: 'searcher',
  handle: (context) => ({
    title: context.instanceName,
    layout: 'home',
    body: html`<div class="home">${logoView(context)}<h1>${context.instanceName}</h1>
${searchField(context, undefined, { isLarge: true, id: 'home-form' })}${tabButtons(context)}${welcome(context)}</div>`,
  }),
})

/** What the operator says to everyone; or what we tell visitors of a public instance that this is. */
function welcome({ viewer, words: { frame }, hasPage, appearance }: PageContext): Html | false {
  const connect = !viewer && hasPage('/docs/connect') && html`<a href="/docs/connect">${frame.addToBrowser}</a>`
  const line = appearance.welcome || (connect && frame.welcome)
  return line !== false && html`<p class="quiet">${line} ${connect}</p>`
}

function tabButtons(context: PageContext): Html {
  const { words, offers } = context
  const { tabs, tabsLabel } = words.frame
  return html`<div class="home-tabs" role="group" aria-label="${tabsLabel}">
${offers.tabs.map((name) => html`<button type="submit" form="home-form" formnovalidate${name !== 'web' && html` name="tab" value="${name}"`}>${tabs[name]}</button>`)}
${otherTabs(context).map((name) => html`<button type="submit" form="home-form" formnovalidate formaction="/${name}">${tabs[name]}</button>`)}
</div>`
}
