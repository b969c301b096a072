// Every kind of card, in reply order.
import { bookCard } from './book-card.ts'
import type { Card } from './card.ts'
import { dictionaryCard } from './dictionary-card.ts'
import { mapCard } from './map-card.ts'
import { stackexchangeCard } from './stackexchange-card.ts'
import { wikipediaCard } from './wikipedia-card.ts'

export const ALL_CARDS: readonly Card[] = [wikipediaCard, dictionaryCard, stackexchangeCard, bookCard, mapCard]
