// What a search asks of the cache of engine pages, and what it gets back.
import type { UpstreamError } from '../errors.ts'
import type { Deadline } from '../upstream/deadline.ts'

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
  /** Calls the provider; throws UpstreamError. The deadline may outlive the search, if others wait for the page. */
  fetch: (deadline: Deadline) => Promise<Page>
  /** Is told the outcome as soon as it is known, while others may be waited for. */
  onOutcome?(outcome: ResponseOutcome<Page>): void
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
