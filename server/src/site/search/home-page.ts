// GET /: the name, the search field and the tabs, and nothing else. The tabs are buttons of the form: type, then choose
// where to search; Enter searches the web.
import { type Html, html } from '../http/html.ts'
import { definePage, type PageContext } from '../http/page.ts'
import { LOGO } from '../parts/layout.ts'
import { offeredTabs, otherTabs, searchField } from '../parts/search-navigation.ts'

export const homePage = definePage({
  method: 'GET',
  path: '/',
  access: 'searcher',
  handle: (context) => ({
    title: context.services.instanceName,
    layout: 'home',
    body: html`<div class="home">${LOGO}<h1>${context.services.instanceName}</h1>
${searchField(context, undefined, { isLarge: true, id: 'home-form' })}${tabButtons(context)}${welcome(context)}</div>`,
  }),
})

/** Tells visitors of a public instance what this is. */
const welcome = ({ viewer, words: { frame }, hasPage }: PageContext): Html | false =>
  !viewer &&
  hasPage('/docs/connect') &&
  html`<p class="quiet">${frame.welcome} <a href="/docs/connect">${frame.addToBrowser}</a></p>`

function tabButtons(context: PageContext): Html {
  const { words } = context
  const { tabs, tabsLabel } = words.frame
  return html`<div class="home-tabs" role="group" aria-label="${tabsLabel}">
${offeredTabs(context).map((name) => html`<button type="submit" form="home-form"${name !== 'web' && html` name="tab" value="${name}"`}>${tabs[name]}</button>`)}
${otherTabs(context).map((name) => html`<button type="submit" form="home-form" formaction="/${name}">${tabs[name]}</button>`)}
</div>`
}
