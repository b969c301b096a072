// The corpus of the simulated engines: pages, pictures, stories and videos on any query, and completions of any text.
// A query's universe is built once, and each engine ranks it in its own way.
import { BoundedMap } from '../bounded-map.ts'
import type { Entry } from './entry.ts'
import {
  type CorpusHit,
  type PictureHit,
  presentPage,
  presentPicture,
  presentStory,
  presentVideo,
  type Shown,
  type StoryHit,
  type VideoHit,
} from './hits.ts'
import { HOSTILE_QUERY, poisoned } from './hostile.ts'
import { languageOfQuery, writtenIn } from './languages.ts'
import { buildPictures } from './pictures.ts'
import { hash } from './random.ts'
import { type CorpusSearch, type Ranked, rank } from './ranking.ts'
import { buildStories } from './stories.ts'
import { subjectOf } from './subject.ts'
import { type SuggestionSearch, suggest } from './suggestions.ts'
import { buildUniverse } from './universe.ts'
import { buildVideos } from './videos.ts'

const UNIVERSES_KEPT = 500

export interface Found<Hit> {
  /** The number of all results, of which `hits` are a part. */
  total: number
  hits: Hit[]
}

export interface Corpus {
  search(search: CorpusSearch): Found<CorpusHit>
  images(search: CorpusSearch): Found<PictureHit>
  news(search: CorpusSearch): Found<StoryHit>
  videos(search: CorpusSearch): Found<VideoHit>
  suggest(search: SuggestionSearch): string[]
}

const findNothing = () => ({ total: 0, hits: [] })

export const EMPTY_CORPUS: Corpus = {
  search: findNothing,
  images: findNothing,
  news: findNothing,
  videos: findNothing,
  suggest: () => [],
}

const onOneSite = (address: string): string => {
  const { host, pathname } = new URL(address)
  return `https://one-site.example/${host}${pathname}`
}

export function createCorpus(seed: string): Corpus {
  return {
    search: createIndex(seed, buildUniverse, presentPage),
    images: createIndex(seed, buildPictures, presentPicture),
    news: createIndex(seed, buildStories, presentStory),
    videos: createIndex(seed, buildVideos, presentVideo),
    suggest: (search) => suggest(seed, search),
  }
}

function createIndex<Kind extends Entry, Hit extends { title: string; url: string; mark: number; isAdult: boolean }>(
  seed: string,
  build: (seed: string, text: string) => readonly Kind[],
  present: (ranked: Ranked<Kind>, shown: Shown<Kind>) => Hit,
): (search: CorpusSearch) => Found<Hit> {
  const universes = new BoundedMap<readonly Kind[]>(UNIVERSES_KEPT)
  return (search) => {
    const text = search.text.trim().toLowerCase().replace(/\s+/g, ' ')
    if (/\bnothingtofind\b/.test(text)) return findNothing()
    const universe = universes.getOrCreate(text, () => build(seed, text))
    const all = rank(universe, search, hash(`${seed}\n${search.engine}\n${text}`))
    const shown = all.slice(search.start, search.start + search.count)
    const language = languageOfQuery(text)
    const hits = shown
      .map((ranked) => present(ranked, { now: search.now, all }))
      .map((hit) => (language === undefined ? hit : writtenIn(language, hit, subjectOf(text))))
      .map((hit) => (/\bonesite\b/.test(text) ? { ...hit, url: onOneSite(hit.url) } : hit))
    if (!HOSTILE_QUERY.test(text)) return { total: all.length, hits }
    return { total: all.length, hits: hits.map((hit, index) => poisoned(hit, search.start + index)) }
  }
}
