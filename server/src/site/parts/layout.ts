// The page around a page: head, header with the search field and the account, tabs, footer. One stylesheet, one script,
// and everything works without the script.
import { MARK_PATH, SCRIPT_PATH, STYLESHEET_PATH } from '../assets.ts'
import { type Html, html } from '../http/html.ts'
import type { View, Visit } from '../http/page.ts'
import { LOCALE_NAMES } from '../i18n/messages.ts'
import { MARK } from './mark.ts'
import { searchField } from './search-field.ts'
import { tabs } from './tabs.ts'

export function layOut(view: View, visit: Visit): string {
  const { words, locale, preferences } = visit
  const { title, body, layout = 'column', search } = view
  const name = words.frame.siteName
  const scheme = preferences.theme === 'auto' ? 'light dark' : preferences.theme
  return html`<!doctype html>
<html lang="${locale}" data-theme="${preferences.theme}">
<head>
<meta charset="utf-8">
<title>${title === name ? name : `${title} · ${name}`}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${scheme}">
<meta name="referrer" content="same-origin">
<link rel="stylesheet" href="${STYLESHEET_PATH}">
<link rel="icon" type="image/svg+xml" href="${MARK_PATH}">
<link rel="search" type="application/opensearchdescription+xml" title="${name}" href="/opensearch.xml">
<script type="module" src="${SCRIPT_PATH}"></script>
</head>
<body class="layout-${layout}">
<a class="skip" href="#content">${words.frame.skipToContent}</a>
${layout === 'home' ? homeHeader(visit) : header(view, visit)}
<main id="content" tabindex="-1">${search ? tabs(visit, search) : ''}${typeof body === 'function' ? body() : body}</main>
${footer(visit)}
</body>
</html>
`.text
}

const homeHeader = (visit: Visit): Html => html`<header class="top top-home">${accountLink(visit)}</header>`

const header = ({ layout, search }: View, visit: Visit): Html =>
  html`<header class="top">
<a class="name" href="/">${MARK}<span>${visit.words.frame.siteName}</span></a>
${layout !== 'narrow' && searchField(visit, search)}
${accountLink(visit)}
</header>`

function accountLink({ viewer, words, hasPage, address }: Visit): Html {
  const { frame } = words
  if (viewer) {
    const page = hasPage('/settings/search') ? '/settings/search' : '/settings/account'
    return html`<nav class="account" aria-label="${frame.account}"><a href="${page}"><bdi>${viewer.username}</bdi></a></nav>`
  }
  if (!hasPage('/login') || address.startsWith('/login')) return html``
  return html`<nav class="account" aria-label="${frame.account}"><a href="/login">${frame.signIn}</a></nav>`
}

function footer({ words, locale, hasPage, providersDown }: Visit): Html {
  const { frame } = words
  const link = (path: string, label: Html | string, name?: string) =>
    hasPage(path) && html`<li><a href="${path}"${name && html` aria-label="${name}"`}>${label}</a></li>`
  const [state, label] =
    providersDown === undefined
      ? ['unknown', frame.statusUnknown]
      : providersDown === 0
        ? ['up', frame.allUp]
        : ['down', frame.someDown(providersDown)]
  return html`<footer class="bottom"><nav aria-label="${frame.footerLabel}"><ul>
${link('/status', html`<span class="state state-${state}"></span>${label}`)}
${link('/docs', frame.docs)}
${link('/settings/search', frame.settings)}
${link('/settings/search', LOCALE_NAMES[locale], frame.language(LOCALE_NAMES[locale]))}
</ul></nav></footer>`
}
