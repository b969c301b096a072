// What graded searches say, for people: a sentence, the interval as a bar, and what each engine is worth.
import type { CalibrationResult, EngineWorth, Gain } from '../../search/calibration/calibration-result.ts'
import type { SettingsDesk } from '../../settings/settings-desk.ts'
import { type Html, html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import type { Locale } from '../i18n/messages.ts'
import { dataTable } from '../parts/data-table.ts'
import type { EngineAdmin } from './engine-admin.ts'
import { engineName } from './ranking-pages.ts'

export interface CalibrationViewParts {
  engines: EngineAdmin
  settings: SettingsDesk
}

/** `+8 %`, with a sign, because it is a difference. */
const signed = (share: number, locale: Locale): string =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' }).format(share)

export function findingView({ words, locale }: PageContext, result: CalibrationResult): Html {
  const text = words.ranking.result
  const { gain, verdict, wanted } = result
  if (!gain) return html`<p class="finding">${text.few({ wanted })}</p>`
  const [low, high, value] = [gain.low, gain.high, gain.value].map((share) => signed(share, locale))
  const sentence = verdict === 'few' ? text.few({ wanted }) : text[verdict]({ low: low ?? '', high: high ?? '' })
  const isEnough = verdict !== 'unsure'
  return html`<p class="finding measure">${sentence}</p>${gainBar(gain, text.interval({ value: value ?? '', low: low ?? '', high: high ?? '' }), text.bar)}
<p class="measure">${text.best({ value: value ?? '' })} ${isEnough ? words.ranking.grade.enough : text.wanted({ searches: wanted })}</p>`
}

const BAR = { width: 320, height: 36, middle: 18 }
/** What the bar shows at most: beyond that, the interval says little anyway. */
const LIMITS = { low: -0.5, high: 1 }

/** From the low end to the high end of the interval, with a line at no difference and a dot at the best guess. */
function gainBar({ value, low, high }: Gain, description: string, title: string): Html {
  const from = Math.max(LIMITS.low, Math.min(-0.1, low - 0.05))
  const to = Math.min(LIMITS.high, Math.max(0.2, high + 0.05))
  const at = (share: number): number =>
    Math.round(((Math.min(to, Math.max(from, share)) - from) / (to - from)) * (BAR.width - 16)) + 8
  const { width, height, middle } = BAR
  return html`<svg class="gain-bar" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${title}: ${description}"><title>${title}: ${description}</title>
<line class="axis" x1="8" x2="${width - 8}" y1="${middle}" y2="${middle}"/><line class="zero" x1="${at(0)}" x2="${at(0)}" y1="4" y2="${height - 4}"/>
<rect class="interval" x="${at(low)}" y="${middle - 4}" width="${Math.max(2, at(high) - at(low))}" height="8" rx="4"/><circle class="guess" cx="${at(value)}" cy="${middle}" r="7"/></svg>`
}

export function worthTable(engines: EngineAdmin, context: PageContext, worths: readonly EngineWorth[]): Html {
  const { words, locale } = context
  const text = words.ranking
  const weight = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 })
  return html`${dataTable(
    text.result.worth,
    [
      { label: text.engine, cell: ({ engine }) => engineName(engines, engine), isHeading: true },
      { label: text.weight, cell: (each) => weight.format(each.weight), isNumber: true },
      { label: text.result.alone, cell: ({ alone }) => percent.format(alone), isNumber: true },
    ],
    worths,
  )}<p class="quiet measure">${text.result.worthHelp}</p>`
}

/** Engines whose slot has a weight in the environment, which comes first. */
export const fixedNotes = (
  { engines, settings }: CalibrationViewParts,
  context: PageContext,
  worths: readonly EngineWorth[],
): Html[] =>
  worths.flatMap(({ engine }) => {
    const setting = settings
      .placeOf(engine)
      .letters.map((letter) => `ENGINE_${letter}_WEIGHT`)
      .find((name) => settings.originOf(name) === 'environment')
    const note = setting && context.words.ranking.result.fixed({ engines: engineName(engines, engine), setting })
    return note ? [html`<p class="quiet measure">${note}</p>`] : []
  })
