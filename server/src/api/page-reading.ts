// Reads pages on behalf of keys: each has its share of the reader, and pays for pages that take more than theirs.
import { Refusal } from '../errors.ts'
import type { VerifiedKey } from '../keys/verify-key.ts'
import type { ReadableUrls } from '../reader/readable-urls.ts'
import type { Reader, ReadOutcome, ReadTerms } from '../reader/reader.ts'
import type { Admit } from './pipeline/admission.ts'

export interface PageReading {
  read: (address: string, terms: Pick<ReadTerms, 'format' | 'withinMs'>, key: VerifiedKey) => Promise<ReadOutcome>
  found: ReadableUrls
}

interface PageReadingParts extends Pick<Reader, 'read'> {
  found: ReadableUrls
  admit: Admit
}

/** What a page that is too complex costs a key, in requests: it kept a process busy that others were waiting for. */
const COMPLEX_PAGE_COST = 5

export const createPageReading = ({ read, found, admit }: PageReadingParts): PageReading => ({
  found,
  read: (address, terms, key) =>
    read(address, { ...terms, subject: key.keyId, onTooComplex: () => chargeComplexPage(admit, key) }),
})

/** Spends the rest of that cost from the key's limits, as far as they go. Its usage stays as it is. */
async function chargeComplexPage(admit: Admit, key: VerifiedKey): Promise<void> {
  try {
    for (let spent = 1; spent < COMPLEX_PAGE_COST; spent += 1) await admit(key, { header: () => undefined }, undefined)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}
