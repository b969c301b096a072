// The contract between a data source and its host. A source is an upstream provider that is not a search engine: it
// geocodes, translates, or provides weather, exchange rates or definitions. Like an engine it is pure: it declares what
// it is, builds requests and reads replies, and never does I/O; `compose/providers.ts` does the rest.
//
// A source offers calls. A call is a declared object: how to build the request, how to read the reply, what the answer
// looks like (so that an answer from the cache can be validated), and how long it may be kept. `parse` throws
// UpstreamError for anything that is not an answer; "found nothing" is an answer.
import type { z } from 'zod'
import type { Deadline } from './deadline.ts'
import type { ProviderReply, ProviderRequest } from './engine.ts'
import type { Setting, SettingValues } from './setting.ts'

/** What a source is for; also its group in `status/`. */
export type SourceGroup = 'maps' | 'translate' | 'weather' | 'currency' | 'cards'

export interface SourceSettings extends Record<string, Setting> {
  baseUrl: Setting
}

export interface SourceRequest extends ProviderRequest {
  /** For a source with one URL per edition (see `addressOf`); left out: its own URL. */
  edition?: string
}

export interface SourceCall<Query, Found, Settings extends SourceSettings = SourceSettings> {
  /** Unique within its source. */
  name: string
  /** How long an answer may be cached; 0: never, and it is not shared with concurrent requests either. */
  keepSeconds: number
  /** Everything the answer depends on, normalised. It is hashed before it is used as a key. */
  keyOf(query: Query): string
  request(query: Query, settings: SettingValues<Settings>): SourceRequest
  /** `now` is in milliseconds since 1970: a source has no clock of its own. */
  parse(reply: ProviderReply, context: { query: Query; now: number }): Found
  /** The schema of an answer. An answer that comes back from Redis is untrusted input. */
  schema: z.ZodType<Found>
}

export interface SourceTerms {
  /** `memory`: only transient storage is allowed, so an answer is cached only in the process. */
  cacheIn: 'memory' | 'shared'
  /** Millionths of a US dollar. */
  pricePerCallMicros: number
  /** The attribution that must be shown with the data, or ''. */
  attribution: string
  /** The provider's own rate limit, which the host never exceeds. */
  rateLimit?: { calls: number; perSeconds: number }
  /** The rate limit applies only to this host: the provider's public server, not one that the operator runs. */
  rateLimitedHost?: string
}

export interface Source<Settings extends SourceSettings = SourceSettings> {
  /** Lower-case letters and digits. The name of every setting starts with it. */
  slug: string
  name: string
  homepage: string
  group: SourceGroup
  settings: Settings
  terms: SourceTerms
  /** The URL of a public server that callers must identify themselves to; used once OPERATOR_CONTACT is set. */
  identifiedUrl?: string
  /** The URL of an edition, derived from the configured one. An edition never comes from a caller unchecked. */
  addressOf?: (baseUrl: string, edition: string) => string
  /** A cheap health check, for a source that real queries use too rarely. `parse` throws if the source is unwell. */
  probe?: Pick<SourceCall<null, unknown, Settings>, 'request' | 'parse'>
}

export const defineSource = <Settings extends SourceSettings>(source: Source<Settings>): Source<Settings> => source

/** Ties a call's types together; `Settings` are those of its source. */
export const defineCall =
  <Settings extends SourceSettings>() =>
  <Query, Found>(call: SourceCall<Query, Found, Settings>): SourceCall<Query, Found, Settings> =>
    call

export interface SourceResult<Found> {
  found: Found
  /** Older than it should be, because the source failed to provide a newer one. */
  isStale: boolean
  ageMs: number
}

/** A fully configured source. Calls go through its cache, its rate limit and its circuit breaker. */
export interface BoundSource<Settings extends SourceSettings = SourceSettings> {
  source: Source<Settings>
  /** Settles by the deadline, and rejects only with UpstreamError. */
  ask<Query, Found>(
    call: SourceCall<Query, Found, Settings>,
    query: Query,
    deadline: Deadline,
    isForVisitor?: boolean,
  ): Promise<SourceResult<Found>>
}

/** `undefined`: it is not configured on this instance. */
export type FindSource = <Settings extends SourceSettings>(
  source: Source<Settings>,
) => BoundSource<Settings> | undefined

/** The same sources; calls that are made for a visitor say so. */
export function findFor(find: FindSource, isVisitor: boolean): FindSource {
  if (!isVisitor) return find
  return (source) => {
    const bound = find(source)
    return bound && { source: bound.source, ask: (call, query, deadline) => bound.ask(call, query, deadline, true) }
  }
}
