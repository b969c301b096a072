// The invented papers, shared by all providers of papers, so that several of them find the same one.
import type { CorpusHit } from '../corpus/hits.ts'
import { hash } from '../corpus/random.ts'

const FAMILIES = ['Adeyemi', 'Bianchi', 'Chen', 'Dvořák', 'Eriksen', 'Fischer', 'García', 'Haddad'] as const
const GIVEN = ['Ada', 'Emmy', 'Lise', 'Rosalind', 'Srinivasa', 'Niels', 'Abdus', 'Tu'] as const

/** This DOI prefix is reserved for examples. */
export const doiOf = ({ title }: CorpusHit): string => `10.5555/bower.${hash(title).toString(36)}`

export const authorsOf = ({ title }: CorpusHit): { given: string; family: string }[] => {
  const seed = hash(title)
  return Array.from({ length: 1 + (seed % 4) }, (_, at) => ({
    given: GIVEN[(seed + at) % GIVEN.length] ?? '',
    family: FAMILIES[((seed >>> 4) + at) % FAMILIES.length] ?? '',
  }))
}

export const journalOf = ({ siteName }: CorpusHit): string => `Annals of ${siteName}`
