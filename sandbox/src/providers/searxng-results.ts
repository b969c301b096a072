// SearXNG's results. Every category has the same members, most of them empty, and a few of its own: pictures
// `thumbnail_src` and `resolution`, videos `length` in seconds.
import type { Corpus } from '../corpus/corpus.ts'
import type { CorpusSearch } from '../corpus/ranking.ts'
import { spacedSeconds } from './wire-time.ts'

export const SEARXNG_CATEGORIES = ['general', 'images', 'news', 'videos'] as const
type Category = (typeof SEARXNG_CATEGORIES)[number]

const SOURCES = ['brave', 'mojeek', 'wikipedia', 'qwant'] as const

type Find = (corpus: Corpus, search: CorpusSearch) => unknown[]

const FINDERS: Readonly<Record<Category, Find>> = {
  general: (corpus, search) =>
    corpus.search(search).hits.map((hit, index) => {
      return write(hit, { category: 'general', position: search.start + index + 1, content: hit.sentences.join(' ') })
    }),
  images: (corpus, search) =>
    corpus.images(search).hits.map((hit, index) => ({
      ...write(hit, { category: 'images', position: search.start + index + 1, content: hit.tags.join(', ') }),
      template: 'images.html',
      img_src: hit.imageUrl,
      // Protocol-relative, as some engines deliver it.
      thumbnail_src: hit.mark % 5 === 0 ? hit.thumbnail.url.replace('https:', '') : hit.thumbnail.url,
      resolution: `${hit.width} x ${hit.height}`,
      img_format: 'jpeg',
      source: hit.siteName,
      filesize: '',
      formats: [],
      author: hit.creator,
    })),
  news: (corpus, search) =>
    corpus.news(search).hits.map((hit, index) => ({
      ...write(hit, { category: 'news', position: search.start + index + 1, content: hit.sentences.join(' ') }),
      thumbnail: hit.mark % 3 === 0 ? '' : hit.thumbnailUrl,
      metadata: hit.publisher,
    })),
  videos: (corpus, search) =>
    corpus.videos(search).hits.map((hit, index) => ({
      ...write(hit, { category: 'videos', position: search.start + index + 1, content: hit.sentences.join(' ') }),
      template: 'videos.html',
      thumbnail: hit.thumbnailUrl,
      length: hit.seconds,
      author: hit.channel,
      iframe_src: `https://${hit.host}/embed/${hit.mark}`,
      views: String(hit.views),
    })),
}

export const findSearxngResults = (category: Category, corpus: Corpus, search: CorpusSearch): unknown[] =>
  FINDERS[category](corpus, search)

interface Written {
  url: string
  title: string
  publishedAt: number | undefined
  mark: number
}

interface Placing {
  category: Category
  position: number
  content: string
}

function write({ url, title, publishedAt, mark }: Written, { category, position, content }: Placing) {
  const engine = SOURCES[mark % SOURCES.length]
  const { protocol, host, pathname, search, hash } = new URL(url)
  return {
    url,
    engine,
    parsed_url: [protocol.slice(0, -1), host, pathname, '', search.slice(1), hash.slice(1)],
    template: 'default.html',
    title,
    content,
    img_src: '',
    iframe_src: '',
    audio_src: '',
    thumbnail: '',
    publishedDate: publishedAt === undefined ? null : new Date(publishedAt).toISOString().slice(0, 19),
    pubdate: publishedAt === undefined ? '' : spacedSeconds(publishedAt),
    length: null,
    views: '',
    author: '',
    metadata: '',
    priority: '',
    engines: [engine],
    open_group: false,
    close_group: false,
    positions: [position],
    score: Number((1 / position).toFixed(4)),
    category,
  }
}
