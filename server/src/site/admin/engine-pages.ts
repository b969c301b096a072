// Administration → Engines: every public engine as a row; those in use first, then those that work without a key, then
// those that need one. What a row's form sets is one change of the settings. It decides who sees queries and who is paid,
// so it asks for the password again.
import { z } from 'zod'
import type { Accounts } from '../../accounts/accounts.ts'
import { type FieldMessages, Refusal } from '../../errors.ts'
import type { CatalogueEntry } from '../../search/engine-catalogue.ts'
import { readWhen } from '../../search/thin.ts'
import type { EngineWish } from '../../settings/engine-settings.ts'
import type { KeylessSetting } from '../../settings/keyless-setting.ts'
import type { SettingsDesk } from '../../settings/settings-desk.ts'
import { actingAccess } from '../accounts/account-forms.ts'
import { PageError } from '../http/error-pages.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type Page, type PageContext, redirectTo, type View } from '../http/page.ts'
import type { Words } from '../i18n/messages.ts'
import { settingsView } from '../parts/settings-view.ts'
import type { EngineAdmin } from './engine-admin.ts'
import { type EngineForms, enginePanel, findEngine, groupedRows, listedEngines, tryForm } from './engine-rows.ts'
import { type EngineTrialParts, trialView } from './engine-trial.ts'
import { keylessPageAt, keylessSection } from './keyless-choice.ts'
import { KEY_FORM, MAX_KEY_LENGTH, sourceKeysSection } from './provider-key-pages.ts'

export interface EnginePagesParts extends EngineTrialParts {
  accounts: Accounts
  engines: EngineAdmin
  keyless: KeylessSetting
  settings: SettingsDesk
}

const PATH = '/admin/engines'
const KEYLESS_PATH = '/admin/engines/keyless'

/** The row that is open, and whether its form was just saved. */
export const openedRow = z.object({
  engine: z.string().max(40).catch(''),
  done: z.enum(['saved']).optional().catch(undefined),
})

const listPage = (parts: EnginePagesParts) =>
  definePage({
    method: 'GET',
    path: PATH,
    access: 'admin',
    query: openedRow,
    handle(context) {
      const { admin } = context.words
      const text = admin.engines
      const sections = sectionsOf(listedEngines(parts.engines))
      const index = [
        ...sections.map(({ id }) => [id, text.sections[id]] as const),
        ['keyless', admin.keyless.title] as const,
        ['keys', admin.keys.title] as const,
      ]
      return settingsView(context, PATH, {
        title: text.title,
        content: html`<p class="measure">${text.intro}</p>
<nav class="page-index" aria-label="${admin.providers.index}"><ul>${index.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>
${sections.map(({ id, entries }) => html`<section class="stack" id="${id}"><h2>${text.sections[id]}</h2>${groupedRows(parts, context, entries, { forms: FORMS, opened: context.query })}</section>`)}
${keylessSection(parts.keyless, context, KEYLESS_PATH)}
${sourceKeysSection(parts.settings, context)}
<p><a href="/admin/engines/own">${context.words.ownEngines.link}</a></p>`,
      })
    },
  })

const SECTIONS = ['used', 'ready', 'needing'] as const

function sectionsOf(
  entries: readonly CatalogueEntry[],
): { id: (typeof SECTIONS)[number]; entries: CatalogueEntry[] }[] {
  const groups = Map.groupBy(entries, ({ state, needs }) =>
    state === 'on' ? 'used' : needs.length === 0 ? 'ready' : 'needing',
  )
  return SECTIONS.flatMap((id) => ({ id, entries: groups.get(id) ?? [] })).filter(({ entries }) => entries.length > 0)
}

/** One engine after something was sent: what is wrong with it, or what its trial brought. */
interface EngineView {
  entry: CatalogueEntry
  content: Html
  status?: number
}

interface EnginePlace extends EngineForms {
  view: (context: PageContext, shown: EngineView) => View
}

/** The page with the rows is `path`. */
export const enginePagesAt = (parts: EnginePagesParts, place: EnginePlace) => [
  savePageAt(parts, place),
  tryPageAt(parts, place),
]

const savePageAt = (parts: EnginePagesParts, place: EnginePlace) =>
  definePage({
    method: 'POST',
    path: place.path,
    access: 'admin',
    stepUp: place.path,
    form: engineForm,
    async handle(context) {
      const { form, submitted } = context
      const entry = requireEngine(parts.engines, submitted['engine'])
      const refuse = (problem: { messages?: FieldMessages; refusal?: string }) =>
        place.view(context, {
          entry,
          content: enginePanel(parts, context, entry, { forms: place, ...problem }),
          status: 400,
        })
      if (!form.ok) return refuse({ messages: form.messages })
      const read = wishOf(parts.settings, context, entry, form.values)
      if ('messages' in read) return refuse(read)
      try {
        const changed = await parts.settings.changeEngine(actingAccess(parts.accounts, context), entry.slug, read.wish)
        const done = changed.length === 0 ? '' : '&done=saved'
        return redirectTo(`${place.path}?engine=${entry.slug}${done}#engine-${entry.slug}`)
      } catch (error) {
        return refuse({ refusal: sentenceOf(error) })
      }
    },
  })

const engineForm = ({ admin: { engines, keys } }: Words) =>
  z.object({
    engine: z.string().max(40),
    key: z.string().trim().max(MAX_KEY_LENGTH, keys.missing).optional(),
    place: z
      .string()
      .regex(/^(?:on|off|[A-Z])$/, engines.badPlace)
      .optional(),
    weight: numberIn(engines.badWeight, 0.01, 100).optional(),
    when: z
      .string()
      .refine((text) => readWhen(text) !== undefined, engines.badWhen)
      .optional(),
    calls: numberOrNothing(/^\d{0,12}$/, engines.badCalls).optional(),
    usd: numberOrNothing(/^(?:\d{1,9}(?:\.\d{1,6})?)?$/, engines.badUsd).optional(),
  })

/** With a comma or a point. */
const numberOrNothing = (form: RegExp, message: string) =>
  z
    .string()
    .trim()
    .transform((text) => text.replace(',', '.'))
    .pipe(z.string().regex(form, message))

const numberIn = (message: string, min: number, max: number) =>
  numberOrNothing(/^\d{1,3}(?:\.\d{1,4})?$/, message).refine(
    (text) => Number(text) >= min && Number(text) <= max,
    message,
  )

type EngineInput = z.output<ReturnType<typeof engineForm>>

function wishOf(
  settings: SettingsDesk,
  { words }: PageContext,
  { slug }: CatalogueEntry,
  { key: pasted = '', place, weight, when, calls, usd }: EngineInput,
): { wish: EngineWish } | { messages: FieldMessages } {
  const text = words.admin
  const isLetter = place !== undefined && place.length === 1
  if (isLetter && !settings.freeSlots().includes(place)) return { messages: { place: [text.engines.badPlace] } }
  if (pasted === '') return { wish: { place, weight, when, calls, usd } }
  const key = settings.keys().find(({ engine, origin }) => engine === slug && origin !== 'environment')
  if (!key || !settings.takesSecrets || !KEY_FORM.test(pasted)) return { messages: { key: [text.keys.missing] } }
  return { wish: { key: { setting: key.setting, value: pasted }, place, weight, when, calls, usd } }
}

/** What a change of settings was refused for. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Refusal && typeof error.body['detail'] === 'string') return error.body['detail']
  throw error
}

const tryPageAtForm = ({ admin: { engines } }: Words) =>
  z.object({
    engine: z.string().max(40),
    tab: z.string().max(10),
    q: z.string().trim().min(1, engines.queryMissing).max(500, engines.queryMissing),
  })

const tryPageAt = (parts: EnginePagesParts, place: EnginePlace) =>
  definePage({
    method: 'POST',
    path: `${place.path}/try`,
    access: 'admin',
    quota: 'search',
    form: tryPageAtForm,
    async handle(context) {
      const { form, submitted, words } = context
      const entry = requireEngine(parts.engines, submitted['engine'])
      const refuse = (messages: FieldMessages) =>
        place.view(context, { entry, content: tryForm(context, entry, { forms: place, messages }), status: 400 })
      if (!form.ok) return refuse(form.messages)
      const { tab, q: text } = form.values
      const report = await parts.engines.tryEngine({ slug: entry.slug, tab, text })
      if (!report) return refuse({ q: [words.admin.engines.notOn] })
      const content = html`${tryForm(context, entry, { forms: place })}${trialView(parts, context, entry, report)}`
      return place.view(context, { entry, content })
    },
  })

function requireEngine(engines: EngineAdmin, slug = ''): CatalogueEntry {
  const entry = findEngine(engines, slug)
  if (!entry) throw new PageError('notFound')
  return entry
}

const FORMS = { path: PATH, isShort: false } as const

const engineView = (context: PageContext, { entry, content, status = 200 }: EngineView): View =>
  settingsView(context, PATH, {
    title: entry.name,
    content: html`<p><a href="${PATH}?engine=${entry.slug}#engine-${entry.slug}">${context.words.admin.engines.back}</a></p>
<div class="engine-panel">${content}</div>`,
    status,
    headers: { 'Cache-Control': 'no-store' },
  })

export const enginePages = (parts: EnginePagesParts): Page[] => [
  listPage(parts),
  ...enginePagesAt(parts, { ...FORMS, view: engineView }),
  keylessPageAt(parts, { path: KEYLESS_PATH, from: PATH, next: `${PATH}#keyless` }),
]
