// The Wikipedia article the query names: summary, picture, and facts from Wikidata chosen by the kind of thing. Shown
// only if an article has that name (see `find-article.ts`). With `safe` on, things that Wikidata classifies as
// pornography are left out. If Wikidata fails, the card is shown without facts.

import { wikidata } from '@bowerbird/engines/sources/wikidata.ts'
import { type Article, wikipediaArticles } from '@bowerbird/engines/sources/wikipedia-articles.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { z } from 'zod'
import { Attribution, type CardContext, CC_BY_SA_4, defineCard } from './card.ts'
import { factsOf, type KnownFacts, wikidataPage } from './facts.ts'

const Fact = z
  .object({
    property: z.string().describe('The property on Wikidata, such as P57.'),
    label: z.string().describe('Its name in the requested language.'),
    values: z.array(z.object({ text: z.string(), url: z.string().describe('A link for the value, or empty.') })),
  })
  .meta({ id: 'Fact' })

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
    if (!error.isQueryFault) context.lacks(error)
    return nothing
  }
}

export const wikipediaCard = defineCard({
  kind: 'wikipedia',
  summary: 'The Wikipedia article about whatever the query names, with facts from Wikidata.',
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
