// Translation through the configured backends, trying the next one if one fails. Languages are checked against the
// backend's own list before it is called, so a wrong language is the client's mistake and never the backend's failure.
// Nothing that is translated is kept or logged.
import type { Deadline } from '@bowerbird/engines/deadline.ts'
import { type FindSource, findFor } from '@bowerbird/engines/source.ts'
import { apertium } from '@bowerbird/engines/sources/apertium.ts'
import { libretranslate } from '@bowerbird/engines/sources/libretranslate.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { Refusal } from '../errors.ts'
import type { Caller } from '../search/caller.ts'
import {
  apertiumBackend,
  libretranslateBackend,
  type Offer,
  type TranslationBackend,
  tooLong,
  unavailable,
  unavailableTarget,
  unknownLanguage,
} from './translation-backends.ts'

export interface TranslateRequest {
  text: string
  /** A language code, or `auto`. */
  source: string
  target: string
  /** The request parameter that holds the text, named in the error if it is too long; `q` by default. */
  textParameter?: string
}

export interface Translation {
  text: string
  /** The code from the backend's list, or `auto`. */
  source: string
  target: string
  /** The detected language, or '' if detection was not requested. */
  detected: string
}

/** Everything rejects with a Refusal: 400 for a wrong parameter, 503 if there is no backend or it fails. */
export interface Translate {
  isConfigured: boolean
  /** Longest text, in characters. The backend may have a lower limit. */
  maxCharacters: number
  languages: (caller: Payer) => Promise<{ code: string; name: string }[]>
  translate: (caller: Payer, request: TranslateRequest) => Promise<Translation>
  /** Detects the language if `source` is left out, and returns it; `null`: the backend can't do this. */
  translateIfOffered: (
    caller: Payer,
    request: { text: string; target: string; source?: string },
  ) => Promise<Omit<Translation, 'detected'> | null>
}

/** A text to translate is the caller's own, so all that matters of them is who pays. */
type Payer = Pick<Caller, 'isVisitor'>

interface TranslateParts {
  find: FindSource
  maxCharacters: number
  startDeadline: () => Deadline
}

export function createTranslate({ find, maxCharacters, startDeadline }: TranslateParts): Translate {
  /** Uses the first backend that responds. If that one refuses the request, no other is tried. */
  async function withFirstBackend<T>(
    { isVisitor }: Payer,
    work: (backend: TranslationBackend, deadline: Deadline) => Promise<T>,
  ): Promise<T> {
    let failure: UpstreamError | undefined
    for (const backend of findBackends(findFor(find, isVisitor))) {
      const deadline = startDeadline()
      try {
        return await work(backend, deadline)
      } catch (error) {
        if (error instanceof UpstreamError) failure ??= error
        // The backend that failed might have supported the language.
        else throw failure && error instanceof Refusal ? unavailable(failure) : error
      } finally {
        deadline.cancel()
      }
    }
    throw unavailable(failure)
  }

  const translate = (caller: Payer, request: TranslateRequest): Promise<Translation> =>
    withFirstBackend(caller, async (backend, deadline) => {
      const text = sendable(request.text)
      const offer = await backend(deadline)
      const { source, target } = languagesOf(request, offer)
      const limit = Math.min(maxCharacters, offer.maxCharacters ?? maxCharacters)
      if (isLonger(text, limit)) throw tooLong(request.textParameter ?? 'q', limit)
      // Backends treat a text of only white space as a missing parameter.
      const isDone = source === target || text.trim() === ''
      const translated = isDone ? { text, detected: '' } : await offer.translate({ text, source, target })
      return { ...translated, source: source ?? 'auto', target }
    })

  return {
    isConfigured: findBackends(find).length > 0,
    maxCharacters,
    languages: (caller) =>
      withFirstBackend(caller, async (backend, deadline) => {
        const { languages } = await backend(deadline)
        return languages.map(({ code, name }) => ({ code, name }))
      }),
    translate,
    async translateIfOffered(caller, { text, target, source = 'auto' }) {
      try {
        const {
          text: translated,
          source: requestedSource,
          detected,
          target: code,
        } = await translate(caller, { text, source, target })
        return { text: translated, source: detected || requestedSource, target: code }
      } catch (error) {
        if (error instanceof Refusal && error.status === 400) return null
        throw error
      }
    },
  }
}

function findBackends(find: FindSource): TranslationBackend[] {
  const [first, second] = [find(libretranslate), find(apertium)]
  return [...(first ? [libretranslateBackend(first)] : []), ...(second ? [apertiumBackend(second)] : [])]
}

/** Counts code points, not UTF-16 code units. */
export const isLonger = (text: string, characters: number): boolean =>
  text.length > characters && Array.from(text).length > characters

/** Apertium stops at NUL, and a lone surrogate can't be encoded. */
const sendable = (text: string): string => text.toWellFormed().replaceAll('\0', '')

/** The codes from the backend's list; `source` is undefined if it is to be detected. */
function languagesOf({ source, target }: TranslateRequest, { languages }: Offer) {
  const isAuto = source.toLowerCase() === 'auto'
  const from = isAuto ? undefined : findLanguage(languages, source)
  const to = findLanguage(languages, target)
  if (!to || !(from || isAuto)) throw unknownLanguage({ source: !(from || isAuto), target: !to })
  const able = from ? [from] : languages
  if (from?.code !== to.code && !able.some(({ targets }) => targets.includes(to.code))) {
    throw from ? unavailableTarget(from) : unknownLanguage({ source: false, target: true })
  }
  return { source: from?.code, target: to.code }
}

interface Tag {
  language: string
  script: string
  /** '' unless the code has one. */
  region: string
}

/** LibreTranslate's internal codes. */
const INTERNAL_CODES = new Map([
  ['zt', 'zh-Hant'],
  ['pb', 'pt-BR'],
])

const MAX_CODE_LENGTH = 35

/**
 * Matches a requested language to one that a backend offers. People write `EN`, `en-GB`, `eng` or `zh-TW` for what a
 * backend calls `en` and `zh-Hant`. An unknown region falls back to the code without a region, never to another region
 * or script.
 */
export function findLanguage<Language extends { code: string }>(
  languages: readonly Language[],
  requested: string,
): Language | undefined {
  const written = requested.toLowerCase()
  const exact = languages.find(({ code }) => code.toLowerCase() === written)
  if (exact) return exact
  const wanted = tagOf(written)
  if (!wanted) return undefined
  const same = languages.filter(({ code }) => {
    const tag = tagOf(code)
    return tag?.language === wanted.language && tag.script === wanted.script
  })
  const ofRegion = (region: string) => same.find(({ code }) => tagOf(code)?.region === region)
  return ofRegion(wanted.region) ?? ofRegion('')
}

/** `undefined` if it isn't a language tag. */
function tagOf(code: string): Tag | undefined {
  if (code.length > MAX_CODE_LENGTH) return undefined
  try {
    const locale = new Intl.Locale((INTERNAL_CODES.get(code.toLowerCase()) ?? code).replaceAll('_', '-'))
    const { language, script = '' } = locale.maximize()
    return { language, script, region: locale.region ?? '' }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
