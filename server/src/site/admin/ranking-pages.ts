// Administration → Ranking: the weights that calibrations gave, and the calibrations themselves.
// `calibration-pages.ts` has the pages of one calibration.
import { TABS } from '@bowerbird/engines/engine.ts'
import { z } from 'zod'
import type { Accounts } from '../../accounts/accounts.ts'
import {
  type CalibratedWeights,
  parseCalibratedWeights,
  WEIGHTS_SETTING,
} from '../../search/calibration/calibrated-weights.ts'
import { isGraded, resultOf } from '../../search/calibration/calibration-result.ts'
import type { Calibration } from '../../search/calibration/calibration-store.ts'
import type { Calibrations } from '../../search/calibration/calibrations.ts'
import { CALIBRATED_LANGUAGES, CALIBRATED_TABS, MAX_QUERIES } from '../../search/calibration/calibrations.ts'
import { isTooLong, MAX_QUERY_LENGTH } from '../../search/read-filters.ts'
import type { SettingsDesk } from '../../settings/settings-desk.ts'
import { actingAccess } from '../accounts/account-forms.ts'
import { type Html, html, joined } from '../http/html.ts'
import { definePage, type Page, type PageContext, redirectTo, type View } from '../http/page.ts'
import type { Words } from '../i18n/messages.ts'
import { dataTable } from '../parts/data-table.ts'
import { actions, button, buttonLink, postForm, selectField, textArea } from '../parts/form.ts'
import { capitalised, languageName, showPast } from '../parts/formats.ts'
import { emptyState, notice } from '../parts/notice.ts'
import { settingsView } from '../parts/settings-view.ts'
import type { EngineAdmin } from './engine-admin.ts'
import { sentenceOf } from './engine-pages.ts'

export interface RankingPagesParts {
  accounts: Accounts
  engines: EngineAdmin
  calibrations: Calibrations
  settings: SettingsDesk
}

export const RANKING_PATH = '/admin/ranking'

const DONE = ['applied', 'cleared', 'deleted'] as const

const RankingQuery = z.object({ done: z.enum(DONE).optional().catch(undefined) })

const rankingPage = ({ engines, calibrations, settings }: RankingPagesParts) =>
  definePage({
    method: 'GET',
    path: RANKING_PATH,
    access: 'admin',
    query: RankingQuery,
    async handle(context) {
      const { done } = context.query
      return await rankingView({ engines, calibrations, settings }, context, {
        note: done && notice('good', context.words.ranking[done]),
      })
    },
  })

async function rankingView(
  parts: Pick<RankingPagesParts, 'engines' | 'calibrations' | 'settings'>,
  context: PageContext,
  { note, status }: { note?: Html | undefined; status?: number },
): Promise<View> {
  const { words } = context
  const text = words.ranking
  const calibrations = await parts.calibrations.list()
  return settingsView(context, RANKING_PATH, {
    title: text.title,
    status,
    content: html`${note}<p class="measure">${text.intro}</p>
${actions(buttonLink(text.start, `${RANKING_PATH}/new`, 'primary'), html`<a href="/compare">${text.compare}</a>`)}
<section class="stack"><h2>${text.inForce}</h2>${weightsInForce(parts, context)}</section>
<section class="stack"><h2>${text.calibrations}</h2>${calibrations.length === 0 ? emptyState({ title: text.calibrationsNone, help: text.calibrationsHelp }) : calibrationTable(context, calibrations)}</section>`,
  })
}

function weightsInForce(
  { engines, settings }: Pick<RankingPagesParts, 'engines' | 'settings'>,
  context: PageContext,
): Html {
  const { words } = context
  const text = words.ranking
  const weights = parseCalibratedWeights(settings.writtenValue(WEIGHTS_SETTING) ?? '')
  if (!weights?.size) return html`<p class="measure">${text.inForceNone}</p>`
  const isFixed = settings.originOf(WEIGHTS_SETTING) === 'environment'
  const clear = postForm(context, { action: `${RANKING_PATH}/clear`, body: button(text.clear, 'plain') })
  return html`${isFixed && html`<p class="quiet">${text.inForceFixed({ setting: WEIGHTS_SETTING })}</p>`}${weightsTable(engines, context, weights)}${!isFixed && clear}`
}

const weightsTable = (engines: EngineAdmin, context: PageContext, weights: CalibratedWeights): Html => {
  const text = context.words.ranking
  return dataTable(
    text.inForce,
    [
      { label: text.scope, cell: ([scope]) => scopeName(context, scope), isHeading: true },
      { label: text.weights, cell: ([, weightOf]) => weightList(engines, context, weightOf) },
    ],
    [...weights],
  )
}

/** `Brave 1.4 · Mojeek 0.6`, the highest first. */
const weightList = (engines: EngineAdmin, context: PageContext, weights: ReadonlyMap<string, number>): Html => {
  const number = new Intl.NumberFormat(context.locale, { maximumFractionDigits: 2 })
  const entries = [...weights].toSorted(([, one], [, other]) => other - one)
  const shown = entries.map(
    ([slug, weight]) => html`${engineName(engines, slug)} <span class="figure">${number.format(weight)}</span>`,
  )
  return html`<div>${joined(shown, ' · ')}</div>`
}

export const engineName = (engines: EngineAdmin, slug: string): string =>
  engines.catalogue.find((entry) => entry.slug === slug)?.name ?? slug

/** `Web`, or `Web, German`. */
export function scopeName({ words, locale }: PageContext, scope: string): string {
  const [name = '', language = ''] = scope.split('/')
  const tab = TABS.find((known) => known === name)
  const tabText = tab ? words.frame.tabs[tab] : name
  if (language === '') return tabText
  return words.ranking.inLanguage({ tab: tabText, language: languageName(language, locale) ?? language })
}

function calibrationTable(context: PageContext, calibrations: readonly Calibration[]): Html {
  const { words } = context
  const text = words.ranking
  return dataTable(
    text.calibrations,
    [
      {
        label: text.made,
        cell: ({ id, createdAt }) => html`<a href="${RANKING_PATH}/${id}">${showPast(createdAt, context)}</a>`,
        isHeading: true,
      },
      { label: text.scope, cell: ({ tab, lang }) => scopeName(context, lang === '' ? tab : `${tab}/${lang}`) },
      {
        label: text.progress,
        cell: ({ searches }) => text.progressOf({ done: searches.filter(isGraded).length, all: searches.length }),
        isNumber: true,
      },
      { label: text.finding, cell: ({ searches }) => text.result.words[resultOf(searches).verdict] },
    ],
    calibrations,
  )
}

const clearAction = (parts: RankingPagesParts) =>
  definePage({
    method: 'POST',
    path: `${RANKING_PATH}/clear`,
    access: 'admin',
    stepUp: RANKING_PATH,
    async handle(context) {
      try {
        await parts.settings.change(actingAccess(parts.accounts, context), { [WEIGHTS_SETTING]: undefined })
        return redirectTo(`${RANKING_PATH}?done=cleared`)
      } catch (error) {
        return await rankingView(parts, context, { note: notice('bad', sentenceOf(error)), status: 409 })
      }
    },
  })

const newPage = definePage({
  method: 'GET',
  path: `${RANKING_PATH}/new`,
  access: 'admin',
  handle: (context) => newView(context, {}),
})

interface Refused {
  messages?: Readonly<Record<string, readonly string[]>>
  sentence?: string
}

function newView(context: PageContext, { messages, sentence }: Refused): View {
  const { words, locale, submitted } = context
  const text = words.ranking.form
  const languages = CALIBRATED_LANGUAGES.map((value) => ({
    value,
    label: capitalised(languageName(value, locale) ?? value),
  }))
  return settingsView(context, RANKING_PATH, {
    title: text.title,
    status: messages || sentence ? 400 : 200,
    content: html`<p class="measure">${text.intro}</p>${sentence !== undefined && notice('bad', sentence)}
${postForm(context, {
  action: RANKING_PATH,
  body: html`${textArea({ name: 'queries', label: text.queries, help: text.queriesHelp({ most: MAX_QUERIES }), value: submitted['queries'], rows: 10, errors: messages?.['queries'] })}
${selectField({ name: 'tab', label: text.tab, help: text.tabHelp, value: submitted['tab'] ?? 'web', options: CALIBRATED_TABS.map((tab) => ({ value: tab, label: words.frame.tabs[tab] })) })}
${selectField({ name: 'lang', label: text.language, help: text.languageHelp, value: submitted['lang'] ?? '', options: [{ value: '', label: words.ranking.anyLanguage }, ...languages], optional: words.frame.optional })}
${actions(button(text.create))}`,
})}`,
  })
}

const createForm = ({ ranking: { form } }: Words) =>
  z.object({
    queries: z
      .string()
      .transform((written) =>
        written
          .split(/\r?\n/)
          .map((line) => line.trim())
          .filter(Boolean),
      )
      .refine(
        (queries) => queries.length > 0 && queries.length <= MAX_QUERIES && !queries.some(isTooLong),
        form.badQueries({ most: MAX_QUERIES, length: MAX_QUERY_LENGTH }),
      ),
    tab: z.enum(CALIBRATED_TABS),
    lang: z.enum(['', ...CALIBRATED_LANGUAGES]),
  })

const createAction = ({ calibrations }: RankingPagesParts) =>
  definePage({
    method: 'POST',
    path: RANKING_PATH,
    access: 'admin',
    form: createForm,
    async handle(context) {
      const { form } = context
      if (!form.ok) return newView(context, { messages: form.messages })
      try {
        const id = await calibrations.create(form.values)
        return redirectTo(`${RANKING_PATH}/${id}/grade`)
      } catch (error) {
        return newView(context, { sentence: sentenceOf(error) })
      }
    },
  })

export const rankingPages = (parts: RankingPagesParts): Page[] => [
  rankingPage(parts),
  clearAction(parts),
  newPage,
  createAction(parts),
]
