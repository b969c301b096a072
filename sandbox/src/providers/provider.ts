// The contract of a simulated provider: it speaks one upstream's wire format over the corpus and does no I/O.
// The server around it does the rest: sockets, faults, the call log, the cache of rendered replies.
//
// A provider is strict where the real one is, so that a wrong adapter fails visibly: it checks the credentials first,
// then every parameter. What its reference does not say is marked in the provider's file as our own choice.
import type { IncomingHttpHeaders } from 'node:http'
import type { Corpus } from '../corpus/corpus.ts'

export interface ProviderRequest {
  method: string
  /** Below the provider's own base: `/res/v1/web/search`. */
  path: string
  query: URLSearchParams
  /** Lower-case names. */
  headers: IncomingHttpHeaders
  /** '' for a GET. */
  body: string
  /** The full hour, so that a rendered reply keeps for one. */
  now: number
}

/** A `json` reply can be reshaped by faults; a `text` reply is sent as it is. */
export type ProviderReply = { status: number; headers?: Record<string, string> } & (
  | { json: unknown }
  | { text: string; contentType: string }
)

export interface Provider<Slug extends string = string> {
  /** The slug of the engine in `engines/src/`, and the first part of every path. */
  slug: Slug
  /** The credential it accepts, or '' if it needs none. */
  key: string
  /** Request headers that the reply depends on, lower-case: part of the cache key. */
  readsHeaders: readonly string[]
  /** Member names, at any depth, that the real provider may leave out or send as null. */
  optionalMembers: readonly string[]
  /** For a provider whose JSON is invalid; `JSON.stringify` by default. */
  writeJson?(json: unknown): string
  /** `undefined`: no such path or method. Must depend on its arguments only. */
  answer(request: ProviderRequest, corpus: Corpus): ProviderReply | undefined
  badKey(now: number): ProviderReply
  throttled(now: number, retryAfterSeconds: number): ProviderReply
  /** Any other error, in the provider's own shape. */
  failure(now: number, status: number): ProviderReply
}

export const defineProvider = <const Slug extends string>(provider: Provider<Slug>): Provider<Slug> => provider
