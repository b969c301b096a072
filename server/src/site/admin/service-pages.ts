// Administration → Your own services: the operator's services as engines. The list, the presets to choose from, and the
// removal; `service-form-pages.ts` has the forms. Whoever adds one decides which server gets queries, so every page asks for
// the password again, and on a public instance there is none of them.
import type { Accounts } from '../../accounts/accounts.ts'
import type { ServiceEngine, ServiceEngines } from '../../settings/service-engines.ts'
import { PageError } from '../http/error-pages.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type Page, type PageContext, redirectTo, type View, type Viewer } from '../http/page.ts'
import { type Column, dataTable } from '../parts/data-table.ts'
import { actions, button, buttonLink, postForm } from '../parts/form.ts'
import { emptyState, notice } from '../parts/notice.ts'
import { settingsView } from '../parts/settings-view.ts'
import type { EngineAdmin } from './engine-admin.ts'

export interface ServicePagesParts {
  accounts: Accounts
  engines: EngineAdmin
  serviceEngines: ServiceEngines
}

export const LIST_PATH = '/admin/engines/own'
const ADD_PATH = '/admin/engines/own/add'
export const editPath = (slug: string): string => `/admin/engines/own/edit/${slug}`
export const tryPath = (slug: string): string => `/admin/engines/own/try/${slug}`
const removePath = (slug: string): string => `/admin/engines/own/remove/${slug}`

export type AdminPageContext = PageContext<unknown, unknown, Viewer>

/** What the presets find. */
export const PRESET_KINDS = {
  bookmarks: ['karakeep', 'linkding', 'linkwarden', 'readeck'],
  documents: ['nextcloud', 'paperless'],
  feeds: ['freshrss', 'miniflux'],
  wikis: ['bookstack', 'discourse', 'dokuwiki', 'gitlab', 'mediawiki', 'outline', 'trilium', 'wikijs'],
  libraries: ['kiwix', 'zimi'],
  indexes: [
    'datasette',
    'elasticsearch',
    'manticore',
    'meilisearch',
    'opensearch',
    'postgrest',
    'quickwit',
    'solr',
    'typesense',
  ],
  web: ['bowerbird', 'peertube', 'searxng', 'yacy'],
} as const

/** In use, or at least begun here. */
const isAdded = ({ origin, isUsed, fields }: ServiceEngine): boolean =>
  origin !== 'preset' || isUsed || fields.some((field) => field.origin === 'database')

const listPage = ({ engines, serviceEngines }: ServicePagesParts) =>
  definePage({
    method: 'GET',
    path: LIST_PATH,
    access: 'admin',
    stepUp: LIST_PATH,
    handle: (context) => publicView(context) ?? listView({ engines, serviceEngines }, context),
  })

const addPage = ({ serviceEngines }: ServicePagesParts) =>
  definePage({
    method: 'GET',
    path: ADD_PATH,
    access: 'admin',
    stepUp: ADD_PATH,
    handle: (context) => publicView(context) ?? addView(serviceEngines, context),
  })

const confirmRemovalPage = ({ serviceEngines }: ServicePagesParts) =>
  definePage({
    method: 'GET',
    path: removePath(':slug'),
    access: 'admin',
    stepUp: removePath(':slug'),
    handle: (context) => publicView(context) ?? removalView(context, requestedEngine(serviceEngines, context)),
  })

const removePage = ({ accounts, serviceEngines }: ServicePagesParts) =>
  definePage({
    method: 'POST',
    path: removePath(':slug'),
    access: 'admin',
    stepUp: removePath(':slug'),
    async handle(context) {
      const refused = publicView(context)
      if (refused) return refused
      const engine = requestedEngine(serviceEngines, context)
      if (engine.keptBy !== undefined) return { ...removalView(context, engine), status: 409 }
      await serviceEngines.save(serviceEngines.remove(engine), actorOf(accounts, context))
      return redirectTo(LIST_PATH)
    },
  })

export const servicePages = (parts: ServicePagesParts): Page[] => [
  listPage(parts),
  addPage(parts),
  confirmRemovalPage(parts),
  removePage(parts),
]

export const actorOf = (accounts: Accounts, { ip, viewer }: AdminPageContext) =>
  accounts.accessBy({ address: ip, userId: viewer.userId })

/** Visitors must not get an instance to call the operator's own network, so nobody changes anything while there are any. */
export const publicView = (context: AdminPageContext): View | undefined =>
  context.isPublic
    ? view(context, {
        title: context.words.ownEngines.title,
        content: notice('partial', context.words.ownEngines.isPublic),
        status: 403,
      })
    : undefined

export const view = (context: AdminPageContext, page: { title: string; content: Html; status?: number }): View =>
  settingsView(context, '/admin/engines', { ...page, headers: { 'Cache-Control': 'no-store' } })

export function requestedEngine(serviceEngines: ServiceEngines, { params }: AdminPageContext): ServiceEngine {
  const engine = serviceEngines.list().find(({ slug }) => slug === params['slug'])
  if (!engine) throw new PageError('notFound')
  return engine
}

export const backLink = ({ words }: AdminPageContext): Html =>
  html`<p><a href="${LIST_PATH}">${words.ownEngines.back}</a></p>`

function listView(parts: Pick<ServicePagesParts, 'engines' | 'serviceEngines'>, context: AdminPageContext): View {
  const text = context.words.ownEngines
  const engines = parts.serviceEngines.list().filter(isAdded)
  const add = buttonLink(text.add, ADD_PATH, 'primary')
  const content = html`<p class="measure">${text.intro}</p>
${engines.length === 0 ? emptyState({ title: text.none, help: text.noneHelp, action: add }) : html`${dataTable(text.title, columnsOf(parts.engines, context), engines)}${actions(add)}`}
<p><a href="/admin/engines">${context.words.admin.engines.back}</a></p>`
  return view(context, { title: text.title, content })
}

function columnsOf(engines: EngineAdmin, { words }: AdminPageContext): Column<ServiceEngine>[] {
  const text = words.ownEngines
  const states = new Map(engines.catalogue.map(({ slug, state }) => [slug, state]))
  const link = (path: string, label: string, name: string) =>
    html`<a href="${path}">${label}<span class="visually-hidden"> ${name}</span></a>`
  return [
    {
      label: text.service,
      isHeading: true,
      cell: ({ slug, name }) => html`<span>${name} <code class="quiet">${slug}</code></span>`,
    },
    { label: text.origin, cell: ({ origin }) => text.origins[origin] },
    { label: text.state, cell: ({ slug }) => text.states[states.get(slug) ?? 'unbound'] },
    {
      label: text.actions,
      isAction: true,
      cell: ({ slug, name, tab, keptBy }) => html`<span class="row-links">${link(editPath(slug), text.edit, name)}
${tab && states.get(slug) === 'on' && link(tryPath(slug), text.try, name)}
${keptBy === undefined && link(removePath(slug), text.remove, name)}</span>`,
    },
  ]
}

function addView(serviceEngines: ServiceEngines, context: AdminPageContext): View {
  const text = context.words.ownEngines
  const presets = serviceEngines.list().filter((engine) => !isAdded(engine))
  const kinds = Object.entries(PRESET_KINDS).map(([kind, slugs]) => ({
    // It is one of its own keys.
    title: text.kinds[kind as keyof typeof PRESET_KINDS],
    engines: presets.filter(({ slug }) => slugs.some((known) => known === slug)),
  }))
  const content = html`${backLink(context)}<p class="measure">${text.addHelp}</p>
${kinds.map(
  ({ title, engines }) =>
    engines.length > 0 &&
    html`<section class="stack"><h2>${title}</h2><ul class="presets">${engines.map(({ slug, name }) => html`<li><a href="${editPath(slug)}">${name}</a></li>`)}</ul></section>`,
)}`
  return view(context, { title: text.add, content })
}

function removalView(context: AdminPageContext, { slug, name, origin, keptBy }: ServiceEngine): View {
  const text = context.words.ownEngines
  const body = actions(button(text.remove, 'danger'), buttonLink(context.words.frame.cancel, LIST_PATH))
  const content =
    keptBy === undefined
      ? html`<p class="measure">${origin === 'document' ? text.removeDocumentHelp : text.removeHelp}</p>${postForm(context, { action: removePath(slug), body })}`
      : notice('partial', text.keptBy({ setting: keptBy }))
  return view(context, { title: text.removeTitle({ name }), content: html`${backLink(context)}${content}` })
}
