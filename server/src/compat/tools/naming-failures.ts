// Says which engines failed, and how, if all of them did: a model sees the sentence and no headers.
import type { Tab } from '@bowerbird/engines/engine.ts'
import { Refusal } from '../../errors.ts'
import { type SearchAnswer, SearchRefusal } from '../../search/search.ts'
import { missingEngines, namesAndReasons } from '../search-note.ts'

export async function namingFailures<Name extends Tab>(
  searching: Promise<SearchAnswer<Name>>,
  nameOf: (slot: string) => string,
): Promise<SearchAnswer<Name>> {
  try {
    return await searching
  } catch (error) {
    if (!(error instanceof SearchRefusal)) throw error
    const engines = namesAndReasons(missingEngines(error.reports, nameOf).filter(({ wasAsked }) => wasAsked))
    throw new Refusal(error.code, `${error.sentence} Engines: ${engines}.`, error.headers)
  }
}
