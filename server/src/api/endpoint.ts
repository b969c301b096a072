// What an endpoint is: one declared object that is the route, the validation, the types and the documentation.
// Everything common to all (key, limits, usage, errors, headers) is done around it in `serve-endpoint.ts`.
import type { z } from 'zod'
import type { Scope } from '../access/scopes.ts'
import type { VerifiedKey } from '../keys/verify-key.ts'
import type { SpendVerdict } from '../state/meter.ts'
import type { ApiServices } from './api-services.ts'

export interface Call<Params> {
  params: Params
  key: VerifiedKey
  /** What the limits said to this very request. */
  verdict: SpendVerdict
  services: ApiServices
  /** Scheme and host as the client sees them, without a trailing slash. */
  baseUrl: string
  /** As far as the network and the trusted proxies tell. */
  client: { ip: string; userAgent: string }
  setHeader: (name: string, value: string) => void
}

/** A reply that is JSON already, as bytes, because it was made before from the same answer. */
export class RenderedJson {
  readonly bytes: Buffer

  constructor(value: unknown) {
    this.bytes = Buffer.from(JSON.stringify(value))
  }
}

export interface Endpoint<Params extends z.ZodObject = z.ZodObject, Reply extends z.ZodType = z.ZodType> {
  /** Its name in the root document and in the usage record. */
  name: string
  method: 'GET'
  /** With the trailing slash; it answers without as well. */
  path: string
  summary: string
  description: string
  params: Params
  reply: Reply
  /** Whether an answered request counts as a search in the monthly usage. */
  counts: boolean
  /** What the key must be allowed to do; undefined: any valid key will do. */
  scope: Scope | undefined
  /** Response headers of its own, for the document: name → meaning. */
  headers?: Record<string, string>
  /** Also takes POST, with the same parameters as a form or as a JSON object. */
  post?: { maxBodyBytes: number }
  handle(call: Call<z.output<Params>>): Promise<z.output<Reply> | RenderedJson> | z.output<Reply>
}

export const defineEndpoint = <Params extends z.ZodObject, Reply extends z.ZodType>(
  endpoint: Endpoint<Params, Reply>,
): Endpoint<Params, Reply> => endpoint
