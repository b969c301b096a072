// The tool that tells a model what a search would do and cost, before it searches. It asks nobody and isn't counted. It
// takes the arguments of the search, but none for text of the pages.
import { z } from 'zod'
import { PlanReply, type PlanSearch } from '../../api/endpoints/plan-endpoint.ts'
import { refuseDatesOfImages, requestOf, SearchMembers } from './search-tools.ts'
import { defineTool, oneLine } from './tool.ts'

type Plan = z.output<typeof PlanReply>

const { shape } = SearchMembers.omit({ content_tokens: true })

/** Without descriptions: a model has read at `search` what they mean, and pays for every word. */
const PlanParams = z.object(
  Object.fromEntries(
    Object.entries(shape).map(([name, member]) => [name, member.meta({ description: undefined })]),
  ) as typeof shape, // the same members
)

export const planTool = defineTool({
  name: 'plan_search',
  title: 'Plan a search',
  description:
    'What a search with these arguments would do and cost: whom it asks, what is cached. Free, and asks nobody.',
  params: PlanParams.superRefine(refuseDatesOfImages),
  reply: PlanReply,
  scope: 'search',
  countedAs: () => undefined,
  async run({ params, caller }, { planSearch }: { planSearch: PlanSearch }) {
    const plan = await planSearch({ caller, tab: params.tab ?? 'web', request: requestOf(params) })
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
  ...engines.map(({ name, index, action, region, cost_usd: cost, ...left }) => {
    const facts = [
      ACTIONS[action],
      cost > 0 && usd(cost),
      `index ${index}`,
      region === 'ignored' && 'cannot favour the region',
      left.calls_left !== null && `${left.calls_left} calls left this month`,
      left.usd_left !== null && `${usd(left.usd_left)} left this month`,
    ]
    return `${name}: ${facts.filter(Boolean).join(', ')}`
  }),
  ...skipped.map(({ name, reason }) => `${name}: not asked, because of ${reason}`),
]

const usd = (amount: number): string => `${Number(amount.toFixed(6))} US$`
