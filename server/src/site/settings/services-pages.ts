// Settings → My services: what one person alone searches beside the web. Address and token are always entered together, so a
// stored token never goes to a new address, and a token is never shown again. Whoever adds a service receives the owner's
// searches, so adding, changing and removing one ask for the password again. A query that tries one is in no URL.
import type { Engine } from '@bowerbird/engines/engine.ts'
import { hostOf } from '@bowerbird/engines/parsing/http-address.ts'
import { z } from 'zod'
import type { FieldMessages } from '../../errors.ts'
import { MAX_QUERY_LENGTH } from '../../search/read-filters.ts'
import type { TrialReport } from '../../search/try-engine.ts'
import { MAX_SERVICES, type PersonService, type SavedService } from '../../settings/person-services.ts'
import { actingAccess, type FormState, type SignedInContext, textInput } from '../accounts/account-forms.ts'
import { PageError } from '../http/error-pages.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, redirectTo, type View } from '../http/page.ts'
import { dataTable } from '../parts/data-table.ts'
import { actions, button, buttonLink, postForm, selectField, textField } from '../parts/form.ts'
import { capitalised } from '../parts/formats.ts'
import { emptyState, notice } from '../parts/notice.ts'
import { settingsView } from '../parts/settings-view.ts'
import { externalLink } from '../search/result-parts.ts'

const PATH = '/settings/services'
const MAX_LENGTH = 1_000
const HITS_SHOWN = 3

const listPage = definePage({
  method: 'GET',
  path: PATH,
  access: 'user',
  query: z.object({ done: z.literal('removed').optional().catch(undefined) }),
  async handle(context) {
    const { words, services, viewer, query } = context
    const text = words.services
    const listed = await services.services.list(viewer.userId)
    return settingsView(context, PATH, {
      title: text.title,
      content: html`${query.done && notice('good', text.removed)}<p class="measure">${text.intro}</p>
${listed.length > 0 ? serviceTable(context, listed) : emptyState({ title: text.empty, help: text.emptyHelp })}
${addSection(context, listed.length)}`,
    })
  },
})

function serviceTable({ words: { services: text } }: SignedInContext, listed: readonly PersonService[]): Html {
  return dataTable<PersonService>(
    text.title,
    [
      {
        label: text.service,
        isHeading: true,
        cell: (service) => html`<a href="${PATH}/${service.id}">${nameOf(service)}</a>`,
      },
      { label: text.address, cell: ({ settings }) => (settings ? hostOf(settings.baseUrl) : text.unreadable) },
    ],
    listed,
  )
}

function addSection({ words: { services: text }, services }: SignedInContext, count: number): Html {
  const { canStore, presets } = services.services
  const names = presets().toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
  const links = names.map(({ slug, name }) => html`<li><a href="${PATH}/new/${slug}">${name}</a></li>`)
  return html`<section class="stack"><h2>${text.add}</h2>${
    !canStore
      ? notice('partial', text.noSecret)
      : count >= MAX_SERVICES
        ? notice('plain', text.full({ most: MAX_SERVICES }))
        : html`<ul class="program-list">${links}</ul>`
  }</section>`
}

const newPage = definePage({
  method: 'GET',
  path: `${PATH}/new/:engine`,
  access: 'user',
  stepUp: `${PATH}/new/:engine`,
  handle: (context) => formView(context, { engine: presetOf(context) }),
})

const addAction = definePage({
  method: 'POST',
  path: `${PATH}/new/:engine`,
  access: 'user',
  stepUp: `${PATH}/new/:engine`,
  form: () => z.object({ baseUrl: textInput, linkUrl: textInput, apiKey: textInput }),
  handle: (context) => save(context, { engine: presetOf(context) }),
})

const servicePage = definePage({
  method: 'GET',
  path: `${PATH}/:serviceId`,
  access: 'user',
  query: z.object({ done: z.literal('saved').optional().catch(undefined) }),
  async handle(context) {
    const service = await serviceOf(context)
    return serviceView(context, service, { note: context.query.done && notice('good', context.words.services.saved) })
  },
})

const tryAction = definePage({
  method: 'POST',
  path: `${PATH}/:serviceId/try`,
  access: 'user',
  quota: 'search',
  form: ({ services: { queryMissing } }) =>
    z.object({ q: z.string(queryMissing).trim().min(1, queryMissing).max(MAX_QUERY_LENGTH, queryMissing) }),
  async handle(context) {
    const service = await serviceOf(context)
    const { form, viewer, services } = context
    if (!form.ok) return serviceView(context, service, { messages: form.messages, status: 400 })
    const report = await services.services.try(viewer.userId, service.id, form.values.q)
    if (!report) throw new PageError('notFound')
    return serviceView(context, service, { note: reportOf(context, report) })
  },
})

const changePage = definePage({
  method: 'GET',
  path: `${PATH}/:serviceId/change`,
  access: 'user',
  stepUp: `${PATH}/:serviceId/change`,
  handle: async (context) => formView(context, changed(await serviceOf(context))),
})

const changeAction = definePage({
  method: 'POST',
  path: `${PATH}/:serviceId/change`,
  access: 'user',
  stepUp: `${PATH}/:serviceId/change`,
  form: () => z.object({ baseUrl: textInput, linkUrl: textInput, apiKey: textInput }),
  handle: async (context) => save(context, changed(await serviceOf(context))),
})

const removeAction = definePage({
  method: 'POST',
  path: `${PATH}/:serviceId/remove`,
  access: 'user',
  stepUp: `${PATH}/:serviceId`,
  async handle(context) {
    const { id } = await serviceOf(context)
    await context.services.services.remove(actingAccess(context), context.viewer.userId, id)
    return redirectTo(`${PATH}?done=removed`)
  },
})

export const servicesPages = [
  listPage,
  newPage,
  addAction,
  servicePage,
  tryAction,
  changePage,
  changeAction,
  removeAction,
]

const nameOf = ({ engine, slug }: PersonService): string => engine?.name ?? slug

function presetOf({ services, params }: SignedInContext): Engine {
  const engine = services.services.presets().find(({ slug }) => slug === params['engine'])
  if (!engine) throw new PageError('notFound')
  return engine
}

async function serviceOf({ services, viewer, params }: SignedInContext): Promise<PersonService> {
  const listed = await services.services.list(viewer.userId)
  const service = listed.find(({ id }) => id === params['serviceId'])
  if (!service) throw new PageError('notFound')
  return service
}

/** What the form is for: a new service, or one with its settings so far. */
interface Editing {
  engine: Engine
  service?: PersonService
}

function changed(service: PersonService): Editing {
  const { engine } = service
  if (!engine) throw new PageError('notFound')
  return { engine, service }
}

async function save(context: SignedInContext, editing: Editing) {
  const { services, viewer, submitted, words } = context
  if (!services.services.canStore) return redirectTo(PATH)
  const { engine, service } = editing
  const edit = { id: service?.id, engine, given: submitted }
  const saved = await services.services.save(actingAccess(context), viewer.userId, edit)
  if (saved.ok) return redirectTo(`${PATH}/${saved.id}?done=saved`)
  return saved.mistakes === 'full'
    ? formView(context, editing, { status: 409, note: notice('bad', words.services.full({ most: MAX_SERVICES })) })
    : formView(context, editing, { status: 400, messages: messagesOf(context, saved.mistakes) })
}

const messagesOf = (
  { words }: SignedInContext,
  mistakes: Exclude<Extract<SavedService, { ok: false }>['mistakes'], 'full'>,
): FieldMessages =>
  Object.fromEntries(Object.entries(mistakes).map(([name, mistake]) => [name, [words.services.mistakes[mistake]]]))

/** The address comes first, the token last. What was typed as a token isn't sent back. */
function formView(context: SignedInContext, { engine, service }: Editing, form: FormState = {}): View {
  const { words, services, submitted } = context
  const text = words.services
  const { messages = {}, note, status, headers } = form
  const known: Readonly<Record<string, string>> = { ...service?.settings, ...submitted }
  const rank = (name: string, isSecret: boolean) => (name === 'baseUrl' ? 0 : isSecret ? 2 : 1)
  const fields = Object.entries(engine.settings)
    .toSorted(([one, { isSecret }], [other, { isSecret: isOther }]) => rank(one, isSecret) - rank(other, isOther))
    .map(([name, { isSecret, fallback, oneOf }]) => {
      const { label, help } = (isSecret ? text.secrets[name] : text.fields[name]) ?? { label: name, help: undefined }
      const common = {
        name,
        label,
        help: help ?? (isSecret ? text.secretHelp : text.otherHelp({ name: engine.name })),
        errors: messages[name],
        optional: fallback === undefined ? undefined : words.frame.optional,
        value: known[name] ?? fallback,
      }
      return oneOf
        ? selectField({ ...common, options: oneOf.map((value) => ({ value, label: value })) })
        : textField({ ...common, type: isSecret ? 'password' : 'text', maxlength: MAX_LENGTH })
    })
  const action = service ? `${PATH}/${service.id}/change` : `${PATH}/new/${engine.slug}`
  const back = service ? `${PATH}/${service.id}` : PATH
  const body = html`${fields}${actions(button(text.save), buttonLink(words.frame.cancel, back))}`
  return settingsView(context, PATH, {
    title: service ? text.changeTitle({ name: engine.name }) : text.addTitle({ name: engine.name }),
    content: html`${note}${
      services.services.canStore
        ? html`<p class="measure">${text.together}</p>${postForm(context, { action, body })}`
        : notice('partial', text.noSecret)
    }`,
    status,
    headers,
  })
}

function serviceView(
  context: SignedInContext,
  service: PersonService,
  { note, messages = {}, status }: FormState,
): View {
  const { words, submitted } = context
  const text = words.services
  const { id, settings } = service
  const tryForm = html`${textField({ name: 'q', label: text.query, value: submitted['q'], maxlength: MAX_QUERY_LENGTH, errors: messages['q'] })}
${actions(button(text.try))}`
  return settingsView(context, PATH, {
    title: nameOf(service),
    content: html`${note}${
      settings
        ? html`<dl class="facts"><dt>${text.address}</dt><dd>${settings.baseUrl}</dd></dl>
${postForm(context, { action: `${PATH}/${id}/try`, body: tryForm })}
<p>${buttonLink(text.change, `${PATH}/${id}/change`)}</p>`
        : notice('partial', text.unreadable)
    }
${postForm(context, { action: `${PATH}/${id}/remove`, body: actions(button(text.remove, 'danger'), buttonLink(text.back, PATH)) })}`,
    status,
  })
}

/** The first hits, or in words why there are none. */
function reportOf(context: SignedInContext, report: TrialReport): Html {
  const text = context.words.services
  if (report.error) return notice('bad', troubleOf(context, report))
  if (report.hits.length === 0) return notice('plain', text.nothing)
  const hits = report.hits
    .slice(0, HITS_SHOWN)
    .map(
      ({ title, url, description }) =>
        html`<li><a ${externalLink(url, context.preferences)} dir="auto">${title || url}</a>${description !== '' && html`<br><span class="quiet">${description}</span>`}</li>`,
    )
  return html`${notice('good', text.works)}<ol class="trial-hits">${hits}</ol>`
}

function troubleOf({ words, locale }: SignedInContext, { name, status, error }: TrialReport): string {
  const text = words.services
  const kind = error?.kind ?? ''
  if (status === 401 || status === 403) return text.tokenRefused
  if (status !== undefined && status >= 500) return text.serverError({ status })
  if (kind === 'timeout' || kind === 'unreachable') return text.unreachable
  if (kind === 'throttled' || kind === 'open' || kind === 'busy')
    return `${capitalised(words.search.failures[kind]({ engine: name }), locale)}.`
  return text.notThis({ name })
}
