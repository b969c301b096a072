// The contract of a card: what is known of the thing that a query names, from one kind of source, shown beside the
// results. A card is one declared object, which is its evidence, its content and its schema in the OpenAPI document.
//
// A card is shown because there is evidence that the query is about it, never because it might be: an article bears the
// very name, a question shares the words, a book has the title and the author. Each file's header states its rule.
// Where the evidence is lacking the card is `null`, and a source that would have to be asked for every query is asked
// only when the query itself gives a sign.
//
// Every text is plain text, every address absolute http(s), and every card carries whom to name, and under which
// licence.
import { z } from 'zod'
import type { UpstreamError } from '../errors.ts'
import type { GeoPlace } from '../providers/reading/geo-place.ts'
import type { Source, SourceCall, SourceSettings } from '../providers/source.ts'
import type { Article } from '../providers/sources/wikipedia-articles.ts'

/** A place with its links, as the maps of the instance find it. */
export interface CardPlace extends GeoPlace {
  embedUrl: string
  miniEmbedUrl: string
  osmUrl: string
  directionsUrl: string
  geoUri: string
}

/** The best place of a name. Rejects with Refusal or UpstreamError. */
export type Geocode = (text: string, lang: string) => Promise<CardPlace | undefined>

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
  /** The article that the query names, found once for all cards that want to know. */
  article: () => Promise<Article | undefined>
  /** `undefined`: no geocoder is configured. */
  geocode: Geocode | undefined
  /** The card is shown without something that could not be had. */
  lacks: (error: UpstreamError) => void
  /** Names of methods and until when (milliseconds since 1970) their provider asked not to be asked again. */
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
  /** Its member in the reply. */
  kind: string
  /** One sentence for the documentation. */
  summary: string
  reply: Reply
  /** All that it may ask, so that readers can be told who sees their searches. */
  sources: readonly Source[]
  /** `null`: no evidence. Rejects with UpstreamError when a source fails: an outage is not "nothing known". */
  ask(context: CardContext): Promise<z.output<Reply> | null>
}

export const defineCard = <Reply extends z.ZodObject>(card: Card<Reply>): Card<Reply> => card
