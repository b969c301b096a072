// The interface of a translation backend: what it offers, and translations within that offer. Language codes are BCP 47
// tags. Everything rejects with UpstreamError, or with one of the refusals below, which name a wrong parameter and never
// echo what was sent.
import type { Deadline } from '@bowerbird/engines/deadline.ts'
import type { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { Refusal, retrySeconds } from '../errors.ts'

export interface OfferedLanguage {
  code: string
  /** In English. */
  name: string
  /** The codes of the languages it can be translated into. */
  targets: readonly string[]
}

interface TranslationOrder {
  text: string
  /** A code from the offer; `undefined`: detect it. */
  source: string | undefined
  /** A code from the offer, never the same as `source`. */
  target: string
}

interface Translated {
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

const MOST_CODES_TOLD = 20

/** The text is fixed by the specification, section 7. Waiting helps only if there is a backend. */
export function unavailable(error?: UpstreamError): Refusal {
  return new Refusal(
    503,
    'Translation is unavailable or not configured on this deployment.',
    error ? { 'Retry-After': String(retrySeconds([error.retryAfterSeconds])) } : {},
  )
}

/** `source` and `target` say which of the two the backend does not have. */
export function unknownLanguage({ source, target }: { source: boolean; target: boolean }): Refusal {
  const messages = ['This language is not available. See /api/v1/translate/languages/ for those that are.']
  return new Refusal(400, { ...(source && { source: messages }), ...(target && { target: messages }) })
}

export function notFromThere({ code, targets }: OfferedLanguage): Refusal {
  const told = targets.slice(0, MOST_CODES_TOLD).join(', ')
  const more = targets.length > MOST_CODES_TOLD ? ', …' : ''
  return new Refusal(400, {
    target: [
      `Translation from ${code} into this language is not available. Available targets: ${told || 'none'}${more}.`,
    ],
  })
}

/** For backends that do not say which language they detected. */
export const notFromDetected = (): Refusal =>
  new Refusal(400, {
    target: ['The text could not be translated into this language. Send the language of the text as source.'],
  })

export const undetected = (): Refusal =>
  new Refusal(400, { source: ['The language could not be detected. Send it as source.'] })

export const tooLong = (parameter: string, maxCharacters: number): Refusal =>
  new Refusal(400, { [parameter]: [`Send at most ${maxCharacters} characters.`] })
