// The layout around every page: head, header with the search field and the account menu, tabs, footer. There is one
// stylesheet and one script, to which a few pages add another; everything but passkeys works without JavaScript. The
// Read view, which shows third-party text, has no script.
import { appearanceHead, logoView } from '../appearance/appearance-head.ts'
import { extraScriptPath, SCRIPT_PATH } from '../assets.ts'
import { type Html, html } from '../http/html.ts'
import type { PageContext, View } from '../http/page.ts'
import { areSuggestionsOn } from '../suggestions.ts'
import { directionOf, interfaceLanguage } from './formats.ts'
import { searchField, tabs } from './search-navigation.ts'

function scriptsOf(
  { scripts = [], layout = 'column' }: Pick<View, 'scripts' | 'layout'>,
  context: PageContext,
): Html | false {
  if (scripts === 'none') return false
  const extra = [
    ...(hasField(layout) && areSuggestionsOn(context) ? ['suggestions' as const] : []),
    ...(layout === 'results' ? ['results' as const] : []),
    ...scripts,
  ]
  return html`<script type="module" src="${SCRIPT_PATH}"></script>
${extra.map((name) => html`<script type="module" src="${extraScriptPath(name)}"${name === 'streaming' && html` async`}></script>`)}`
}

const hasField = (layout: View['layout']): boolean => layout !== 'narrow' && layout !== 'steps'

/**
 * Nothing of the results is drawn before all of them are here: a page arrives in pieces, and rows of pictures and a rail
 * are laid out anew with each. Streamed results are drawn as they come, which is their purpose.
 */
const drawnAtOnce = ({ scripts = [], layout }: Pick<View, 'scripts' | 'layout'>): Html | false =>
  layout === 'results' && !scripts.includes('streaming') && html`<link rel="expect" href="#end" blocking="render">`

export function layOut(view: View, context: PageContext): string {
  const { before, after } = frameOf(view, context)
  return before + view.body.text + after
}

/** Renders the layout before and after the body. */
export function frameOf(view: Omit<View, 'body'>, context: PageContext): { before: string; after: string } {
  const { words, language, preferences, instanceName: name } = context
  const { title, layout = 'column', search, searchDescription = '/opensearch.xml', styles = [] } = view
  const before = html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}" data-theme="${preferences.theme}"${!preferences.keys && html` data-keys="off"`}>
<head>
<meta charset="utf-8">
<title>${title === name ? name : `${title} · ${name}`}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="same-origin">
${appearanceHead(context)}${styles.map((path) => html`<link rel="stylesheet" href="${path}">`)}
<link rel="search" type="application/opensearchdescription+xml" title="${name}" href="${searchDescription}">
${drawnAtOnce(view)}${scriptsOf(view, context)}
</head>
<body class="layout-${layout}">
<a class="skip" href="#content">${words.frame.skipToContent}</a>
${layout === 'home' ? homeHeader(context) : header(view, context)}
${search && !search.isFieldOnly && tabs(context, search)}
<main id="content" tabindex="-1">`
  const after = html`</main>
${footer(context, view)}
</body>
</html>
`
  return { before: before.text, after: after.text }
}

const homeHeader = (context: PageContext): Html => html`<header class="top top-home">${accountLink(context)}</header>`

const header = ({ layout, search }: Pick<View, 'layout' | 'search'>, context: PageContext): Html =>
  html`<header class="top">
<a class="name" href="/">${logoView(context)}<span>${context.instanceName}</span></a>
${hasField(layout) && searchField(context, search)}
${accountLink(context)}
</header>`

function accountLink(context: PageContext): Html {
  const { viewer, isViewerUnknown, words, hasPage, address, path } = context
  const { frame } = words
  if (viewer) return accountMenu(context)
  // While `/setup` is there, there is no account to sign in with.
  const isSignInPointless = address.startsWith('/login') || path === '/setup'
  if (isViewerUnknown || !hasPage('/login') || isSignInPointless) return html``
  return html`<nav class="account" aria-label="${frame.account}"><a href="/login">${frame.signIn}</a></nav>`
}

/** Opens without JavaScript. Signing out is a link to a form, because pages with an ETag can't contain a CSRF token. */
function accountMenu({ viewer, words, hasPage }: PageContext): Html {
  const { frame } = words
  const link = (path: string, label: string) => hasPage(path) && html`<li><a href="${path}">${label}</a></li>`
  return html`<nav class="account" aria-label="${frame.account}"><details class="account-menu" name="menu"><summary><bdi>${viewer?.username}</bdi></summary>
<ul>${link('/settings/search', frame.settings)}${link('/settings/account', frame.settingsPages.account)}${viewer?.isAdmin && link('/admin/engines', frame.adminLabel)}${link('/logout', frame.signOut)}</ul></details></nav>`
}

/**
 * Browsers focus the field that an address names. The footer can't contain the field itself: changing the language needs
 * a token, which pages with an ETag can't contain.
 */
const LANGUAGE_SETTING = '/settings/search#field-interface'

/**
 * Only administrators are told that all providers are up; others learn it when one is down. The count may be some
 * seconds older than a failure that the page itself reports.
 */
function footer(
  { words, language, hasPage, providersDown, viewer, appearance }: PageContext,
  { hasFailures = false }: Pick<View, 'hasFailures'>,
): Html {
  const { frame } = words
  const link = (path: string, label: Html | string) => hasPage(path) && html`<li><a href="${path}">${label}</a></li>`
  const ownPage = (name: 'imprint' | 'privacy') =>
    appearance[name].length > 0 && link(`/${name}`, words.appearance.pages[name])
  const dot = (state: string) => html`<span class="state state-${state}"></span>`
  const status = providersDown
    ? html`${dot('down')}${frame.someDown({ down: providersDown })}`
    : providersDown === 0 && viewer?.isAdmin && !hasFailures
      ? html`${dot('up')}${frame.allUp}`
      : frame.status
  const ownLanguage = interfaceLanguage(language)
  const languageLink =
    hasPage('/settings/search') &&
    html`<li><a href="${LANGUAGE_SETTING}" aria-label="${frame.language({ name: ownLanguage })}">${ownLanguage}</a></li>`
  return html`<footer id="end" class="bottom"><nav aria-label="${frame.footerLabel}"><ul>
${link('/status', status)}
${link('/docs', frame.docs)}
${link('/settings/search', frame.settings)}
${languageLink}
${ownPage('imprint')}${ownPage('privacy')}${appearance.links.map(({ name, address }) => html`<li><a href="${address}" rel="noopener">${name}</a></li>`)}
</ul></nav></footer>`
}
