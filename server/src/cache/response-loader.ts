// The request and the result types of the response cache.

import type { Deadline } from '@bowerbird/engines/deadline.ts'
import type { UpstreamError } from '@bowerbird/engines/upstream-error.ts'

/** The cache key of pages of one type; the type is for the type checker only. */
export type ResponseKey<Page> = string & { readonly pages?: Page }

export interface ResponseLoader<Page> {
  /** The engine's slug. */
  slug: string
  /** From the provider's terms; 0: the reply isn't cached, and every search calls the provider. */
  cacheSeconds: number
  cacheIn: 'memory' | 'shared'
  /** Checks that a value from Redis is a page. */
  isResponse: (value: unknown) => value is Page
  /** Calls the provider; throws UpstreamError. The deadline may outlive the search, if others wait for the page. */
  fetch: (deadline: Deadline) => Promise<Page>
  /** Called with the outcome as soon as it is known, possibly before those of other engines. */
  onOutcome?(outcome: ResponseOutcome<Page>): void
}

export type ResponseOutcome<Page> =
  | {
      page: Page
      from: 'provider' | 'memory' | 'shared'
      /** It is due for a refresh, and refreshing it failed. */
      isStale: boolean
      ageMs: number
    }
  | { error: UpstreamError }
