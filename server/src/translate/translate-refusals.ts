// What a translation that cannot be made says. None of it repeats what was sent.
import { Refusal, retrySeconds, type UpstreamError } from '../errors.ts'
import type { OfferedLanguage } from './translation-backend.ts'

const MOST_CODES_TOLD = 20

/** In the words of the specification, section 7. Waiting helps only if there is a backend at all. */
export function unavailable(error?: UpstreamError): Refusal {
  return new Refusal(
    503,
    'Translation is unavailable or not configured on this deployment.',
    error ? { 'Retry-After': String(retrySeconds([error.retryAfterSeconds])) } : {},
  )
}

/** Which of the two is not among the backend's languages. */
export function unknownLanguage({ source, target }: { source: boolean; target: boolean }): Refusal {
  const messages = ['This language is not available here. See /api/v1/translate/languages/ for those that are.']
  return new Refusal(400, { ...(source && { source: messages }), ...(target && { target: messages }) })
}

export function notFromThere({ code, targets }: OfferedLanguage): Refusal {
  const told = targets.slice(0, MOST_CODES_TOLD).join(', ')
  const more = targets.length > MOST_CODES_TOLD ? ', …' : ''
  return new Refusal(400, {
    target: [`From ${code} this language is not available. There is: ${told || 'none'}${more}.`],
  })
}

/** Where only the backend knows which language it has detected. */
export const notFromWhateverItIs = (): Refusal =>
  new Refusal(400, {
    target: ['The text could not be translated into this language. Send its own language as source.'],
  })

export const undetected = (): Refusal =>
  new Refusal(400, { source: ['The language could not be detected. Send it as source.'] })

export const tooLong = (parameter: string, maxCharacters: number): Refusal =>
  new Refusal(400, { [parameter]: [`Send at most ${maxCharacters} characters.`] })
