// What the invented projects of all providers of code have in common.
import type { CorpusHit } from '../corpus/hits.ts'
import { hash } from '../corpus/random.ts'

/** Unlike that of any other, and fit to stand in an address. */
export const projectNameOf = ({ title }: CorpusHit): string => {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return `${words.slice(0, 4).join('-').slice(0, 40) || 'project'}-${hash(title).toString(36)}`
}

/** Only their authors say which are for adults. */
export const topicsOf = ({ isAdult }: CorpusHit): string[] => (isAdult ? ['nsfw'] : ['climate', 'data'])
