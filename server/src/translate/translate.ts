// Translation through the first backend that is configured. What is asked for is held against the backend's own list
// before the backend is asked, so that a wrong language is the caller's mistake and never the backend's failure.
// Nothing that is translated is kept or logged.
import { Refusal, UpstreamError } from '../errors.ts'
import { apertium } from '../providers/sources/apertium.ts'
import { libretranslate } from '../providers/sources/libretranslate.ts'
import type { FindSource } from '../providers/source.ts'
import type { Deadline } from '../upstream/deadline.ts'
import { apertiumBackend } from './apertium-backend.ts'
import { findLanguage } from './find-language.ts'
import { libretranslateBackend } from './libretranslate-backend.ts'
import { notFromThere, tooLong, unavailable, unknownLanguage } from './translate-refusals.ts'
import type { Offer, TranslationBackend } from './translation-backend.ts'

export interface TranslateRequest {
  text: string
  /** A language code, or `auto`. */
  source: string
  target: string
  /** What the caller calls the text, for the message that it is too long; `q` unless given. */
  textParameter?: string
}

export interface Translation {
  text: string
  /** The code of the backend's list, or `auto`. */
  source: string
  target: string
  /** The language that was detected, or '' when it was not to be. */
  detected: string
}

/** Everything rejects with a Refusal: 400 for a wrong parameter, 503 when there is no backend or it fails. */
export interface Translate {
  isConfigured: boolean
  /** Longest text, in characters. The backend may have a lower limit. */
  maxCharacters: number
  languages: () => Promise<{ code: string; name: string }[]>
  translate: (request: TranslateRequest) => Promise<Translation>
  /** From `source`, or from whatever language it is in, which is then named; `null`: the backend cannot do that. */
  translateIfOffered: (request: OfferedRequest) => Promise<Omit<Translation, 'detected'> | null>
}

interface OfferedRequest {
  text: string
  target: string
  source?: string
}

interface TranslateParts {
  find: FindSource
  maxCharacters: number
  startDeadline: () => Deadline
}

export function createTranslate({ find, maxCharacters, startDeadline }: TranslateParts): Translate {
  const backend = findBackend(find)

  async function inTime<T>(work: (backend: TranslationBackend, deadline: Deadline) => Promise<T>): Promise<T> {
    if (!backend) throw unavailable()
    const deadline = startDeadline()
    try {
      return await work(backend, deadline)
    } catch (error) {
      throw error instanceof UpstreamError ? unavailable(error) : error
    } finally {
      deadline.cancel()
    }
  }

  const translate = (request: TranslateRequest): Promise<Translation> =>
    inTime(async (backend, deadline) => {
      const text = sendable(request.text)
      const offer = await backend(deadline)
      const { source, target } = languagesOf(request, offer)
      const limit = Math.min(maxCharacters, offer.maxCharacters ?? maxCharacters)
      if (isLonger(text, limit)) throw tooLong(request.textParameter ?? 'q', limit)
      // What is nothing but white space would be a missing parameter to the backend.
      const isDone = source === target || text.trim() === ''
      const translated = isDone ? { text, detected: '' } : await offer.translate({ text, source, target })
      return { ...translated, source: source ?? 'auto', target }
    })

  return {
    isConfigured: backend !== undefined,
    maxCharacters,
    languages: () =>
      inTime(async (backend, deadline) => {
        const { languages } = await backend(deadline)
        return languages.map(({ code, name }) => ({ code, name }))
      }),
    translate,
    async translateIfOffered({ text, target, source = 'auto' }) {
      try {
        const { text: translated, source: given, detected, target: code } = await translate({ text, source, target })
        return { text: translated, source: detected || given, target: code }
      } catch (error) {
        if (error instanceof Refusal && error.status === 400) return null
        throw error
      }
    },
  }
}

function findBackend(find: FindSource): TranslationBackend | undefined {
  const first = find(libretranslate)
  if (first) return libretranslateBackend(first)
  const second = find(apertium)
  return second && apertiumBackend(second)
}

/** In characters as people count them, not in halves of surrogate pairs. */
export const isLonger = (text: string, characters: number): boolean =>
  text.length > characters && Array.from(text).length > characters

/** NUL ends a text for Apertium, and half a surrogate pair is none that could be encoded. */
const sendable = (text: string): string => text.toWellFormed().replaceAll('\0', '')

/** The codes of the backend's list; `source` is undefined when it is to be detected. */
function languagesOf({ source, target }: TranslateRequest, { languages }: Offer) {
  const isAuto = source.toLowerCase() === 'auto'
  const from = isAuto ? undefined : findLanguage(languages, source)
  const to = findLanguage(languages, target)
  if (!to || !(from || isAuto)) throw unknownLanguage({ source: !(from || isAuto), target: !to })
  const able = from ? [from] : languages
  if (from?.code !== to.code && !able.some(({ targets }) => targets.includes(to.code))) {
    throw from ? notFromThere(from) : unknownLanguage({ source: false, target: true })
  }
  return { source: from?.code, target: to.code }
}
