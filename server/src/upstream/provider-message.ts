// Requests to providers and their replies, as adapters write and read them.

export interface ProviderRequest {
  method?: 'GET' | 'POST'
  /** Starts with a slash and is appended to the provider's base URL; includes the query string. */
  path: string
  /** Override the client's default headers; names are case-insensitive. */
  headers?: Record<string, string>
  body?: string
  /** The cost of this call as a multiple of the provider's price per call; 1 by default. */
  priceFactor?: number
}

export interface ProviderReply {
  status: number
  /** Lower-case names. */
  headers: Record<string, string | string[] | undefined>
  /** Decompressed, decoded as UTF-8, within the size cap. */
  body: string
}
