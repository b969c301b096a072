// Renders the pages of `sites-pages.ts`: the list with a search, adding, import and export, subscriptions.

import type { FieldMessages } from '../../errors.ts'
import type { KeyRecord } from '../../keys/key-records.ts'
import {
  LIST_ACTIONS,
  type RuleAction,
  type RuleBook,
  type RuleSubscription,
  type SiteRule,
} from '../../rules/site-rules.ts'
import { keyLine } from '../accounts/key-pages.ts'
import { RULE_ACTIONS } from '../browser-rules.ts'
import { type Html, html } from '../http/html.ts'
import type { PageContext, View } from '../http/page.ts'
import type { OwnedRules } from '../own-rules.ts'
import { dataTable } from '../parts/data-table.ts'
import { actions, button, buttonLink, postForm, selectField, textArea, textField } from '../parts/form.ts'
import { showPast } from '../parts/formats.ts'
import { emptyState, notice } from '../parts/notice.ts'
import { settingsView } from '../parts/settings-view.ts'

/** Whose sites a page is about. */
export interface SitesOwner {
  kind: 'person' | 'browser' | 'instance' | 'key'
  /** Of the page. */
  path: string
  /** The entry in the list of settings that it belongs to. */
  current: '/settings/sites' | '/admin/sites' | '/settings/keys'
  key?: KeyRecord
  rules: OwnedRules
  /** Left out: the owner can't have any. */
  subscriptions?: {
    subscribe: (subscription: Parameters<RuleBook['subscribe']>[1]) => Promise<void>
    unsubscribe: (id: string) => Promise<void>
  }
}

/** What a page shows besides the sites: what was searched for or typed, what is wrong with it, what has happened. */
export interface SitesDraft {
  find?: string
  draft?: { site?: string; action?: RuleAction | 'rewrite'; to?: string; address?: string }
  errors?: FieldMessages | undefined
  note?: Html | false
  status?: number
}

const MAX_SHOWN = 200
const MAX_PROBLEMS = 10
const MAX_SITE_LENGTH = 500

export async function sitesView(context: PageContext, owner: SitesOwner, state: SitesDraft): Promise<View> {
  const { sites, frame } = context.words
  const words = sites.page
  const { errors, note, status = errors ? 400 : 200 } = state
  const { own, subscriptions } = await owner.rules.list()
  const content = html`${note}${errors && notice('bad', frame.formHasMistakes)}${owner.key && keyLine(owner.key, context)}
<p class="measure">${words.intros[owner.kind]}</p>
${listSection(context, owner, { own, find: state.find ?? '' })}
${addSection(context, owner, state)}
${importSection(context, owner, { errors, hasRules: own.length > 0 })}
${owner.subscriptions && subscriptionSection(context, owner, { subscriptions, state })}`
  return settingsView(context, owner.current, { title: words.titles[owner.kind], content, status })
}

interface Listed {
  own: readonly SiteRule[]
  find: string
}

function listSection(context: PageContext, owner: SitesOwner, { own, find }: Listed): Html {
  const { list: words } = context.words.sites.page
  if (own.length === 0) return emptyState({ title: words.empty, help: words.emptyHelp })
  const wanted = find.trim().toLowerCase()
  const found = own.filter(({ pattern, to = '' }) => pattern.includes(wanted) || to.includes(wanted))
  const shown = found.slice(0, MAX_SHOWN)
  return html`${(own.length > 10 || wanted !== '') && findForm(context, owner, find)}
${found.length === 0 ? html`<p>${words.noneFound}</p>` : siteTable(context, owner, shown)}
${shown.length < found.length && html`<p class="quiet">${words.shown({ shown: shown.length, all: found.length })}</p>`}`
}

function findForm(context: PageContext, { path }: SitesOwner, find: string): Html {
  const { list: words } = context.words.sites.page
  return html`<form class="find" action="${path}" role="search" aria-label="${words.find}"><div class="field"><input type="search" name="find" value="${find}" aria-label="${words.find}" placeholder="${words.find}" maxlength="100" autocapitalize="off" spellcheck="false"></div>${button(words.findSubmit, 'plain')}${find !== '' && html`<a href="${path}">${words.all}</a>`}</form>`
}

const REMOVE_FORM = 'remove-site'

function siteTable(context: PageContext, { path }: SitesOwner, rules: readonly SiteRule[]): Html {
  const { page } = context.words.sites
  const { list: words } = page
  const columns = [
    { label: words.site, isHeading: true, cell: ({ pattern }: SiteRule) => html`<bdi dir="ltr">${pattern}</bdi>` },
    {
      label: words.action,
      cell: ({ action, to = '' }: SiteRule) =>
        action === 'rewrite' ? page.rewrite({ host: to }) : page.actions[action],
    },
    {
      label: words.remove,
      isAction: true,
      cell: ({ pattern }: SiteRule) =>
        html`<button class="link-button" form="${REMOVE_FORM}" name="pattern" value="${pattern}" aria-label="${words.removeSite({ site: pattern })}">${words.remove}</button>`,
    },
  ]
  return html`${postForm(context, { action: `${path}/remove`, body: false, attributes: html` id="${REMOVE_FORM}" hidden` })}<div class="site-list">${dataTable(words.caption, columns, rules)}</div>`
}

function addSection(context: PageContext, { path }: SitesOwner, { draft = {}, errors = {} }: SitesDraft): Html {
  const { frame, sites } = context.words
  const { add: words } = sites.page
  const choices = [...RULE_ACTIONS, 'rewrite'] as const
  const body = html`${textField({ name: 'site', label: words.site, value: draft.site, help: words.siteHelp, errors: errors['site'], maxlength: MAX_SITE_LENGTH })}
${selectField({ name: 'action', label: words.action, value: draft.action ?? 'block', options: choices.map((value) => ({ value, label: words.choices[value] })) })}
${textField({ name: 'to', label: words.to, value: draft.to, help: words.toHelp, errors: errors['to'], optional: frame.optional, maxlength: MAX_SITE_LENGTH })}
${actions(button(words.submit))}`
  return html`<section class="sites-section"><h2>${words.title}</h2>${postForm(context, { action: path, body })}</section>`
}

function importSection(
  context: PageContext,
  { path }: SitesOwner,
  { errors = {}, hasRules }: Pick<SitesDraft, 'errors'> & { hasRules: boolean },
): Html {
  const { import: words } = context.words.sites.page
  // Only the script can read a file into the field.
  const body = html`${textArea({ name: 'text', label: words.text, help: words.help, rows: 6, errors: errors['text'] })}
<p class="field" data-file-into="field-text" hidden><label>${words.file} <input type="file" accept="text/*,.txt,.csv,.json,.yml,.yaml,.goggle"></label></p>
${actions(button(words.submit, 'plain'), hasRules && buttonLink(words.download, `${path}/export`))}`
  return html`<section class="sites-section"><h2>${words.title}</h2>${postForm(context, { action: `${path}/import`, body })}</section>`
}

/** How many sites a list has added, and which of its lines were left out. */
export function importedNote({ words }: PageContext, added: number, problems: readonly string[]): Html {
  const { imported, import: text } = words.sites.page
  const told = problems.slice(0, MAX_PROBLEMS).map((problem) => html`<li>${problem}</li>`)
  const rest = problems.length - told.length
  return html`${notice(added > 0 ? 'good' : 'plain', imported({ count: added }))}${
    problems.length > 0 &&
    notice(
      'partial',
      html`<p>${text.problems({ count: problems.length })}</p><ul>${told}</ul>${rest > 0 && html`<p>${text.more({ count: rest })}</p>`}`,
    )
  }`
}

interface Subscribed {
  subscriptions: readonly RuleSubscription[]
  state: SitesDraft
}

function subscriptionSection(context: PageContext, { path }: SitesOwner, { subscriptions, state }: Subscribed): Html {
  const { lists: words, add } = context.words.sites.page
  const body = html`${textField({ name: 'address', label: words.address, value: state.draft?.address, errors: state.errors?.['address'], maxlength: 2_000 })}
${selectField({ name: 'action', idSuffix: 'list', label: words.action, value: 'block', options: LIST_ACTIONS.map((value) => ({ value, label: add.choices[value] })) })}
${actions(button(words.submit, 'plain'))}`
  return html`<section class="sites-section"><h2>${words.title}</h2><p class="measure">${words.help}</p>
${subscriptions.length > 0 && subscriptionTable(context, path, subscriptions)}
${postForm(context, { action: `${path}/subscribe`, body })}</section>`
}

const UNSUBSCRIBE_FORM = 'unsubscribe'
const UNKNOWN = '–'

function subscriptionTable(context: PageContext, path: string, subscriptions: readonly RuleSubscription[]): Html {
  const { lists: words } = context.words.sites.page
  const numbers = new Intl.NumberFormat(context.locale)
  const columns = [
    {
      label: words.list,
      isHeading: true,
      cell: ({ address, problem }: RuleSubscription) =>
        html`<span><bdi class="list-address" dir="ltr">${address}</bdi>${problem !== '' && html`<span class="beside error">${problem}</span>`}</span>`,
    },
    { label: words.publisher, cell: ({ publisher }: RuleSubscription) => html`<bdi>${publisher || UNKNOWN}</bdi>` },
    { label: words.licence, cell: ({ licence }: RuleSubscription) => html`<bdi>${licence || UNKNOWN}</bdi>` },
    { label: words.size, isNumber: true, cell: ({ rules }: RuleSubscription) => numbers.format(rules) },
    {
      label: words.fetched,
      cell: ({ fetchedAt }: RuleSubscription) =>
        fetchedAt === undefined ? words.never : showPast(new Date(fetchedAt), context),
    },
    {
      label: words.unsubscribe,
      isAction: true,
      cell: ({ id, address }: RuleSubscription) =>
        html`<button class="link-button" form="${UNSUBSCRIBE_FORM}" name="id" value="${id}" aria-label="${words.unsubscribeFrom({ address })}">${words.unsubscribe}</button>`,
    },
  ]
  return html`${postForm(context, { action: `${path}/unsubscribe`, body: false, attributes: html` id="${UNSUBSCRIBE_FORM}" hidden` })}${dataTable(words.caption, columns, subscriptions)}`
}
