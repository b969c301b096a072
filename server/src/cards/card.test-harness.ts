// A card's surroundings for tests of its rule: sources that say what the test wrote down, and who was asked what.
import type { GeoPlace } from '@bowerbird/engines/parsing/geo-place.ts'
import type { Source } from '@bowerbird/engines/source.ts'
import type { Article } from '@bowerbird/engines/sources/wikipedia-articles.ts'
import type { CardContext } from './card.ts'

interface Stage {
  text: string
  lang?: string
  safe?: boolean
  now?: number
  /** What the sources say, by the name of the call. A call that is not here finds nothing configured. */
  says?: Record<string, unknown>
  article?: Article
  place?: GeoPlace
}

export interface StagedCard {
  context: CardContext
  /** `slug call` of every question, in order. */
  asked: { of: string; query: unknown }[]
  /** What was sent to the geocoder. */
  geocoded: string[]
}

export function stageCard({ text, lang = '', safe = true, now = 0, says = {}, article, place }: Stage): StagedCard {
  const asked: StagedCard['asked'] = []
  const geocoded: string[] = []
  const context: CardContext = {
    text,
    lang,
    safe,
    now,
    ask: async <Found>({ slug }: Pick<Source, 'slug'>, { name }: { name: string }, query: unknown) => {
      asked.push({ of: `${slug} ${name}`, query })
      const said = says[name]
      if (said instanceof Error) throw said
      // The test writes down what the call it names would find.
      return said as Found | undefined
    },
    article: async () => article,
    geocode: async (name) => {
      geocoded.push(name)
      return place
    },
    markIncomplete: () => undefined,
    quietUntil: new Map(),
  }
  return { context, asked, geocoded }
}

export const anArticle = (rest: Partial<Article> = {}): Article => ({
  title: 'Glass Tower',
  url: 'https://en.wikipedia.org/wiki/Glass_Tower',
  extract: 'A tower of glass.',
  description: 'tower',
  lang: 'en',
  picture: null,
  item: '',
  isDisambiguation: false,
  coordinates: null,
  ...rest,
})
