// Filters out what authors tagged as adult, for providers that have tags instead of a filter.
import { list, record, word } from './json-reply.ts'

const ADULT = new Set('adult erotic hentai nsfw not-for-all-audiences porn pornography xxx'.split(' '))

/** Drops results with such a tag if `safe` is on. `member` is the field that holds the tags. */
export const fitFor = ({ safe }: { safe: boolean }, results: readonly unknown[], member: string): readonly unknown[] =>
  safe
    ? results.filter((result) => !list(record(result)[member]).some((tag) => ADULT.has(word(tag).toLowerCase())))
    : results
