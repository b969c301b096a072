// GET /api/v1/instant/: an answer object, or `null` for a query that has no instant answer.
//
// Every type of answer is documented from its own declaration.
// The last form in the union is open, because new versions add new types.

import type { Answer } from '@bowerbird/answers/answer.ts'
import { z } from 'zod'
import type { InstantAnswers } from '../../cards/instant-answers.ts'
import { GUARD_HEADER } from '../../search/query-guard.ts'
import { defineEndpoint } from '../endpoint.ts'
import { degreesParam, latWithLon, lonWithLat, zoneParam } from './place-params.ts'
import { langParam, queryParam } from './search-params.ts'

const schemaOf = ({ slug, title, summary, reply }: Answer) =>
  z
    .object({ type: z.literal(slug), query: z.string(), text: z.string() })
    .extend(reply.shape)
    .describe(summary)
    .meta({ id: schemaName(slug), title })

const schemaName = (slug: string): string => `${pascalCase(slug)}Answer`

const pascalCase = (slug: string): string =>
  slug.replace(/(?:^|_)([a-z\d])/g, (_match, letter: string) => letter.toUpperCase())

const OtherAnswer = z
  .looseObject({ type: z.string(), query: z.string(), text: z.string() })
  .describe('An answer of a type that this version of the document does not know. `text` says it all.')
  .meta({ id: 'OtherAnswer', title: 'Other' })

/** The answers of this version, distinguished by `type`. */
const knownAnswersSchema = (list: readonly Answer[]) =>
  z.union(list.map(schemaOf)).meta({
    id: 'InstantAnswer',
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(list.map(({ slug }) => [slug, `#/components/schemas/${schemaName(slug)}`])),
    },
  })

/**
 * Keeps `null` and the open form out of the discriminated union: a client that goes by `type` alone would have no
 * schema for them.
 */
const replySchema = (list: readonly Answer[]) =>
  z.union([z.null(), knownAnswersSchema(list), OtherAnswer]).meta({ id: 'InstantReply' })

const InstantParams = z
  .object({
    q: queryParam,
    lang: langParam,
    tz: zoneParam,
    lat: degreesParam(90, 'Latitude of the caller, with `lon`: for `weather` and `sunset` without a place.', 52.52),
    lon: degreesParam(180, 'Longitude of the caller, with `lat`.', 13.41),
  })
  .refine(...latWithLon)
  .refine(...lonWithLat)

export const instantEndpoint = (answers: InstantAnswers) =>
  defineEndpoint({
    name: 'instant',
    method: 'GET',
    path: '/api/v1/instant/',
    summary: 'Instant answer',
    description:
      'A direct answer, such as a calculation or a conversion, or `null` if the query is not answered inline.',
    params: InstantParams,
    reply: replySchema(answers.list),
    counts: true,
    scope: 'answers',
    headers: GUARD_HEADER,
    async handle({ params: { q, lang, tz, lat, lon }, caller, client }) {
      const point = lat === undefined || lon === undefined ? undefined : { latitude: lat, longitude: lon }
      const found = await answers.answer(caller, { text: q, lang, client, zone: tz, point })
      return found?.answer ?? null
    },
  })
