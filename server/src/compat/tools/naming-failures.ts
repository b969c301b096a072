// Says which engines failed, and how, if all of them did: a model sees the sentence and no headers.
import type { Tab } from '@bowerbird/engines/engine.ts'
import { Refusal } from '../../errors.ts'
import type { SearchAnswer } from '../../search/search.ts'

type NameOf = (slot: string) => string

export async function namingFailures<Name extends Tab>(
  searching: Promise<SearchAnswer<Name>>,
  nameOf: NameOf,
): Promise<SearchAnswer<Name>> {
  try {
    return await searching
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const engines = failuresIn(error.headers['Engine-Status'] ?? '', nameOf)
    if (engines === '' || typeof error.body.detail !== 'string') throw error
    throw new Refusal(error.code, `${error.body.detail} Engines: ${engines}.`, error.headers)
  }
}

const WORDS: Partial<Record<string, string>> = { budget: 'budget used up', open: 'keeps failing' }

/** From `engine_a;timeout;ms=2000, engine_b;skipped;for=date`. */
const failuresIn = (engineStatus: string, nameOf: NameOf): string =>
  engineStatus
    .split(', ')
    .flatMap((status) => {
      const [slot = '', outcome = ''] = status.split(';')
      return outcome === '' || outcome === 'skipped' ? [] : [`${nameOf(slot)} (${WORDS[outcome] ?? outcome})`]
    })
    .join(', ')
