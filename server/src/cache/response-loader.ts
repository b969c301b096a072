// What a search wants of the cache of engines' pages, and what it gets.
import type { UpstreamError } from '../errors.ts'

export interface PageAsk<Page> {
  /** Of the engine. */
  slug: string
  /** From the provider's terms; 0: its reply is not kept, and every search asks for itself. */
  cacheSeconds: number
  cacheIn: 'memory' | 'shared'
  /** Whether what came out of Redis is a page at all. */
  isPage: (value: unknown) => value is Page
  /**
   * Asks the provider; throws UpstreamError. It must come to an end by itself: for a `search` by that search's deadline,
   * for a `refresh` by one of its own, because the search that began it is over by then.
   */
  fetch: (purpose: 'search' | 'refresh') => Promise<Page>
}

export type PageOutcome<Page> =
  | {
      page: Page
      from: 'provider' | 'memory' | 'shared'
      /** It is due for a refresh and the provider has failed to give one. */
      isStale: boolean
      ageMs: number
    }
  | { error: UpstreamError }

/** The end of a search's time; `upstream/deadline.ts` is one. */
export interface Until {
  readonly signalled: boolean
  onExpire: (abort: () => void) => () => void
}
