// The interface of a translation backend: what it offers, and translations within that offer. Language codes are BCP 47
// tags. Everything rejects with UpstreamError, or with a Refusal that names a wrong parameter.
import type { Deadline } from '@bowerbird/engines/deadline.ts'

export interface OfferedLanguage {
  code: string
  /** In English. */
  name: string
  /** The codes of the languages it can be translated into. */
  targets: readonly string[]
}

export interface TranslationOrder {
  text: string
  /** A code from the offer; `undefined`: detect it. */
  source: string | undefined
  /** A code from the offer, never the same as `source`. */
  target: string
}

export interface Translated {
  text: string
  /** The detected language, or '' if detection was not requested. */
  detected: string
}

export interface Offer {
  languages: readonly OfferedLanguage[]
  /** The longest text it accepts; `undefined`: no limit. */
  maxCharacters: number | undefined
  /** The pair must be part of the offer, unless the source is still to be detected. */
  translate: (order: TranslationOrder) => Promise<Translated>
}

/** The deadline covers fetching the offer and the translations made with it. */
export type TranslationBackend = (deadline: Deadline) => Promise<Offer>
