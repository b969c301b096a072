// The menu at a result: a `details`, so that it works without script. A further item is one more line in `itemsOf`.
//
// All buttons of a page belong to one form, so a page has one token however many results it has. A reader without an
// account gets a link to a page with the same buttons instead: a token needs a cookie, and searching sets none.

import { hostOf } from '@bowerbird/engines/parsing/http-address.ts'
import type { MergedHit } from '../../search/merge.ts'
import { RULE_ACTIONS } from '../browser-rules.ts'
import { type Html, html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'
import { postForm } from '../parts/form.ts'
import { type SearchQuery, searchParamsOf } from './search-query.ts'

export const SITE_RULE_PATH = '/sites/rule'
const FORM_ID = 'site-rule'

export interface ResultMenus {
  /** The form that the buttons of all menus belong to; once in a page, before the results. */
  form: Html | false
  menuOf: (merged: MergedHit<{ url: string }>) => Html | false
}

/** `back` is the address of the page, which shows what has changed. */
export function resultMenus(context: PageContext, searchQuery: SearchQuery, back: string): ResultMenus {
  if (!context.hasPage(SITE_RULE_PATH)) return { form: false, menuOf: () => false }
  return {
    form: context.viewer !== undefined && ruleForm(context, back),
    menuOf: (merged) => menuOf(context, searchQuery, { merged, back }),
  }
}

const ruleForm = (context: PageContext, back: string): Html =>
  postForm(context, {
    action: SITE_RULE_PATH,
    body: html`<input type="hidden" name="back" value="${back}">`,
    attributes: html` id="${FORM_ID}" hidden`,
  })

interface MenuPlace {
  merged: MergedHit<{ url: string }>
  back: string
}

function menuOf(context: PageContext, searchQuery: SearchQuery, place: MenuPlace): Html | false {
  const { hit, originalUrl = hit.url } = place.merged
  const site = hostOf(originalUrl)
  // An IPv6 address isn't a site that a rule can name.
  if (!site.includes('.')) return false
  const { menu } = context.words.sites
  const items = itemsOf(context, searchQuery, { ...place, site })
  return html`<details class="menu" name="menu"><summary aria-label="${menu.label({ site })}" title="${menu.label({ site })}">⋯</summary><ul>${items.map((item) => item && html`<li>${item}</li>`)}</ul></details>`
}

function itemsOf(
  context: PageContext,
  searchQuery: SearchQuery,
  place: MenuPlace & { site: string },
): (Html | false)[] {
  const { viewer, words } = context
  const { menu } = words.sites
  const { request, written } = searchQuery
  const { site, back, merged } = place
  const isOfSite = request.includeDomains?.includes(site) ?? false
  const more = addressOf('/search', { ...searchParamsOf(searchQuery), q: `${written} site:${site}`, page: '' })
  return [
    !isOfSite && html`<a href="${more}">${menu.more}</a>`,
    ...(viewer
      ? ruleButtons(context, site, merged)
      : [html`<a href="${addressOf(SITE_RULE_PATH, { site, back })}">${menu.choose}</a>`]),
  ]
}

/** A button for each action, except that the one in force is undone. */
function ruleButtons({ words }: PageContext, site: string, { adjustments = [] }: MenuPlace['merged']): Html[] {
  const { menu } = words.sites
  const current = adjustments.find(({ by, owner }) => by === 'rule' && owner === 'person')
  const others = RULE_ACTIONS.filter((action) => action !== current?.action)
  return [
    ...(current ? [ruleButton('none', current.pattern, menu.none)] : []),
    ...others.map((action) => ruleButton(action, site, menu[action])),
  ]
}

const ruleButton = (action: string, site: string, label: string): Html =>
  html`<button form="${FORM_ID}" name="rule" value="${action} ${site}">${label}</button>`
