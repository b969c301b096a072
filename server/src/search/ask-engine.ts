// One engine, asked for one page: build the request, send it, read the reply. Where a provider cannot filter by date but
// says the date of every hit, the filter is applied here.
import type { EnginePage, EngineQuery, EngineReply, Tab } from '../providers/engine.ts'
import { rangeStart } from '../providers/reading/range-start.ts'
import type { UpstreamError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Deadline } from '../upstream/deadline.ts'
import type { PageOfTab } from './outcome.ts'
import type { PlannedAsk } from './plan.ts'
import { observed } from '../upstream/observed-call.ts'

/** What is told of every call to a provider, for its health and the metrics. */
export interface ProviderObservation {
  slug: string
  tab: Tab
  ms: number
  error: UpstreamError | undefined
}

interface Asking<Name extends Tab> {
  name: Name
  ask: PlannedAsk<Name>
  query: EngineQuery
  deadline: Deadline
  observe: (observation: ProviderObservation) => void
  log: Log
}

export const askEngine = <Name extends Tab>(asking: Asking<Name>): Promise<PageOfTab<Name>> => {
  const { ask, query, deadline, log } = asking
  const { bound, tab } = ask
  const observe = ({ ms, error }: { ms: number; error: UpstreamError | undefined }) =>
    asking.observe({ slug: bound.engine.slug, tab: asking.name, ms, error })
  const read = (reply: EngineReply): PageOfTab<Name> => {
    const page = tab.parse(reply, query)
    return query.date && !tab.honours.includes('date') ? filteredByDate(page, query) : page
  }
  return observed(bound.engine.slug, { observe, log }, () =>
    bound.ask(tab.request(query, bound.settings), deadline, read),
  )
}

function filteredByDate<Hit>(page: EnginePage<Hit>, query: EngineQuery): EnginePage<Hit> {
  const start = rangeStart(query)?.getTime() ?? 0
  const isRecent = (hit: Hit) => ((hit as { publishedAt?: number }).publishedAt ?? 0) >= start // `knowsDates`
  return { ...page, hits: page.hits.filter(isRecent) }
}
