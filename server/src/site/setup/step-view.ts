// The frame of the first run: a quiet rail of five numbered steps, and one question beside it. There is no state: a step that
// is behind shows what is really set, whether it was answered or skipped.
import type { EngineAdmin } from '../admin/engine-admin.ts'
import { type Html, html, type Piece } from '../http/html.ts'
import type { PageContext, View } from '../http/page.ts'

export const STEPS = ['account', 'reach', 'engines', 'connect', 'done'] as const
export type Step = (typeof STEPS)[number]

export const stepPath = (step: Exclude<Step, 'account'>): `/admin/setup/${typeof step}` => `/admin/setup/${step}`

interface StepContent {
  title: string
  content: Piece
  status?: number | undefined
  headers?: Record<string, string> | undefined
}

export const stepView = (
  engines: EngineAdmin,
  context: PageContext,
  step: Step,
  { title, content, status = 200, headers = {} }: StepContent,
): View => ({
  title,
  body: html`<div class="steps">${rail(engines, context, step)}<div class="step"><h1>${title}</h1>${content}</div></div>`,
  layout: 'steps',
  status,
  headers,
})

function rail(engines: EngineAdmin, context: PageContext, current: Step): Html {
  const text = context.words.setup
  const at = STEPS.indexOf(current)
  const item = (step: Step, index: number): Html => {
    const name = text.steps[step]
    const answer = index < at ? answerOf(engines, context, step) : ''
    const isLink = step !== 'account' && step !== current && context.viewer?.isAdmin === true
    return html`<li${step === current && html` aria-current="step"`}>${isLink ? html`<a href="${stepPath(step)}">${name}</a>` : html`<span>${name}</span>`}${answer !== '' && html`<span class="step-answer">${answer}</span>`}</li>`
  }
  return html`<nav class="rail" aria-label="${text.railLabel}"><ol>${STEPS.map(item)}</ol></nav>`
}

function answerOf(engines: EngineAdmin, { viewer, instanceName, words, baseUrl }: PageContext, step: Step): string {
  const text = words.setup
  if (step === 'account') return viewer?.username ?? ''
  if (step === 'reach') return `${instanceName}, ${new URL(baseUrl).host}`
  if (step !== 'engines') return ''
  return text.enginesInUse({
    count: engines.catalogue.filter(({ state, isPrivate }) => state === 'on' && !isPrivate).length,
  })
}
