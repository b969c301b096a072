// GET /api/v1/plan/: what a search would do and cost. It asks nobody, and does not count as a search.
import { MICROS_PER_DOLLAR, TABS, type Tab } from '@bowerbird/engines/engine.ts'
import { z } from 'zod'
import type { CostReader } from '../../budget/cost-ledger.ts'
import { type BudgetSettings, priceOf } from '../../budget/provider-budget.ts'
import { Refusal } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { Ask } from '../../search/plan.ts'
import type { PreviewedEngine } from '../../search/preview.ts'
import { GUARD_HEADER } from '../../search/query-guard.ts'
import type { Search } from '../../search/search.ts'
import { monthOf } from '../../text/utc-day.ts'
import { defineEndpoint } from '../endpoint.ts'
import { datedSearchParams, imageBounds, requestOf } from './search-endpoint.ts'
import { imageParams, type SlotList } from './search-params.ts'

const ACTIONS = ['ask', 'ask_if_thin', 'cached', 'over_budget', 'quota_used_up'] as const

const PlannedEngine = z
  .object({
    engine: z.string(),
    name: z.string().describe('The provider.'),
    index: z.string().describe('Whose index it shows; `unknown` if it does not say, or mixes several.'),
    action: z
      .enum(ACTIONS)
      .describe(
        '`ask_if_thin`: only if the others find too little. `cached`: its response is at hand; one in the second half of its life is refreshed afterwards, which is a call. `over_budget` and `quota_used_up`: it is not called now.',
      ),
    region: z
      .literal('ignored')
      .optional()
      .describe('Only if the search has a `region` that this engine cannot favour.'),
    cost_usd: z.number().describe('What its call would cost; 0 unless it would be asked.'),
    calls_left: z.int().nullable().describe('What is left of its monthly cap on calls; null without one.'),
    usd_left: z.number().nullable().describe('What is left of its monthly cap in US dollars; null without one.'),
  })
  .meta({ id: 'PlannedEngine' })

export const PlanReply = z
  .object({
    query: z.string(),
    tab: z.enum(TABS),
    page: z.int(),
    engines: z.array(PlannedEngine).describe('The engines that can answer, in the order of their slots.'),
    skipped: z
      .array(z.object({ engine: z.string(), name: z.string(), reason: z.string() }))
      .describe('The engines that would not be asked, and the filter or property that excludes them.'),
    cost_usd: z
      .object({ min: z.number(), max: z.number() })
      .describe('What the search would cost: without, and with all of those that are only asked if needed.'),
    complete: z
      .boolean()
      .describe('False if the budgets could not be read: an engine with a cap is not called until they can be.'),
  })
  .meta({ id: 'PlanReply' })

const tabParam = z
  .string()
  .default('web')
  .transform((text, context): Tab => {
    const tab = TABS.find((name) => name === text)
    if (!tab) context.addIssue({ code: 'custom', message: `Send one of ${TABS.join(', ')}.` })
    return tab ?? 'web'
  })
  .meta({
    description: 'The tab that would be searched.',
    example: 'web',
    schema: { type: 'string', enum: [...TABS], default: 'web' },
  })

export const planEndpoint = (planSearch: PlanSearch, slots: SlotList) =>
  defineEndpoint({
    name: 'plan',
    method: 'GET',
    path: '/api/v1/plan/',
    summary: 'Search plan',
    description:
      'What a search with these parameters would do: which engines it would ask, what that would cost, what is left of their caps, whose responses are cached, and which engines the filters exclude. Asks nobody, and does not count as a search.',
    params: datedSearchParams(slots)
      .omit({ include: true })
      .extend({ tab: tabParam, ...imageParams }),
    reply: PlanReply,
    counts: false,
    scope: 'search',
    headers: GUARD_HEADER,
    async handle({ params: { tab, ...params }, caller }) {
      const { date, date_from, date_to } = params
      if (tab === 'images' && (date ?? date_from ?? date_to) !== undefined)
        throw new Refusal('parameter_invalid', {
          tab: ['Images have no dates. Leave date, date_from and date_to out.'],
        })
      if (tab !== 'images' && imageBounds(params).image)
        throw new Refusal('parameter_invalid', {
          tab: ['Only images have sizes, shapes, licences, colours and kinds.'],
        })
      return await planSearch({ caller, tab, request: requestOf(params) })
    },
  })

/** Says what a search would do and cost. */
export type PlanSearch = (ask: Ask) => Promise<z.output<typeof PlanReply>>

interface PlanParts {
  search: Pick<Search, 'preview'>
  /** What providers cost, and what is left of their caps. */
  costs: CostReader
  /** The providers whose daily calls are used up. */
  spentQuotas: () => Promise<readonly { slug: string }[]>
  clock: () => number
  log: Log
}

const dollars = (micros: number): number => micros / MICROS_PER_DOLLAR

export const createPlanSearch =
  (parts: PlanParts): PlanSearch =>
  async (ask) => {
    const { tab, request } = ask
    const { engines, skips } = await parts.search.preview(ask)
    const [spent, quotas] = await Promise.all([spentOf(engines, parts), parts.spentQuotas()])
    const { budgets } = parts.costs
    const resting = new Set(quotas.map(({ slug }) => slug))
    const planned = engines.map((engine) => plannedEngine(engine, { budget: budgets.get(engine.slug), spent, resting }))
    const sum = (actions: readonly string[]) =>
      dollars(planned.reduce((micros, one) => micros + (actions.includes(one.action) ? one.micros : 0), 0))
    return {
      query: request.text,
      tab,
      page: request.page,
      engines: planned.map(({ micros, ...one }) => ({ ...one, cost_usd: dollars(micros) })),
      skipped: skips.map(({ slot, name, reason }) => ({ engine: slot, name, reason })),
      cost_usd: { min: sum(['ask']), max: sum(['ask', 'ask_if_thin']) },
      complete: spent !== undefined,
    }
  }

type Spent = ReadonlyMap<string, { calls: number; micros: number }>

/** What providers with a cap have spent this month; undefined if it can't be read. */
async function spentOf(
  engines: readonly PreviewedEngine[],
  { costs, clock, log }: PlanParts,
): Promise<Spent | undefined> {
  if (!engines.some(({ slug }) => isCapped(costs.budgets.get(slug)))) return new Map()
  try {
    return new Map((await costs.ofMonth(monthOf(clock()))).map((cost) => [cost.provider, cost]))
  } catch (error) {
    log.warn({ err: new Error('could not read what providers have spent', { cause: error }) })
    return undefined
  }
}

type Caps = { callsPerMonth?: number | undefined; microsPerMonth?: number | undefined }

const isCapped = ({ callsPerMonth, microsPerMonth }: Caps = {}): boolean =>
  callsPerMonth !== undefined || microsPerMonth !== undefined

interface State {
  budget: BudgetSettings | undefined
  spent: Spent | undefined
  /** Those whose daily calls are used up. */
  resting: ReadonlySet<string>
}

function plannedEngine(engine: PreviewedEngine, { budget, spent, resting }: State) {
  const { slot, slug, name, index, isLater, isCached, ignoresRegion, priceFactor } = engine
  const price = priceOf(budget?.pricePerCallMicros ?? 0, priceFactor)
  const { calls, micros } = spent?.get(slug) ?? { calls: 0, micros: 0 }
  const leftOf = (cap: number | undefined, used: number) => (cap === undefined ? null : Math.max(0, cap - used))
  const callsLeft = leftOf(budget?.callsPerMonth, calls)
  const microsLeft = leftOf(budget?.microsPerMonth, micros)
  const isUnknown = spent === undefined && isCapped(budget)
  const isOver = isUnknown || callsLeft === 0 || (microsLeft !== null && microsLeft < price)
  const asked = isLater ? 'ask_if_thin' : 'ask'
  const action: (typeof ACTIONS)[number] = isCached
    ? 'cached'
    : isOver
      ? 'over_budget'
      : resting.has(slug)
        ? 'quota_used_up'
        : asked
  return {
    engine: slot,
    name,
    index,
    action,
    ...(ignoresRegion && { region: 'ignored' as const }),
    micros: action === asked ? price : 0,
    calls_left: isUnknown ? null : callsLeft,
    usd_left: isUnknown || microsLeft === null ? null : dollars(microsLeft),
  }
}
