// Kagi's results, under the name that each workflow has for them: `image` and `video` are singular, `news` and `search`
// not.
import type { Corpus } from '../corpus/corpus.ts'
import type { CorpusSearch } from '../corpus/ranking.ts'
import { escapeHtml } from './escape-html.ts'
import { clock, isoSeconds } from './wire-time.ts'

export const KAGI_WORKFLOWS = ['search', 'images', 'news', 'videos'] as const
type Workflow = (typeof KAGI_WORKFLOWS)[number]

type Find = (corpus: Corpus, search: CorpusSearch) => Record<string, unknown[]>

const FINDERS: Readonly<Record<Workflow, Find>> = {
  search: (corpus, search) =>
    under('search', corpus.search(search).hits, (hit) => ({
      ...head(hit),
      snippet: snippet(hit.sentences, search.text),
      ...(hit.publishedAt !== undefined && { time: isoSeconds(hit.publishedAt) }),
      props: {},
    })),
  images: (corpus, search) =>
    under('image', corpus.images(search).hits, (hit) => ({
      ...head(hit),
      image: { url: hit.imageUrl, width: hit.width, height: hit.height },
      props: { thumbnail: hit.thumbnail },
    })),
  news: (corpus, search) =>
    under('news', corpus.news(search).hits, (hit) => ({
      ...head(hit),
      snippet: snippet(hit.sentences, search.text),
      time: isoSeconds(hit.publishedAt),
      ...(hit.mark % 4 !== 0 && { image: { url: hit.thumbnailUrl, width: 320, height: 180 } }),
      props: { source: hit.publisher },
    })),
  videos: (corpus, search) =>
    under('video', corpus.videos(search).hits, (hit) => ({
      ...head(hit),
      snippet: snippet(hit.sentences, search.text),
      time: isoSeconds(hit.publishedAt),
      image: { url: hit.thumbnailUrl, width: 320, height: 180 },
      props: { duration: clock(hit.seconds), creator_name: hit.channel },
    })),
}

export const findKagiResults = (workflow: Workflow, corpus: Corpus, search: CorpusSearch): Record<string, unknown[]> =>
  FINDERS[workflow](corpus, search)

const under = <Hit>(name: string, hits: readonly Hit[], write: (hit: Hit) => unknown): Record<string, unknown[]> =>
  hits.length === 0 ? {} : { [name]: hits.map(write) }

const head = (hit: { url: string; title: string }) => ({ url: hit.url, title: escapeHtml(hit.title) })

function snippet(sentences: readonly string[], text: string): string {
  const whole = escapeHtml(sentences.join(' '))
  const words = escapeHtml(text)
  const at = whole.toLowerCase().indexOf(words.toLowerCase())
  return at < 0
    ? whole
    : `${whole.slice(0, at)}<b>${whole.slice(at, at + words.length)}</b>${whole.slice(at + words.length)}`
}
