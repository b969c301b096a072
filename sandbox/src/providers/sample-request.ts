// A sample request.

export interface SampleRequest {
  slug: string
  /** What it requests. */
  what: string
  /** Below the provider's base, with the query string. */
  path: string
  headers?: Record<string, string>
  /** The body of a POST. */
  body?: string
  /** Where the results are in the reply. */
  results: readonly string[]
  /** A lookup of one thing, or of whatever there is: `results` need not be a list of eight. */
  isLookup?: true
}

export const sample = (slug: string, what: string, rest: Omit<SampleRequest, 'slug' | 'what'>): SampleRequest => ({
  slug,
  what,
  ...rest,
})
