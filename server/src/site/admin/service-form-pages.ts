// Administration → Your own services: the form of one service, and one query to try it. The form is made from the settings
// that the engine declares. A secret is never shown again, and must be entered anew with another address
// (`settings/service-engines.ts`).
import { z } from 'zod'
import type { Accounts } from '../../accounts/accounts.ts'
import { Refusal } from '../../errors.ts'
import type { TrialReport } from '../../search/try-engine.ts'
import type {
  ServiceEdits,
  ServiceEngine,
  ServiceEngines,
  ServiceField,
  ServiceProblem,
} from '../../settings/service-engines.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type Page, type PageReply, redirectTo, type View } from '../http/page.ts'
import type { Words } from '../i18n/messages.ts'
import { findText } from '../i18n/messages.ts'
import { actions, button, buttonLink, postForm, selectField, textField } from '../parts/form.ts'
import { dollars, PRICE_DIGITS } from '../parts/formats.ts'
import { notice } from '../parts/notice.ts'
import type { EngineAdmin } from './engine-admin.ts'
import {
  type AdminPageContext,
  actorOf,
  backLink,
  editPath,
  LIST_PATH,
  publicView,
  requestedEngine,
  tryPath,
  view,
} from './service-pages.ts'

export interface ServiceFormPagesParts {
  accounts: Accounts
  engines: EngineAdmin
  serviceEngines: ServiceEngines
}

const MAX_VALUE_LENGTH = 4_000
const SHOWN_HITS = 3

const editPage = ({ serviceEngines }: ServiceFormPagesParts) =>
  definePage({
    method: 'GET',
    path: editPath(':slug'),
    access: 'admin',
    stepUp: editPath(':slug'),
    handle: (context) =>
      publicView(context) ?? formView(serviceEngines, context, { engine: requestedEngine(serviceEngines, context) }),
  })

const saveEditPage = ({ accounts, serviceEngines }: ServiceFormPagesParts) =>
  definePage({
    method: 'POST',
    path: editPath(':slug'),
    access: 'admin',
    stepUp: editPath(':slug'),
    handle: async (context) =>
      publicView(context) ??
      (await save({ accounts, serviceEngines }, context, requestedEngine(serviceEngines, context))),
  })

const TryQuery = z.object({ saved: z.literal('1').optional().catch(undefined) })

const tryPage = ({ serviceEngines }: ServiceFormPagesParts) =>
  definePage({
    method: 'GET',
    path: tryPath(':slug'),
    access: 'admin',
    stepUp: tryPath(':slug'),
    query: TryQuery,
    handle(context) {
      const refused = publicView(context)
      const note = context.query.saved && notice('good', context.words.ownEngines.saved)
      return refused ?? tryView(context, requestedEngine(serviceEngines, context), { above: html`${note}` })
    },
  })

const runTrialForm = ({ ownEngines }: Words) =>
  z.object({ q: z.string().trim().min(1, ownEngines.queryMissing).max(500, ownEngines.queryMissing) })

const runTrialPage = ({ engines, serviceEngines }: ServiceFormPagesParts) =>
  definePage({
    method: 'POST',
    path: tryPath(':slug'),
    access: 'admin',
    stepUp: tryPath(':slug'),
    quota: 'search',
    form: runTrialForm,
    async handle(context) {
      const refused = publicView(context)
      if (refused) return refused
      const engine = requestedEngine(serviceEngines, context)
      const { form, words } = context
      if (!form.ok) return tryView(context, engine, { errors: form.messages['q'], status: 400 })
      const report = await engines.tryEngine({ slug: engine.slug, tab: engine.tab ?? '', text: form.values.q })
      const above = report ? trialOf(context, report) : notice('partial', words.ownEngines.notOn)
      return tryView(context, engine, { above, ...(!report && { status: 409 }) })
    },
  })

export const serviceFormPages = (parts: ServiceFormPagesParts): Page[] => [
  editPage(parts),
  saveEditPage(parts),
  tryPage(parts),
  runTrialPage(parts),
]

async function save(
  { accounts, serviceEngines }: Pick<ServiceFormPagesParts, 'accounts' | 'serviceEngines'>,
  context: AdminPageContext,
  engine: ServiceEngine,
): Promise<PageReply> {
  const { submitted, words } = context
  const changes = serviceEngines.editsFor(engine, submitted)
  if (!changes.ok) {
    const { problems } = changes
    const isPlace = typeof problems === 'string'
    const failure = isPlace ? words.ownEngines.noPlace[problems] : undefined
    return formView(serviceEngines, context, { engine, failure, problems: isPlace ? {} : problems, status: 400 })
  }
  try {
    await serviceEngines.save(changes.edits, actorOf(accounts, context))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { detail } = error.body
    return formView(serviceEngines, context, { engine, failure: String(detail ?? ''), status: error.status })
  }
  return redirectTo(`${tryPath(engine.slug)}?saved=1`)
}

interface FormState {
  engine: ServiceEngine
  problems?: Exclude<Extract<ServiceEdits, { ok: false }>['problems'], string>
  /** What is wrong with the whole, in a sentence. */
  failure?: string | undefined
  status?: number
}

function formView(serviceEngines: ServiceEngines, context: AdminPageContext, state: FormState): View {
  const { engine, problems = {}, failure, status = 200 } = state
  const { words } = context
  const text = words.ownEngines
  const hasSecret = engine.fields.some(({ kind, origin }) => kind === 'secret' && origin !== 'environment')
  const body = html`${engine.fields.map((field) => fieldOf(context, field, problems[field.setting]))}
${actions(button(text.save), buttonLink(words.frame.cancel, LIST_PATH))}`
  const content = html`${backLink(context)}${failure && notice('bad', failure)}
${hasSecret && !serviceEngines.canStore && notice('partial', words.admin.keys.noSecret)}
<p class="measure"><a href="${engine.homepage}" rel="noreferrer">${engine.homepage}</a></p>
<p class="measure">${engine.isPrivate ? text.privateHelp : text.publicHelp}</p>
${postForm(context, { action: editPath(engine.slug), body })}`
  return view(context, { title: engine.name, content, status })
}

function fieldOf(context: AdminPageContext, field: ServiceField, problem: ServiceProblem | undefined): Html {
  const { words, submitted } = context
  const text = words.ownEngines
  const { setting, kind, oneOf, origin, isRequired, fallback } = field
  const name = kind === 'other' ? setting : text.fields[kind]
  if (origin === 'environment')
    return html`<p class="field"><strong>${name}</strong> ${text.fromEnvironment({ setting })}</p>`
  const isKept = kind === 'secret' && origin === 'database'
  const helps = [kind === 'other' ? '' : text.helps[kind], fallback === '' ? '' : text.fallback({ value: fallback })]
  const parts = {
    name: setting,
    label: name,
    help: isKept ? text.secretKept : helps.filter(Boolean).join(' '),
    errors: problem && [text.problems[problem]],
    optional: isRequired && !isKept ? undefined : text.optional,
  }
  const value = kind === 'secret' ? undefined : (submitted[setting] ?? field.value)
  if (oneOf) {
    const options = oneOf.map((one) => ({ value: one, label: one }))
    return selectField({ ...parts, value: value || fallback, options })
  }
  return textField({ ...parts, value, maxlength: MAX_VALUE_LENGTH, type: kind === 'secret' ? 'password' : 'text' })
}

interface TryState {
  above?: Html
  errors?: readonly string[] | undefined
  status?: number
}

function tryView(
  context: AdminPageContext,
  { slug, name }: ServiceEngine,
  { above, errors, status = 200 }: TryState,
): View {
  const text = context.words.ownEngines
  const body = html`${textField({ name: 'q', label: text.query, value: context.submitted['q'], maxlength: 500, errors })}
${actions(button(text.try), buttonLink(text.edit, editPath(slug)))}`
  return view(context, {
    title: text.tryTitle({ name }),
    content: html`${backLink(context)}${above}<p class="measure">${text.tryHelp}</p>${postForm(context, { action: tryPath(slug), body })}`,
    status,
  })
}

function callPrice({ words, locale }: AdminPageContext, terms: TrialReport['terms']): string {
  if (terms.isPriceUnknown) return words.admin.engines.callUnpriced
  if (terms.pricePerCallMicros === 0) return words.ownEngines.free
  return words.ownEngines.price({ money: dollars(terms.pricePerCallMicros, locale, PRICE_DIGITS) })
}

/** What came back, in the reader's words: whether it was the key, the network or the document. */
function trialOf(context: AdminPageContext, report: TrialReport): Html {
  const { words, locale } = context
  const text = words.ownEngines
  const numbers = new Intl.NumberFormat(locale)
  const { request, status, hits, error, dropped, terms } = report
  const ms = numbers.format(report.ms)
  const requestText = [
    `${request.method} ${request.path}`,
    ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
    ...(request.body === '' ? [] : ['', request.body]),
  ].join('\n')
  const price = callPrice(context, terms)
  return html`<section class="stack">
${error ? notice('bad', `${findText(words.status.troubles, error.kind) ?? error.message} ${findText(words.status.advice, error.kind) ?? ''}`) : notice('good', text.results({ count: hits.length }))}
<p>${status === undefined ? text.noReply({ ms }) : text.reply({ status: String(status), ms })} ${price}</p>
<ol class="trial-hits">${hits.slice(0, SHOWN_HITS).map((hit) => html`<li><a href="${hit.url}" rel="noreferrer">${hit.title || hit.url}</a>${hit.description !== '' && html`<br><span class="quiet">${hit.description}</span>`}</li>`)}</ol>
${dropped.length > 0 && html`<h2>${text.dropped}</h2><ul>${dropped.map((sentence) => html`<li>${sentence}</li>`)}</ul>`}
<h2>${text.request}</h2><pre class="trial-request" tabindex="0"><code>${requestText}</code></pre></section>`
}
