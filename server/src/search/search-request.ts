// What a search is asked for, whichever interface asks, and the part of it that engines receive.
import type { DateRange, EngineQuery, ResultBounds } from '@bowerbird/engines/engine.ts'

export interface SearchRequest extends ResultBounds {
  text: string
  /** Slot names, or empty for all. */
  engines: readonly string[]
  safe: boolean
  lang: string
  /** The country whose results are wanted first: `DE`. */
  region?: string | undefined
  page: number
  date: DateRange | undefined
  /** At most so many results, after merging. Left out: all of the page. */
  limit?: number | undefined
  /** Pages of these domains rank higher. */
  preferDomains?: readonly string[] | undefined
}

/** The part of a request that engines receive. */
export function toEngineQuery(request: SearchRequest, now: number): EngineQuery {
  return {
    text: request.text,
    page: request.page,
    safe: request.safe,
    date: request.date,
    lang: request.lang,
    region: request.region,
    includeDomains: request.includeDomains,
    excludeDomains: request.excludeDomains,
    dateFrom: request.dateFrom,
    dateTo: request.dateTo,
    fileTypes: request.fileTypes,
    titleWords: request.titleWords,
    phrases: request.phrases,
    image: request.image,
    now,
  }
}

/** Whether hits must be checked against domains, dates, file types, words or image filters (`result-bounds.ts`). */
export const hasBounds = (query: ResultBounds): boolean =>
  Boolean(query.includeDomains?.length) ||
  Boolean(query.excludeDomains?.length) ||
  query.dateFrom !== undefined ||
  query.dateTo !== undefined ||
  query.image !== undefined ||
  Boolean(query.fileTypes?.length) ||
  Boolean(query.titleWords?.length) ||
  Boolean(query.phrases?.length)
