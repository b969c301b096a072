// The invented projects, shared by all providers of code.
import type { CorpusHit } from '../corpus/hits.ts'
import { hash } from '../corpus/random.ts'

/** Unique, which titles aren't, and usable in a URL. */
export const projectNameOf = ({ title, url }: CorpusHit): string => {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return `${words.slice(0, 4).join('-').slice(0, 40) || 'project'}-${hash(url).toString(36)}`
}

/** Marked only by their authors. */
export const topicsOf = ({ isAdult }: CorpusHit): string[] => (isAdult ? ['nsfw'] : ['climate', 'data'])
