// The contract between a data source and its host. A source is an upstream provider that is no search engine: it
// geocodes, translates, knows the weather, the exchange rates, or what a word means. Like an engine it is pure: it
// declares what it is, builds requests and reads replies, and never does I/O; `source-room.ts` does the rest.
//
// A source offers calls. A call is a declared object: what is asked, how the reply is read, what the answer looks like
// (so that what comes back from the cache can be judged), and how long it may be kept. `parse` throws UpstreamError for
// anything that is not an answer; "found nothing" is an answer.
import type { z } from 'zod'
import type { Setting, SettingValues } from '../config/setting.ts'
import type { EngineReply, EngineRequest } from './engine.ts'
import type { Deadline } from '../upstream/deadline.ts'

/** What a source is for; also its group in `status/`. */
export type SourceGroup = 'maps' | 'translate' | 'weather' | 'currency' | 'cards'

export interface SourceSettings extends Record<string, Setting> {
  baseUrl: Setting
}

export interface SourceRequest extends EngineRequest {
  /** For a source with an address for each edition (see `addressOf`); left out: its own address. */
  edition?: string
}

export interface SourceCall<Query, Found, Settings extends SourceSettings = SourceSettings> {
  /** Unique within its source. */
  name: string
  /** How long an answer may be kept; 0: never, not even for somebody who asks at the same time. */
  keepSeconds: number
  /** Everything the answer depends on, in a normal form. It is hashed before it names anything. */
  keyOf(query: Query): string
  request(query: Query, settings: SettingValues<Settings>): SourceRequest
  /** `now` is in milliseconds since 1970: a source has no clock of its own. */
  parse(reply: EngineReply, asked: { query: Query; now: number }): Found
  /** What an answer looks like. An answer that comes back from Redis is input like any other. */
  found: z.ZodType<Found>
}

export interface SourceTerms {
  /** `memory`: only transient storage is allowed, so an answer is kept in the process alone. */
  cacheIn: 'memory' | 'shared'
  /** Millionths of a US dollar. */
  pricePerCallMicros: number
  /** What must be shown beside the data, or ''. */
  attribution: string
  /** The provider's own rate, which the host never exceeds. */
  pace?: { calls: number; perSeconds: number }
  /** The pace holds only at this host: the provider's public server, not one of the operator's own. */
  pacedHost?: string
}

export interface Source<Settings extends SourceSettings = SourceSettings> {
  /** Lower-case letters and digits. Every setting begins with it. */
  slug: string
  name: string
  homepage: string
  group: SourceGroup
  settings: Settings
  terms: SourceTerms
  /** A public server that may be used only by those who say who they are: its address once OPERATOR_CONTACT is set. */
  identifiedUrl?: string
  /** The address of an edition, from the configured one. An edition never comes from a caller unchecked. */
  addressOf?(baseUrl: string, edition: string): string
  /** A cheap call that tells whether it is well, for a source that real queries ask too seldom. */
  probe?: SourceCall<null, unknown, Settings>
}

export const defineSource = <Settings extends SourceSettings>(source: Source<Settings>): Source<Settings> => source

/** Ties a call's types together; `Settings` are those of its source. */
export const defineCall =
  <Settings extends SourceSettings>() =>
  <Query, Found>(call: SourceCall<Query, Found, Settings>): SourceCall<Query, Found, Settings> =>
    call

export interface Told<Found> {
  found: Found
  /** It is older than it should be, and the source has failed to give a newer one. */
  isStale: boolean
  ageMs: number
}

/** A source that has every setting it needs, behind its protection and the cache. */
export interface BoundSource<Settings extends SourceSettings = SourceSettings> {
  source: Source<Settings>
  /** Rejects with UpstreamError, and nothing else, by the deadline at the latest. */
  ask<Query, Found>(call: SourceCall<Query, Found, Settings>, query: Query, deadline: Deadline): Promise<Told<Found>>
}

/** `undefined`: it is not configured on this instance. */
export type FindSource = <Settings extends SourceSettings>(
  source: Source<Settings>,
) => BoundSource<Settings> | undefined
