// What authors themselves marked as not fit for everyone, where a provider has tags instead of a filter.
import { list, record, word } from './json-reply.ts'

const ADULT = new Set('adult erotic hentai nsfw not-for-all-audiences porn pornography xxx'.split(' '))

/** The results without those that have such a tag, if that was asked for. */
export const fitFor = ({ safe }: { safe: boolean }, results: readonly unknown[], member: string): readonly unknown[] =>
  safe
    ? results.filter((result) => !list(record(result)[member]).some((tag) => ADULT.has(word(tag).toLowerCase())))
    : results
