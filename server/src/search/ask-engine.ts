// One engine, asked for one page: build the request, send it, read the reply, and tell everybody who must know how it
// went. Where a provider cannot filter by date but says the date of every hit, the filter is applied here.
import type { EnginePage, EngineQuery, HitOf, Tab } from '../engines/engine.ts'
import { rangeStart } from '../engines/range-start.ts'
import { UpstreamError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Deadline } from '../upstream/deadline.ts'
import type { PlannedAsk } from './plan.ts'

/** What is told of every call to a provider, for its health and the metrics. */
export interface ProviderObservation {
  slug: string
  slot: string
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

/** Throws UpstreamError, and nothing else. */
export async function askEngine<Name extends Tab>(asking: Asking<Name>): Promise<EnginePage<HitOf[Name]>> {
  const { slot, bound, tab } = asking.ask
  const { query, deadline } = asking
  const started = performance.now()
  const told = (error: UpstreamError | undefined) => {
    bound.report(error)
    const ms = Math.round(performance.now() - started)
    asking.observe({ slug: bound.engine.slug, slot: slot.name, tab: asking.name, ms, error })
  }
  try {
    const reply = await bound.ask(tab.request(query, bound.settings), deadline)
    const page = tab.parse(reply, query)
    told(undefined)
    return query.date && !tab.honours.includes('date') ? filteredByDate(page, query) : page
  } catch (thrown) {
    const error = thrown instanceof UpstreamError ? thrown : new UpstreamError('malformed', 'the adapter failed')
    // Anything but an UpstreamError is a bug of the adapter's: told loudly, answered as any broken reply.
    if (error !== thrown) asking.log.error({ err: thrown, engine: bound.engine.slug })
    told(error)
    throw error
  }
}

function filteredByDate<Hit>(page: EnginePage<Hit>, query: EngineQuery): EnginePage<Hit> {
  const start = rangeStart(query)?.getTime() ?? 0
  const isRecent = (hit: Hit) => Number((hit as { publishedAt?: number }).publishedAt ?? 0) >= start // `knowsDates`
  return { ...page, hits: page.hits.filter(isRecent) }
}
