// Cards beside the results, about the thing that the query names. The first card's text is always shown; its facts and
// the other cards follow below it, on a phone behind "More". Every card visibly names its source and licence.

import { hostOf } from '@bowerbird/engines/parsing/http-address.ts'
import type { z } from 'zod'
import type { bookCard } from '../../cards/book-card.ts'
import type { Attribution } from '../../cards/card.ts'
import type { dictionaryCard } from '../../cards/dictionary-card.ts'
import type { mapCard } from '../../cards/map-card.ts'
import type { stackexchangeCard } from '../../cards/stackexchange-card.ts'
import type { wikipediaCard } from '../../cards/wikipedia-card.ts'
import { type Html, html, joined, type Piece } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { findText } from '../i18n/messages.ts'
import { addressOf } from '../parts/address.ts'
import { capitalised, languageName } from '../parts/formats.ts'
import type { Pictures } from '../pictures.ts'
import { type Fact, factList } from './instant-parts.ts'
import { externalLink, shortened } from './result-parts.ts'

type CardOf<Card extends { reply: z.ZodObject }> = z.output<Card['reply']>
type Wikipedia = CardOf<typeof wikipediaCard>
type Dictionary = CardOf<typeof dictionaryCard>
type StackExchange = CardOf<typeof stackexchangeCard>
type Book = CardOf<typeof bookCard>
type Place = CardOf<typeof mapCard>

/** The content of a card; `facts` may be collapsed, the rest always shows. */
interface CardParts {
  title: string
  url: string
  /** A few words under the title. */
  kind?: string
  picture?: Html | false
  body: Piece
  facts?: readonly Fact[]
  attribution: z.output<typeof Attribution>
  /** Shown beside the licence. */
  also?: Html | false
}

const MAX_TITLE_LENGTH = 200
const MAX_TEXT_LENGTH = 900
const MAX_SENSES = 3
const MAX_LANGUAGES = 6

/** In display order. */
const KINDS: Readonly<
  Record<string, (card: never, context: PageContext, pictures: Pictures | undefined) => CardParts>
> = {
  wikipedia: drawWikipedia,
  dictionary: drawDictionary,
  book: drawBook,
  stackexchange: drawQuestion,
  map: drawPlace,
}

/**
 * `cards` are as the service returns them, by kind. Returns undefined if there is nothing to show.
 */
export function cardView(
  pictures: Pictures | undefined,
  context: PageContext,
  { cards, excludedKinds }: { cards: Readonly<Record<string, unknown>>; excludedKinds: readonly string[] },
): Html | undefined {
  const drawn = Object.entries(KINDS)
    .filter(([kind]) => cards[kind] && !excludedKinds.includes(kind))
    // The service stores each card under the name of its kind.
    .map(([kind, draw]) => draw(cards[kind] as never, context, pictures))
  const [first, ...others] = drawn
  if (!first) return undefined
  const { facts = [] } = first
  const hasMore = facts.length > 0 || others.length > 0
  return html`<article class="card">${cardHead(first, context)}${credit(first, context)}${
    hasMore &&
    html`<details class="card-more"><summary>${context.words.answers.cards.more}</summary>${facts.length > 0 && factList(facts)}${others.map(
      (card) =>
        html`<article class="card">${cardHead(card, context)}${card.facts && factList(card.facts)}${credit(card, context)}</article>`,
    )}</details>`
  }</article>`
}

const cardHead = ({ title, url, kind, picture, body }: CardParts, { preferences }: PageContext): Html =>
  html`<div class="card-head"><div><h2 dir="auto"><a ${externalLink(url, preferences)}>${shortened(title, MAX_TITLE_LENGTH)}</a></h2>${kind && html`<p class="quiet" dir="auto">${kind}</p>`}</div>${picture}</div>${body}`

const credit = ({ attribution, also }: CardParts, { preferences }: PageContext): Html => {
  const { text, url, licence, licence_url: licenceUrl } = attribution
  const source = html`<a ${externalLink(url, preferences)}>${text}</a>`
  const terms = licence !== '' && html`<a ${externalLink(licenceUrl, preferences)}>${licence}</a>`
  return html`<p class="credit">${joined([source, terms, also], ' · ')}</p>`
}

const paragraph = (text: string, lang: string): Html =>
  html`<p class="card-text" dir="auto"${lang && html` lang="${lang}"`}>${shortened(text, MAX_TEXT_LENGTH)}</p>`

function pictureOf(address: string, pictures: Pictures | undefined): Html | false {
  const source = address === '' ? '' : pictures?.signedPath(address, 'thumbnail')
  return source ? html`<img class="card-picture" src="${source}" alt="" loading="lazy" decoding="async">` : false
}

function drawWikipedia(
  { title, url, description, summary, lang, image, facts, attribution }: Wikipedia,
  context: PageContext,
  pictures: Pictures | undefined,
): CardParts {
  const { preferences, words } = context
  const picture = image !== null && pictureOf(image.url, pictures)
  return {
    title,
    url,
    kind: capitalised(description),
    picture,
    body: paragraph(summary, lang),
    facts: facts.map(({ label, values }) => ({
      label: capitalised(label),
      value: joined(
        values.map((value) => factValue(value, preferences)),
        ', ',
      ),
    })),
    attribution,
    also: picture && html`<a ${externalLink(image.page_url, preferences)}>${words.answers.cards.picture}</a>`,
  }
}

/** `January 28, 1887`, as cards in English have it; the rest of the page has the day first. */
const MONTH_FIRST = /^(?<month>[A-Z][a-z]+) (?<day>\d{1,2}), (?<year>\d{4})$/

const WIKIDATA = 'https://www.wikidata.org/'

/** Only websites become links: all other values link to Wikidata, which doesn't help readers here. */
const factValue = ({ text, url }: { text: string; url: string }, preferences: PageContext['preferences']): Piece =>
  url === '' || url.startsWith(WIKIDATA)
    ? shortened(text.replace(MONTH_FIRST, '$<day> $<month> $<year>'), MAX_TITLE_LENGTH)
    : html`<a ${externalLink(url, preferences)}>${text === url ? hostOf(url) : shortened(text, MAX_TITLE_LENGTH)}</a>`

function drawDictionary(
  { word, lang, language, entries, url, attribution }: Dictionary,
  { locale, words }: PageContext,
): CardParts {
  return {
    title: word,
    url,
    kind: capitalised(languageName(lang, locale) ?? language),
    body: entries.map(
      ({ part_of_speech: part, senses }) =>
        html`<h3>${findText(words.answers.partsOfSpeech, part.toLowerCase()) ?? part}</h3><ol class="senses" lang="en">${senses.slice(0, MAX_SENSES).map(({ definition }) => html`<li><bdi>${shortened(definition, MAX_TEXT_LENGTH)}</bdi></li>`)}</ol>`,
    ),
    attribution,
  }
}

function drawQuestion({ title, url, answer, attribution }: StackExchange, { words }: PageContext): CardParts {
  return {
    title,
    url,
    kind: words.answers.cards.acceptedAnswer,
    body: html`${paragraph(answer.text, 'en')}${answer.code !== '' && html`<pre class="card-code" tabindex="0"><code>${shortened(answer.code, MAX_TEXT_LENGTH)}</code></pre>`}`,
    attribution,
  }
}

function drawBook(book: Book, context: PageContext, pictures: Pictures | undefined): CardParts {
  const { words, locale, preferences } = context
  const { cards } = words.answers
  const { title, subtitle, authors, first_published: year, editions, languages, cover_url: cover, url } = book
  const names = joined(
    authors.map(({ name, url: page }) =>
      page === '' ? name : html`<a ${externalLink(page, preferences)}>${name}</a>`,
    ),
    ', ',
  )
  const facts: Fact[] = [
    { label: cards.firstPublished, value: year },
    { label: cards.editions, value: editions > 0 && new Intl.NumberFormat(locale).format(editions) },
    {
      label: cards.languages,
      value: languages
        .slice(0, MAX_LANGUAGES)
        .map((code) => languageName(code, locale) ?? code)
        .join(', '),
    },
  ]
  return {
    title,
    url,
    kind: subtitle,
    picture: pictureOf(cover, pictures),
    body: html`<p class="card-text" dir="auto">${names}</p>`,
    facts: facts.filter(({ value }) => value),
    attribution: book.attribution,
  }
}

/** The map itself is on its own page, and loads only on request. */
function drawPlace(
  { name, display_name: address, osm_url: url, directions_url: directionsUrl, attribution }: Place,
  context: PageContext,
): CardParts {
  const { words, preferences, hasPage } = context
  const { onMap, showMap, directions } = words.answers.cards
  const links = [
    hasPage('/maps') && html`<li><a href="${addressOf('/maps', { q: name, show: 1 })}#place-1">${showMap}</a></li>`,
    html`<li><a ${externalLink(directionsUrl, preferences)}>${directions}</a></li>`,
  ]
  return {
    title: onMap({ name }),
    url,
    body: html`${paragraph(address, '')}<ul class="sitelinks">${links}</ul>`,
    attribution,
  }
}
