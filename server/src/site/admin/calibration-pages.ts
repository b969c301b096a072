// The pages of one calibration: grading, one result at a time, and what the grades say. Who found a result is told nowhere
// before it is graded. A search is made by a button, so that looking at a page never spends anything.
import { z } from 'zod'
import type { Accounts } from '../../accounts/accounts.ts'
import { Refusal } from '../../errors.ts'
import { scopeOf, WEIGHTS_SETTING } from '../../search/calibration/calibrated-weights.ts'
import { applyTo, isGraded, resultOf } from '../../search/calibration/calibration-result.ts'
import type { Calibration } from '../../search/calibration/calibration-store.ts'
import type { BlindResult, Calibrations } from '../../search/calibration/calibrations.ts'
import type { SettingsDesk } from '../../settings/settings-desk.ts'
import { actingAccess } from '../accounts/account-forms.ts'
import { PageError } from '../http/error-pages.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type Page, type PageContext, redirectTo, type View } from '../http/page.ts'
import { dataTable } from '../parts/data-table.ts'
import { actions, button, buttonLink, postForm } from '../parts/form.ts'
import { notice } from '../parts/notice.ts'
import { settingsView } from '../parts/settings-view.ts'
import { addressLine, externalLink } from '../search/result-parts.ts'
import { findingView, fixedNotes, worthTable } from './calibration-view.ts'
import type { EngineAdmin } from './engine-admin.ts'
import { sentenceOf } from './engine-pages.ts'
import { RANKING_PATH, scopeName } from './ranking-pages.ts'

export interface CalibrationPagesParts {
  accounts: Accounts
  engines: EngineAdmin
  calibrations: Calibrations
  settings: SettingsDesk
}

const PATH = `${RANKING_PATH}/:calibrationId`
const GRADES = { good: 2, fair: 1, bad: 0 } as const
const GRADE_NAMES = ['good', 'fair', 'bad'] as const

async function requireCalibration(calibrations: Calibrations, { params }: PageContext): Promise<Calibration> {
  const id = params['calibrationId'] ?? ''
  const calibration = /^\d{1,18}$/.test(id) ? await calibrations.find(id) : undefined
  if (!calibration) throw new PageError('notFound')
  return calibration
}

const pathOf = ({ id }: Calibration): string => `${RANKING_PATH}/${id}`

const gradePage = ({ calibrations }: CalibrationPagesParts) =>
  definePage({
    method: 'GET',
    path: `${PATH}/grade`,
    access: 'admin',
    async handle(context) {
      return await gradeView(calibrations, context, await requireCalibration(calibrations, context))
    },
  })

async function gradeView(
  calibrations: Calibrations,
  context: PageContext,
  calibration: Calibration,
  failure?: string,
): Promise<View> {
  const { words } = context
  const text = words.ranking.grade
  const turn = await calibrations.next(calibration.id)
  const body =
    turn?.state === 'grade'
      ? gradeForm(context, calibration, turn)
      : html`<section class="stack">${findingView(context, resultOf(calibration.searches))}</section>
${turn?.state === 'search' && nextSearch(context, calibration, turn)}`
  return settingsView(context, RANKING_PATH, {
    title: text.title,
    status: failure === undefined ? 200 : 503,
    content: html`${failure !== undefined && notice('bad', `${text.failed} ${failure}`)}${body}
<p><a href="${pathOf(calibration)}">${turn?.state === 'done' ? words.ranking.result.title : text.pause}</a></p>`,
  })
}

function nextSearch(
  context: PageContext,
  calibration: Calibration,
  { place, query }: { place: number; query: string },
): Html {
  const text = context.words.ranking.grade
  return html`<section class="stack"><h2>${text.nextTitle}</h2><p class="quiet">${text.searchOf({ at: place + 1, all: calibration.searches.length })}</p>
${postForm(context, {
  action: `${pathOf(calibration)}/search`,
  body: html`<p class="quiet">${text.nextHelp}</p>${actions(html`<button type="submit" class="button button-primary" autofocus dir="auto">${text.nextSearch({ query })}</button>`)}`,
})}
${skipForm(context, calibration, place)}</section>`
}

/** The keys are in the buttons' attributes; `site.js` presses the button. */
function gradeForm(context: PageContext, calibration: Calibration, turn: BlindResult): Html {
  const { words, preferences } = context
  const text = words.ranking.grade
  const { place, result, query, url, title, description } = turn
  const hidden = html`<input type="hidden" name="place" value="${place}"><input type="hidden" name="result" value="${result}">`
  const choice = (grade: (typeof GRADE_NAMES)[number], at: number) =>
    html`<button type="submit" name="grade" value="${grade}" class="button button-plain grade" data-key="${KEYS[grade]} ${at + 1}"><span class="grade-name"><kbd aria-hidden="true">${at + 1}</kbd> ${text[grade]}</span><span class="quiet">${text[`${grade}Help`]}</span></button>`
  return html`<p class="quiet">${text.searchOf({ at: place + 1, all: calibration.searches.length })} · ${text.resultOf({ at: result + 1, all: turn.of })}</p>
<h2 class="question" dir="auto">${text.question({ query })}</h2>
<div class="result blind">${addressLine(url, '', { pictures: undefined, showsIcons: false })}<h3 dir="auto"><a class="result-link" ${externalLink(url, preferences)}>${title || url}</a></h3><p class="snippet" dir="auto">${description}</p></div>
${postForm(context, { action: `${pathOf(calibration)}/grade`, body: html`${hidden}<div class="grades">${GRADE_NAMES.map(choice)}</div>` })}
<p class="quiet measure">${text.help} <span class="with-keys">${text.keys}</span></p>
<div class="actions">${postForm(context, { action: `${pathOf(calibration)}/back`, isInline: true, body: button(text.back, 'plain') })}${skipForm(context, calibration, place)}</div>`
}

const KEYS = { good: 'g', fair: 'f', bad: 'b' } as const

const skipForm = (context: PageContext, calibration: Calibration, place: number): Html =>
  postForm(context, {
    action: `${pathOf(calibration)}/skip`,
    isInline: true,
    body: html`<input type="hidden" name="place" value="${place}">${button(context.words.ranking.grade.skip, 'plain')}`,
  })

const number = z.coerce.number().int().min(0).max(999)

const gradeFields = () => z.object({ place: number, result: number, grade: z.enum(GRADE_NAMES) })

const gradeAction = ({ calibrations }: CalibrationPagesParts) =>
  definePage({
    method: 'POST',
    path: `${PATH}/grade`,
    access: 'admin',
    form: gradeFields,
    async handle(context) {
      const { form } = context
      const calibration = await requireCalibration(calibrations, context)
      if (form.ok) {
        const { place, result, grade } = form.values
        await calibrations.grade(calibration.id, { place, result, grade: GRADES[grade] })
      }
      return redirectTo(`${pathOf(calibration)}/grade`)
    },
  })

const backAction = ({ calibrations }: CalibrationPagesParts) =>
  definePage({
    method: 'POST',
    path: `${PATH}/back`,
    access: 'admin',
    async handle(context) {
      const calibration = await requireCalibration(calibrations, context)
      await calibrations.back(calibration.id)
      return redirectTo(`${pathOf(calibration)}/grade`)
    },
  })

const skipFields = () => z.object({ place: number })

const skipAction = ({ calibrations }: CalibrationPagesParts) =>
  definePage({
    method: 'POST',
    path: `${PATH}/skip`,
    access: 'admin',
    form: skipFields,
    async handle(context) {
      const { form } = context
      const calibration = await requireCalibration(calibrations, context)
      if (form.ok) await calibrations.skip(calibration.id, form.values.place)
      return redirectTo(`${pathOf(calibration)}/grade`)
    },
  })

const searchAction = ({ calibrations }: CalibrationPagesParts) =>
  definePage({
    method: 'POST',
    path: `${PATH}/search`,
    access: 'admin',
    quota: 'search',
    async handle(context) {
      const calibration = await requireCalibration(calibrations, context)
      try {
        await calibrations.search(calibration.id)
        return redirectTo(`${pathOf(calibration)}/grade`)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return await gradeView(calibrations, context, calibration, sentenceOf(error))
      }
    },
  })

const resultPage = ({ engines, calibrations, settings }: CalibrationPagesParts) =>
  definePage({
    method: 'GET',
    path: PATH,
    access: 'admin',
    async handle(context) {
      return resultView({ engines, settings }, context, await requireCalibration(calibrations, context), {})
    },
  })

function resultView(
  parts: Pick<CalibrationPagesParts, 'engines' | 'settings'>,
  context: PageContext,
  calibration: Calibration,
  { note, status }: { note?: Html; status?: number },
): View {
  const text = context.words.ranking.result
  const { searches } = calibration
  const result = resultOf(searches)
  const isOpen = searches.some((search) => !isGraded(search))
  return settingsView(context, RANKING_PATH, {
    title: text.title,
    status,
    content: html`${note}<p class="quiet">${text.from({ searches: result.graded })} · ${scopeName(context, scopeOf(calibration.tab, calibration.lang))}</p>
<section class="stack">${findingView(context, result)}</section>
${result.engines.length > 0 && html`<section class="stack"><h2>${text.worth}</h2>${worthTable(parts.engines, context, result.engines)}${fixedNotes(parts, context, result.engines)}</section>`}
${result.gain && applyForm(context, calibration, result.verdict === 'better' || result.verdict === 'unsure')}
${isOpen && actions(buttonLink(text.more, `${pathOf(calibration)}/grade`, result.gain ? 'plain' : 'primary'))}
<details><summary>${text.searches}</summary>${searchTable(context, searches)}</details>
${postForm(context, { action: `${pathOf(calibration)}/delete`, body: html`<p class="quiet">${text.removeHelp}</p>${actions(button(text.remove, 'danger'))}` })}`,
  })
}

const applyForm = (context: PageContext, calibration: Calibration, isAdvised: boolean): Html => {
  const text = context.words.ranking.result
  const scope = scopeName(context, scopeOf(calibration.tab, calibration.lang))
  return postForm(context, {
    action: `${pathOf(calibration)}/apply`,
    body: html`<p>${text.applyFor({ scope })}</p>${actions(button(text.apply, isAdvised ? 'primary' : 'plain'))}`,
  })
}

const searchTable = (context: PageContext, searches: Calibration['searches']): Html => {
  const { result, grade } = context.words.ranking
  const count = (results: Calibration['searches'][number]['results'], wanted: number) =>
    results?.filter((each) => each.grade === wanted).length ?? 0
  return dataTable(
    result.searches,
    [
      { label: result.query, cell: ({ query }) => html`<bdi>${query}</bdi>`, isHeading: true },
      ...GRADE_NAMES.map((name) => ({
        label: grade[name],
        cell: ({ results }: Calibration['searches'][number]) => String(count(results, GRADES[name])),
        isNumber: true,
      })),
    ],
    searches,
  )
}

const applyAction = (parts: CalibrationPagesParts) =>
  definePage({
    method: 'POST',
    path: `${PATH}/apply`,
    access: 'admin',
    stepUp: PATH,
    async handle(context) {
      const calibration = await requireCalibration(parts.calibrations, context)
      try {
        const value = applyTo(parts.settings.writtenValue(WEIGHTS_SETTING), calibration)
        await parts.settings.change(actingAccess(parts.accounts, context), { [WEIGHTS_SETTING]: value })
        return redirectTo(`${RANKING_PATH}?done=applied`)
      } catch (error) {
        return resultView(parts, context, calibration, { note: notice('bad', sentenceOf(error)), status: 409 })
      }
    },
  })

const deleteAction = ({ calibrations }: CalibrationPagesParts) =>
  definePage({
    method: 'POST',
    path: `${PATH}/delete`,
    access: 'admin',
    async handle(context) {
      const { id } = await requireCalibration(calibrations, context)
      await calibrations.remove(id)
      return redirectTo(`${RANKING_PATH}?done=deleted`)
    },
  })

export const calibrationPages = (parts: CalibrationPagesParts): Page[] => [
  gradePage(parts),
  gradeAction(parts),
  backAction(parts),
  skipAction(parts),
  searchAction(parts),
  resultPage(parts),
  applyAction(parts),
  deleteAction(parts),
]
