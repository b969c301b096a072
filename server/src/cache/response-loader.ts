// What a search asks of the cache of engine pages, and what it gets back.
import type { UpstreamError } from '../errors.ts'

/** The cache key of pages of one type; the type is for the type checker only. */
export type ResponseKey<Page> = string & { readonly pages?: Page }

export interface ResponseLoader<Page> {
  /** Of the engine. */
  slug: string
  /** From the provider's terms; 0: the reply is not cached, and every search calls the provider. */
  cacheSeconds: number
  cacheIn: 'memory' | 'shared'
  /** Whether what came out of Redis is a page at all. */
  isResponse: (value: unknown) => value is Page
  /**
   * Calls the provider; throws UpstreamError. It must end by itself: a `search` by that search's deadline, a `refresh`
   * by its own, because the search that started it will be over by then.
   */
  fetch: (purpose: 'search' | 'refresh') => Promise<Page>
  /** Of a search that is watched; all others save themselves the trouble. */
  watch?: ResponseWatch<Page>
}

export interface ResponseWatch<Page> {
  /** Is told the outcome as soon as it is known, while others may be waited for. */
  onOutcome(outcome: ResponseOutcome<Page>): void
  /** Is given what to call when the response is no longer wanted: then nobody is asked for it, unless others wait. */
  onWait: (leave: () => void) => void
  /** Stops `fetch`. */
  stop: () => void
}

export type ResponseOutcome<Page> =
  | {
      page: Page
      from: 'provider' | 'memory' | 'shared'
      /** It is due for a refresh, and refreshing it has failed. */
      isStale: boolean
      ageMs: number
    }
  | { error: UpstreamError }

/** The end of a search's time; `upstream/deadline.ts` is one. */
export interface Until {
  readonly signalled: boolean
  remainingMs: () => number
  onExpire: (abort: () => void) => () => void
}
