// The tool that tells a model what a search would do and cost, before it searches. It asks nobody and isn't counted.
// Its definition has to be short, so it takes only what decides who is asked.
import { TABS } from '@bowerbird/engines/engine.ts'
import { z } from 'zod'
import { PlanReply, planOf } from '../../api/endpoints/plan-endpoint.ts'
import { LAST_PAGE } from '../../search/read-filters.ts'
import { queryText } from '../compat-params.ts'
import { requestOf } from './search-tools.ts'
import { defineTool, oneLine } from './tool.ts'
import { languageTag, oneOf, trueOrFalse, wholeNumber } from './tool-params.ts'

type Plan = z.output<typeof PlanReply>

export const planTool = defineTool({
  name: 'plan_search',
  title: 'Plan a search',
  description:
    'What a search with these arguments would do: which engines it would ask, what that costs, whether results are cached. Asks nobody and is free.',
  params: z.object({
    query: queryText,
    tab: oneOf(TABS),
    time_range: oneOf(['day', 'week', 'month', 'year']),
    language: languageTag,
    page: wholeNumber(LAST_PAGE),
    safe: trueOrFalse,
  }),
  reply: PlanReply,
  scope: 'search',
  countedAs: () => undefined,
  async run({ params, services }) {
    const plan = await planOf(params.tab ?? 'web', requestOf(params), services)
    return { text: linesOf(plan).join('\n'), structured: plan }
  },
})

const ACTIONS: Record<Plan['engines'][number]['action'], string> = {
  ask: 'would be asked',
  ask_if_thin: 'would be asked if the others find too little',
  cached: 'is cached',
  over_budget: 'has used up its budget',
  quota_used_up: 'has used up its daily calls',
}

const linesOf = ({ query, tab, page, engines, skipped, cost_usd: { min, max } }: Plan): string[] => [
  `Plan for "${oneLine(query)}" · ${tab}${page === 1 ? '' : ` · page ${page}`} · ${max > min ? `${usd(min)} to ${usd(max)}` : usd(min)}`,
  ...engines.map(({ name, index, action, cost_usd: cost, ...left }) => {
    const facts = [
      ACTIONS[action],
      cost > 0 && usd(cost),
      `index ${index}`,
      left.calls_left !== null && `${left.calls_left} calls left this month`,
      left.usd_left !== null && `${usd(left.usd_left)} left this month`,
    ]
    return `${name}: ${facts.filter(Boolean).join(', ')}`
  }),
  ...skipped.map(({ name, reason }) => `${name}: not asked, because of ${reason}`),
]

const usd = (amount: number): string => `${Number(amount.toFixed(6))} US$`
