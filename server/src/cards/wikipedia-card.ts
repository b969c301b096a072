// The Wikipedia article the query names: summary, picture, and facts from Wikidata chosen by the kind of thing. Shown
// only if an article has that name (see `findArticle`). With `safe` on, things that Wikidata classifies as
// pornography are left out. If Wikidata fails, the card is shown without facts.

import { wikipediaEdition } from '@bowerbird/engines/parsing/mediawiki.ts'
import { wikidata } from '@bowerbird/engines/sources/wikidata.ts'
import {
  type Article,
  articlesBySearch,
  articlesByTitle,
  wikipediaArticles,
} from '@bowerbird/engines/sources/wikipedia-articles.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { z } from 'zod'
import { Attribution, type CardContext, CC_BY_SA_4, defineCard } from './card.ts'
import { Fact, factsOf, type KnownFacts, wikidataPage } from './facts.ts'
import { createSubjectFinder, isSameName, wordsOf } from './names.ts'

const Picture = z
  .object({
    url: z.string(),
    width: z.int(),
    height: z.int(),
    page_url: z
      .string()
      .describe('The page with the author and licence of the image, which differ from those of the text.'),
  })
  .meta({ id: 'CardPicture' })

/** `page_url` is the file's page on the article's own wiki. */
const pictureOf = ({ picture, url }: Article): z.output<typeof Picture> | null =>
  picture && {
    url: picture.url,
    width: Math.round(picture.width),
    height: Math.round(picture.height),
    page_url: `${new URL(url).origin}/wiki/File:${encodeURIComponent(picture.file.replaceAll(' ', '_'))}`,
  }

async function factsIfAny(article: Article, context: CardContext): Promise<KnownFacts> {
  const nothing = { facts: [], isAdult: false }
  if (article.item === '') return nothing
  try {
    return await factsOf(article, context)
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    if (!error.isQueryFault) context.markIncomplete()
    return nothing
  }
}

export const wikipediaCard = defineCard({
  kind: 'wikipedia',
  summary: 'The Wikipedia article about what the query names, with facts from Wikidata.',
  sources: [wikipediaArticles, wikidata],
  reply: z.object({
    title: z.string(),
    description: z.string().describe('A short description, or empty.'),
    summary: z.string().describe('The first sentences of the article.'),
    url: z.string(),
    lang: z.string().describe('The language the article is written in.'),
    image: Picture.nullable(),
    facts: z.array(Fact),
    sources: z.array(z.object({ name: z.string(), url: z.string() })),
    attribution: Attribution,
  }),
  async ask(context) {
    const article = await context.article()
    if (!article || article.extract === '') return null
    const { facts, isAdult } = await factsIfAny(article, context)
    if (isAdult && context.safe) return null
    const { title, description, extract, url, lang, item } = article
    return {
      title,
      description,
      summary: extract,
      url,
      lang,
      image: pictureOf(article),
      facts,
      sources: [
        { name: 'Wikipedia', url },
        ...(facts.length > 0 ? [{ name: 'Wikidata', url: wikidataPage(item) }] : []),
      ],
      attribution: { text: 'Wikipedia contributors', url, ...CC_BY_SA_4 },
    }
  },
})

/** Longer than any article title people would type. */
const MAX_TEXT_LENGTH = 120
const MAX_WORDS = 12
/** Anything longer is a question, which a title search wouldn't find. */
const MAX_WORDS_TO_SEARCH = 5

/** Not allowed in titles; `#` starts a section. */
const NOT_IN_TITLES = /[#<>[\]{}|\p{Cc}]/u

const whoOrWhat = createSubjectFinder([
  {
    before:
      "who is|who was|who are|what is|what are|what was|whats|what's|tell me about|qui est|qui etait|" +
      "qu'est-ce que|c'est quoi|wer ist|wer war|was ist|was sind|quien es|quien fue|que es|chi e|chi era|" +
      "cos'e|cosa e|quem e|quem foi|o que e|wie is|wie was|wat is",
  },
  { after: 'wiki|wikipedia' },
])

/** Words that stay in lower case in English titles. */
const SMALL_WORDS = new Set('a an and as at but by for from in into nor of on or over per the to vs with'.split(' '))

const titleCase = (text: string): string =>
  text
    .split(' ')
    .map((word, at) => (at > 0 && SMALL_WORDS.has(word) ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join(' ')

/** The titles that an article about this might have. */
function titlesFor(text: string): string[] {
  const subjects = [text, whoOrWhat(text)].filter((subject) => subject !== undefined)
  const titles = subjects.flatMap((subject) =>
    subject === subject.toLowerCase() ? [subject, titleCase(subject)] : [subject],
  )
  return [...new Set(titles)].filter((title) => !NOT_IN_TITLES.test(title))
}

/**
 * Finds the article that a query names. The evidence is the wiki's own: a page has exactly this title, or editors
 * redirected the title to a page. A redirect to a section, or a disambiguation page, means that the query names nothing
 * in particular. The wiki is searched only if no page has the title, and a search result must still have the same name,
 * apart from case, accents and punctuation.
 */
export async function findArticle(
  { text, lang }: Pick<CardContext, 'text' | 'lang'>,
  ask: CardContext['ask'],
): Promise<Article | undefined> {
  const words = wordsOf(text)
  if (words.length === 0 || words.length > MAX_WORDS || text.length > MAX_TEXT_LENGTH) return undefined
  const edition = wikipediaEdition(lang)
  const titles = titlesFor(text)
  const [titled] =
    titles.length === 0 ? [] : ((await ask(wikipediaArticles, articlesByTitle, { titles, edition })) ?? [])
  if (titled) return titled.isSection || titled.article.isDisambiguation ? undefined : titled.article
  if (words.length > MAX_WORDS_TO_SEARCH) return undefined
  // Strip search operators (`insource:`, quotes, `~`).
  const plain = text
    .replace(/[^\p{L}\p{M}\p{N}+#'’.-]+/gu, ' ')
    .replace(/(^| )[-.+#']+/g, ' ')
    .trim()
  if (plain === '') return undefined
  const found = (await ask(wikipediaArticles, articlesBySearch, { text: plain, edition })) ?? []
  const subject = whoOrWhat(text) ?? text
  return found.find(({ title, isDisambiguation }) => !isDisambiguation && isSameName(title, subject))
}
