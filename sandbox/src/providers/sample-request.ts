// What a sample request is.

export interface SampleRequest {
  slug: string
  /** What it asks for. */
  what: string
  /** Below the provider's base, with the query string. */
  path: string
  headers?: Record<string, string>
  /** Of a POST. */
  body?: string
  /** Where the results stand in the reply. */
  results: readonly string[]
  /** What is asked for is one thing, or whatever there is of it: `results` need not be a list of eight. */
  isLookup?: true
}

export const sample = (slug: string, what: string, rest: Omit<SampleRequest, 'slug' | 'what'>): SampleRequest => ({
  slug,
  what,
  ...rest,
})
