// Cards that were put together a moment ago. Their sources keep what they said for hours, but making cards of it again
// costs several times what the results beside them do, and people go back and forth between pages. Only what is complete is
// kept: a source that failed is asked again by the next page.
import { LRUCache } from 'lru-cache'
import type { CardQuery } from '../../cards/card.ts'
import type { Cards, GivenCards } from '../../cards/cards.ts'

const KEPT_MS = 60_000
const MOST = 500

const memories = new WeakMap<Cards, LRUCache<string, GivenCards>>()

export async function keptCards(service: Cards, query: CardQuery): Promise<GivenCards> {
  const memory = memories.get(service) ?? new LRUCache<string, GivenCards>({ max: MOST, ttl: KEPT_MS })
  memories.set(service, memory)
  const key = `${query.safe} ${query.lang} ${query.text}`
  const known = memory.get(key)
  if (known) return known
  const given = await service.cards(query)
  if (given.status === 'complete') memory.set(key, given)
  return given
}
