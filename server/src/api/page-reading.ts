// Reads pages on behalf of keys: each has its share of the reader, and pays for pages that take more than theirs.
import { httpAddress } from '@bowerbird/engines/parsing/http-address.ts'
import { Refusal } from '../errors.ts'
import { READ_ANY_SCOPE, READ_LINKS_SCOPE } from '../keys/scopes.ts'
import type { VerifiedKey } from '../keys/verify-key.ts'
import type { ReadableUrls } from '../reader/readable-urls.ts'
import type { Reader, ReadOutcome, ReadTerms } from '../reader/reader.ts'
import type { Admit } from './pipeline/admission.ts'

interface KeyReadTerms extends Pick<ReadTerms, 'format' | 'withinMs'> {
  /** Whether the page was reached by a link of another: its own links are then not readable. */
  isLinked?: boolean
}

export interface PageReading {
  read: (address: string, terms: KeyReadTerms, key: VerifiedKey) => Promise<ReadOutcome>
  /** What the key's searches and cards have returned. */
  found: ReadableUrls
  /** What pages among those link to, for a key with the scope `read_links`. */
  linked: ReadableUrls
}

interface PageReadingParts extends Pick<Reader, 'read'>, Pick<PageReading, 'found' | 'linked'> {
  admit: Admit
}

/** What a page that is too complex costs a key, in requests: it kept a process busy that others were waiting for. */
const COMPLEX_PAGE_COST = 5

export const createPageReading = ({ read, found, linked, admit }: PageReadingParts): PageReading => ({
  found,
  linked,
  async read(address, { isLinked = false, ...terms }, key) {
    const onTooComplex = () => chargeComplexPage(admit, key)
    const outcome = await read(address, { ...terms, subject: key.keyId, onTooComplex })
    if (outcome.ok && !isLinked && readsLinks(key))
      linked.remember(key.keyId, (outcome.page.links ?? []).map(httpAddress).filter(Boolean))
    return outcome
  },
})

export const readsLinks = ({ scopes }: VerifiedKey): boolean =>
  scopes.has(READ_LINKS_SCOPE) && !scopes.has(READ_ANY_SCOPE)

/** Spends the rest of that cost from the key's limits, as far as they go. Its usage stays as it is. */
async function chargeComplexPage(admit: Admit, key: VerifiedKey): Promise<void> {
  try {
    for (let spent = 1; spent < COMPLEX_PAGE_COST; spent += 1) await admit(key, { header: () => undefined }, undefined)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}
