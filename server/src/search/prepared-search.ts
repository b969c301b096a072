// What follows from a request alone: the plan, and the name of its pages in the cache. It is remembered by the request
// object, so whoever has read the same URL before, and passes the same object again, finds it at once. So does the answer
// that was made when every page was in memory, for as long as these very pages are.
import type { Tab } from '../providers/engine.ts'
import { traced } from '../trace.ts'
import type { ResponseOfTab } from './outcome.ts'
import { type Plan, planSearch, type SearchRequest, type Slot } from './plan.ts'
import { responseKey } from './response-key.ts'
import type { SearchAnswer } from './search-answer.ts'

class PreparedSearch<Name extends Tab> {
  readonly tab: Name
  readonly plan: Plan<Name>
  /** Of the names of all pages. */
  readonly base: string
  readonly slugs: readonly string[]
  #pages: readonly ResponseOfTab<Name>[] = []
  #answer: SearchAnswer<Name> | undefined

  constructor(tab: Name, plan: Plan<Name>, base: string) {
    this.tab = tab
    this.plan = plan
    this.base = base
    this.slugs = plan.asks.map(({ bound }) => bound.engine.slug)
  }

  remember(pages: readonly ResponseOfTab<Name>[], answer: SearchAnswer<Name>): void {
    this.#pages = pages
    this.#answer = answer
  }

  /** Undefined if it was made from other pages. */
  answerFrom(pages: readonly ResponseOfTab<Name>[]): SearchAnswer<Name> | undefined {
    for (let index = 0; index < pages.length; index++) if (pages[index] !== this.#pages[index]) return undefined
    return this.#answer
  }
}

export function createPreparation(slots: readonly Slot[]) {
  const known = new WeakMap<SearchRequest, PreparedSearch<Tab>>()
  return <Name extends Tab>(tab: Name, request: SearchRequest): PreparedSearch<Name> => {
    const before = known.get(request)
    // The tab says what kind of search it is, which the type checker cannot follow.
    if (before?.tab === tab) return before as unknown as PreparedSearch<Name>
    const { text, page, safe, date, lang } = request
    const plan = traced('plan', {}, () => planSearch(tab, slots, request))
    const prepared = new PreparedSearch(tab, plan, responseKey({ tab, text, page, safe, date, lang }))
    known.set(request, prepared)
    return prepared
  }
}
