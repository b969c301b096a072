// Says which engines failed, and how, if all of them did: a model sees the sentence and no headers.
import { Refusal } from '../../errors.ts'
import type { SearchAnswer } from '../../search/search.ts'
import { SearchRefusal } from '../../search/search-refusal.ts'
import { missingEngines, namesAndReasons } from '../search-note.ts'

export async function namingFailures(
  searching: Promise<SearchAnswer>,
  nameOf: (slot: string) => string,
): Promise<SearchAnswer> {
  try {
    return await searching
  } catch (error) {
    if (!(error instanceof SearchRefusal)) throw error
    const engines = namesAndReasons(missingEngines(error.reports, nameOf).filter(({ wasAsked }) => wasAsked))
    throw new Refusal(error.code, `${error.sentence} Engines: ${engines}.`, error.headers)
  }
}
