// The facts of an article's Wikidata item, in two calls: its statements, then the labels of the items and properties in
// them, in the requested language.

import { httpAddress } from '@bowerbird/engines/parsing/http-address.ts'
import { languageTag } from '@bowerbird/engines/parsing/language-tag.ts'
import {
  MOST_IDS,
  type WikidataStatement,
  wikidata,
  wikidataItem,
  wikidataLabels,
} from '@bowerbird/engines/sources/wikidata.ts'
import type { Article } from '@bowerbird/engines/sources/wikipedia-articles.ts'
import type { CardContext } from './card.ts'
import { FACT_PROPERTIES, isAdult, propertiesFor } from './fact-table.ts'
import { itemsIn, shownStatements, writtenValue } from './fact-values.ts'

const MOST_FACTS = 8

export interface Fact {
  property: string
  label: string
  values: { text: string; url: string }[]
}

export interface KnownFacts {
  facts: Fact[]
  /** Wikidata classifies it as adult content. */
  isAdult: boolean
}

export const wikidataPage = (id: string): string => `https://www.wikidata.org/wiki/${id}`

/** A website links to itself, an item to its Wikidata page. */
const linkOf = ({ value }: WikidataStatement): string => {
  if (value.type === 'item') return wikidataPage(value.id)
  return value.type === 'text' ? httpAddress(value.text) : ''
}

/** In the requested language, or else in the article's. */
export async function factsOf(article: Article, context: CardContext): Promise<KnownFacts> {
  const { ask } = context
  const lang = context.lang || article.lang
  const item = await ask(wikidata, wikidataItem, { id: article.item, properties: FACT_PROPERTIES })
  if (!item) return { facts: [], isAdult: false }
  const shown = propertiesFor(item)
    .map((property) => ({ property, statements: shownStatements(property, item.statements[property] ?? []) }))
    .filter(({ statements }) => statements.length > 0)
    .slice(0, MOST_FACTS)
  const ids = [...new Set(shown.flatMap(({ property, statements }) => [property, ...itemsIn(statements)]))]
  if (ids.length === 0) return { facts: [], isAdult: isAdult(item) }
  // Sorted, so that the same set of ids has the same cache key.
  const asked = { ids: ids.toSorted().slice(0, MOST_IDS), lang: languageTag(lang).base || 'en' }
  const labels = (await ask(wikidata, wikidataLabels, asked)) ?? {}
  const facts = shown.map(({ property, statements }) => ({
    property,
    label: labels[property] ?? '',
    values: statements
      .map((statement) => ({ text: writtenValue(statement, labels, lang), url: linkOf(statement) }))
      .filter(({ text }) => text !== ''),
  }))
  return { facts: facts.filter(({ label, values }) => label !== '' && values.length > 0), isAdult: isAdult(item) }
}
