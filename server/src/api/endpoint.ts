// An endpoint is declared as one object, with its route, validation, types and documentation. Everything that all
// endpoints share (key, limits, usage, errors, headers) happens around it, in `serve-endpoint.ts`. An endpoint that uses a
// service is made by a function that takes it, anew at each change of settings: a request goes on with the one it began with.
import type { z } from 'zod'
import type { Scope } from '../keys/scopes.ts'
import type { VerifiedKey } from '../keys/verify-key.ts'
import type { Caller } from '../search/caller.ts'
import type { Admission } from './pipeline/admission.ts'
import type { CacheableAnswer } from './pipeline/answer-cache.ts'
import type { ReplyEvents } from './pipeline/event-reply.ts'

export interface Call<Params> {
  params: Params
  key: VerifiedKey
  /** Who asks, for every service that may call a provider. */
  caller: Caller
  /** The state of the key's limits. A handler whose 200 delivers nothing calls its `giveBack`. */
  admission: Admission
  /** Scheme and host as the client sees them, without a trailing slash. */
  baseUrl: string
  /** From the connection and the trusted proxies. */
  client: { ip: string }
  setHeader: (name: string, value: string) => void
  /** Whether this is a HEAD request. */
  isHead?: boolean
  /** Set if the client wants a stream and the endpoint `streams`. */
  events?: ReplyEvents | undefined
}

export interface Endpoint<Params extends z.ZodObject = z.ZodObject, Reply extends z.ZodType = z.ZodType> {
  /** Its name in the root document and in the usage record. */
  name: string
  method: 'GET'
  /** With the trailing slash; the path without it works too. */
  path: string
  summary: string
  description: string
  params: Params
  reply: Reply
  /** Whether an answered request counts as a search in the monthly usage. HEAD never does. */
  counts: boolean
  /** The scope that the key needs; undefined: any valid key will do. */
  scope: Scope | undefined
  /** Response headers of this endpoint only, for the OpenAPI document: name → meaning. */
  headers?: Record<string, string>
  /** Error statuses of this endpoint only, for the OpenAPI document. */
  errors?: readonly number[]
  /** Whether `handle` reports its progress to `call.events`. */
  streams?: true
  /** Also takes POST, with the same parameters as a form or as a JSON object. */
  post?: { maxBodyBytes: number }
  /**
   * The reply is the same for every key and rarely changes: it has an ETag, and a caller who already has it gets a 304.
   */
  isTagged?: true
  /** false: the root and the OpenAPI document leave it out, because it has nothing with the settings in force. */
  isListed?: boolean
  handle(call: Call<z.output<Params>>): Promise<z.output<Reply> | CacheableAnswer> | z.output<Reply>
}

export const defineEndpoint = <Params extends z.ZodObject, Reply extends z.ZodType>(
  endpoint: Endpoint<Params, Reply>,
): Endpoint<Params, Reply> => endpoint
