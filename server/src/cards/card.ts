// The contract of a card: information about the thing a query names, from one kind of source, shown beside the results.
// A card is one declared object with its rule for when to show it, its content and its schema in the OpenAPI document.
//
// A card needs evidence that the query is about it: an article has exactly that name, a question shares the words, a
// book has the title and the author. Each file's header states its rule. Without evidence the card is `null`. A source
// that would otherwise be called for every query is called only if the query itself gives a hint.
//
// All text is plain text, all URLs are absolute http(s), and every card carries its attribution and licence.

import type { GeoPlace } from '@bowerbird/engines/parsing/geo-place.ts'
import type { Source, SourceCall, SourceSettings } from '@bowerbird/engines/source.ts'
import type { Article } from '@bowerbird/engines/sources/wikipedia-articles.ts'
import { z } from 'zod'

/** Finds the best place for a name. Rejects with Refusal or UpstreamError. */
export type Geocode = (text: string, lang: string) => Promise<GeoPlace | undefined>

export interface CardQuery {
  /** Trimmed, white space collapsed. */
  text: string
  /** A BCP 47 tag, or ''. */
  lang: string
  safe: boolean
}

export interface CardContext extends CardQuery {
  /** Milliseconds since 1970. */
  now: number
  /** Rejects with UpstreamError. `undefined`: the source is not configured on this instance. */
  ask: <Settings extends SourceSettings, Query, Found>(
    source: Source<Settings>,
    call: SourceCall<Query, Found, Settings>,
    query: Query,
  ) => Promise<Found | undefined>
  /** The article the query names, looked up once for all cards. */
  article: () => Promise<Article | undefined>
  /** `undefined`: no geocoder is configured. */
  geocode: Geocode | undefined
  /** Records that the card is shown without something that couldn't be fetched. */
  markIncomplete: () => void
  /** API methods by name, and until when (milliseconds since 1970) their provider told us to back off. */
  quietUntil: Map<string, number>
}

export const Attribution = z
  .object({
    text: z.string().describe('Who to credit.'),
    url: z.string().describe('The source.'),
    licence: z.string(),
    licence_url: z.string(),
  })
  .meta({ id: 'Attribution' })

export const CC_BY_SA_4 = {
  licence: 'CC BY-SA 4.0',
  licence_url: 'https://creativecommons.org/licenses/by-sa/4.0/',
}

export interface Card<Reply extends z.ZodObject = z.ZodObject> {
  /** The name of its member in the reply. */
  kind: string
  /** One sentence for the documentation. */
  summary: string
  reply: Reply
  /** Every source it may call, so that the site can tell users who sees their searches. */
  sources: readonly Source[]
  /** `null`: no evidence. Rejects with UpstreamError when a source fails: an outage is not "nothing known". */
  ask(context: CardContext): Promise<z.output<Reply> | null>
}

export const defineCard = <Reply extends z.ZodObject>(card: Card<Reply>): Card<Reply> => card
