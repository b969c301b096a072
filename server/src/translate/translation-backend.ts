// What the service needs of a translation backend, whichever it is: what it offers, and translations within that offer.
// Language codes are BCP 47 tags. Everything rejects with UpstreamError, or with a Refusal that names a wrong
// parameter.
import type { Deadline } from '../upstream/deadline.ts'

export interface OfferedLanguage {
  code: string
  /** In English. */
  name: string
  /** The codes of what it can be translated into. */
  targets: readonly string[]
}

export interface TranslationOrder {
  text: string
  /** A code of the offer; undefined: to be detected. */
  source: string | undefined
  /** A code of the offer, and another than `source`. */
  target: string
}

export interface Translated {
  text: string
  /** The language that was detected, or '' when it was not to be. */
  detected: string
}

export interface Offer {
  languages: readonly OfferedLanguage[]
  /** The longest text it takes; undefined: it has no limit of its own. */
  maxCharacters: number | undefined
  /** The pair is one of the offer, unless the source is yet to be detected. */
  translate: (order: TranslationOrder) => Promise<Translated>
}

/** The deadline is for the offer and for the translations made with it. */
export type TranslationBackend = (deadline: Deadline) => Promise<Offer>
