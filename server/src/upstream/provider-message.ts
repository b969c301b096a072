// What is sent to a provider and what comes back, as adapters write and read them.

export interface ProviderRequest {
  method?: 'GET' | 'POST'
  /** Starts with a slash and is appended to the provider's base URL; includes the query string. */
  path: string
  /** Override the client's own headers, regardless of case. */
  headers?: Record<string, string>
  body?: string
  /** What this call costs as a multiple of the provider's price for a call; left out: 1. */
  priceFactor?: number
}

export interface ProviderReply {
  status: number
  /** Lower-case names. */
  headers: Record<string, string | string[] | undefined>
  /** Decompressed, decoded as UTF-8, within the size cap. */
  body: string
}
