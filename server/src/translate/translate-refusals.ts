// The errors for a translation that cannot be made. None of them echoes what was sent.

import type { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { Refusal, retrySeconds } from '../errors.ts'
import type { OfferedLanguage } from './translation-backend.ts'

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
export const notFromWhateverItIs = (): Refusal =>
  new Refusal(400, {
    target: ['The text could not be translated into this language. Send the language of the text as source.'],
  })

export const undetected = (): Refusal =>
  new Refusal(400, { source: ['The language could not be detected. Send it as source.'] })

export const tooLong = (parameter: string, maxCharacters: number): Refusal =>
  new Refusal(400, { [parameter]: [`Send at most ${maxCharacters} characters.`] })
