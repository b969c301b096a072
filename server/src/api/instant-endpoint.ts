// GET /api/v1/instant/ (specification 2.12): an answer object, or `null` when the query is not one for it.
//
// The specification calls the body provider-shaped. Every kind of answer is documented all the same, from its own
// declaration.
import { z } from 'zod'
import type { Answer } from '../answers/answer.ts'
import type { Answers } from '../answers/answers.ts'
import { defineEndpoint } from './endpoint.ts'
import { langParam, queryParam } from './endpoints/search-params.ts'

const schemaOf = ({ slug, title, summary, reply }: Answer) =>
  z
    .object({ type: z.literal(slug), query: z.string(), text: z.string() })
    .extend(reply.shape)
    .describe(summary)
    .meta({ id: `${pascalCase(slug)}Answer`, title })

const pascalCase = (slug: string): string =>
  slug.replace(/(?:^|_)([a-z\d])/g, (_match, letter: string) => letter.toUpperCase())

export const instantEndpoint = ({ list }: Answers) =>
  defineEndpoint({
    name: 'instant',
    method: 'GET',
    path: '/api/v1/instant/',
    summary: 'Instant answer',
    description: 'The answer to a question that needs no search, or `null` when the query is not such a question.',
    params: z.object({ q: queryParam, lang: langParam }),
    reply: z.union([z.null(), ...list.map(schemaOf)]).meta({ id: 'InstantReply' }),
    counts: true,
    scope: 'answers',
    headers: { 'Cache-Control': '`no-store` with an answer that is random or about the caller.' },
    async handle({ params: { q, lang }, client, services, setHeader }) {
      const given = await services.answers.answer({ text: q, lang, client })
      if (given?.isPersonal) setHeader('Cache-Control', 'no-store')
      return given?.answer ?? null
    },
  })
