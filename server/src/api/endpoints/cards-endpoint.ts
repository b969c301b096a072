// GET /api/v1/cards/: facts about what the query names. The reply has one member per
// kind of card: an object or `null`.
//
// Every kind is documented from its own declaration. `engine`
// is validated but has no effect, because no engine provides cards.
import { z } from 'zod'
import type { Card } from '../../cards/card.ts'
import { type Cards, cardStatusHeader } from '../../cards/cards.ts'
import { GUARD_HEADER } from '../../search/query-guard.ts'
import { defineEndpoint } from '../endpoint.ts'
import { engineParam, langParam, queryParam, type SlotList, safeParam } from './search-params.ts'

const schemaOf = ({ kind, summary, reply }: Card) =>
  reply
    .describe(summary)
    .meta({ id: `${kind.charAt(0).toUpperCase()}${kind.slice(1)}Card` })
    .nullable()

export const cardsEndpoint = (cards: Cards, slots: SlotList) =>
  defineEndpoint({
    name: 'cards',
    method: 'GET',
    path: '/api/v1/cards/',
    summary: 'Knowledge cards',
    description:
      'Facts about what the query names, by kind. A kind is `null` when nothing shows that the query is about it, ' +
      'or when its source failed: `Search-Status` and `Card-Status` tell the two apart.',
    params: z.object({ q: queryParam, engine: engineParam(slots), safe: safeParam, lang: langParam }),
    reply: z
      .object({ query: z.string(), ...Object.fromEntries(cards.list.map((card) => [card.kind, schemaOf(card)])) })
      .meta({ id: 'CardsReply' }),
    counts: true,
    scope: 'answers',
    headers: {
      ...GUARD_HEADER,
      'Search-Status': '`complete`, `partial` or `stale`: whether every source that was queried answered.',
      'Card-Status': 'The outcome for each kind: `wikipedia;ok;ms=112, book;skipped, map;timeout;ms=2000`.',
    },
    async handle({ params: { q, safe, lang }, caller, setHeader }) {
      const { cards: found, reports, status } = await cards.cards(caller, { text: q, lang, safe })
      setHeader('Search-Status', status)
      setHeader('Card-Status', cardStatusHeader(reports))
      return { query: q, ...found }
    },
  })
