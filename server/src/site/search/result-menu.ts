// The menu at a result: a `details`, so that it works without script. First what concerns the page, then its site. A further
// item is one more line in `pageItems` or `siteItems`.
//
// All buttons of a list belong to one form, so a list has one token however many results it has. A reader without an
// account gets a link to a page with the same buttons instead: a token needs a cookie, and searching sets none.

import { hostOf, httpAddress } from '@bowerbird/engines/parsing/http-address.ts'
import type { MergedHit } from '../../search/merge.ts'
import { RULE_ACTIONS } from '../browser-rules.ts'
import { type Html, html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'
import { postForm } from '../parts/form.ts'
import { externalLink, type MenuOf, type PageLinks } from './result-parts.ts'
import { type SearchQuery, searchParamsOf } from './search-query.ts'

export const SITE_RULE_PATH = '/sites/rule'

/** Without a time, it leads to the newest copy that the archive has. */
const ARCHIVE = 'https://web.archive.org/web/'

export interface ResultMenus {
  /** The form that the buttons of all menus belong to; once, before the results. */
  form: Html | false
  menuOf: MenuOf
}

interface MenuPlace {
  /** The address of the page, which shows what has changed. */
  back: string
  /** Where more of a site is looked for. What one's own services have found is looked for there, not on the web. */
  path: '/search' | '/mine'
}

export function resultMenus(context: PageContext, searchQuery: SearchQuery, place: MenuPlace): ResultMenus {
  const hasRules = context.hasPage(SITE_RULE_PATH)
  return {
    form: hasRules && context.viewer !== undefined && ruleForm(context, place),
    menuOf: (merged, page = {}) => {
      const { hit, originalUrl = hit.url } = merged
      const site = hostOf(originalUrl)
      if (site === '') return false
      // An IPv6 address isn't a site that a rule can name, or that can be searched.
      const ofSite = site.includes('.') && siteItems(context, searchQuery, { ...place, merged, site })
      const label = context.words.sites.menu.label({ site })
      return html`<details class="menu" name="menu"><summary aria-label="${label}" title="${label}">⋯</summary><ul><li class="menu-site" dir="ltr">${site}</li>${listed(pageItems(context, merged, { ...page, ...place }))}${ofSite && listed(ofSite, html` class="apart"`)}</ul></details>`
    },
  }
}

const listed = (items: readonly (Html | false)[], first: Html | false = false): Html[] =>
  items.filter((item) => item !== false).map((item, at) => html`<li${at === 0 && first}>${item}</li>`)

/** One's own services and the web can be on one page. */
const formId = ({ path }: MenuPlace): string => (path === '/mine' ? 'mine-rule' : 'site-rule')

const ruleForm = (context: PageContext, place: MenuPlace): Html =>
  postForm(context, {
    action: SITE_RULE_PATH,
    body: html`<input type="hidden" name="back" value="${place.back}">`,
    attributes: html` id="${formId(place)}" hidden`,
  })

/** A rule may show another address of the page: that one is copied, but the archive knows the one that was found. */
function pageItems(
  { words, preferences }: PageContext,
  { hit, originalUrl = hit.url }: MergedHit<{ url: string }>,
  { read = false, why = '', path }: PageLinks & MenuPlace,
): (Html | false)[] {
  const { menu } = words.sites
  // The archive should not learn the addresses of private services, and has no copies of them.
  const isPublic = path !== '/mine' && hostOf(originalUrl).includes('.')
  const archived = isPublic ? httpAddress(`${ARCHIVE}${originalUrl}`) : ''
  return [
    read,
    html`<button type="button" data-copy="${httpAddress(hit.url)}" data-copied="${words.frame.copied}">${menu.copy}</button>`,
    archived !== '' && html`<a ${externalLink(archived, preferences)}>${menu.archived}</a>`,
    why !== '' && html`<a href="#${why}">${menu.why}</a>`,
  ]
}

interface SitePlace extends MenuPlace {
  merged: MergedHit<{ url: string }>
  site: string
}

function siteItems(context: PageContext, searchQuery: SearchQuery, place: SitePlace): (Html | false)[] {
  const { viewer, words, hasPage } = context
  const { menu } = words.sites
  const { request, written } = searchQuery
  const { site, back, path } = place
  const isOfSite = request.includeDomains?.includes(site) ?? false
  const more = addressOf(path, { ...searchParamsOf(searchQuery), q: `${written} site:${site}`, page: '' })
  return [
    !isOfSite && html`<a href="${more}">${menu.more}</a>`,
    ...(!hasPage(SITE_RULE_PATH)
      ? []
      : viewer
        ? ruleButtons(context, place)
        : [html`<a href="${addressOf(SITE_RULE_PATH, { site, back })}">${menu.choose}</a>`]),
  ]
}

/** A button for each action, except that the one in force is undone. */
function ruleButtons({ words }: PageContext, { merged: { adjustments = [] }, site, ...place }: SitePlace): Html[] {
  const { menu } = words.sites
  const current = adjustments.find(({ by, owner }) => by === 'rule' && owner === 'person')
  const others = RULE_ACTIONS.filter((action) => action !== current?.action)
  const ruleButton = (action: string, pattern: string, label: string): Html =>
    html`<button form="${formId(place)}" name="rule" value="${action} ${pattern}">${label}</button>`
  return [
    ...(current ? [ruleButton('none', current.pattern, menu.none)] : []),
    ...others.map((action) => ruleButton(action, site, menu[action])),
  ]
}
