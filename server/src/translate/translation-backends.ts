// The translation backends: what each offers, and translations within that offer. Language codes are BCP 47 tags.
// Everything rejects with UpstreamError, or with one of the refusals below, which name a wrong parameter and never echo
// what was sent.
import type { Deadline } from '@bowerbird/engines/deadline.ts'
import type { BoundSource } from '@bowerbird/engines/source.ts'
import {
  type apertium,
  apertiumNames,
  apertiumPairs,
  apertiumTranslation,
} from '@bowerbird/engines/sources/apertium.ts'
import {
  type libretranslate,
  libretranslateLanguages,
  libretranslateLongestText,
  libretranslateTranslation,
} from '@bowerbird/engines/sources/libretranslate.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { Refusal, retrySeconds } from '../errors.ts'
import { detectLanguage } from '../text/detect-language.ts'

interface OfferedLanguage {
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

const MAX_CODES_LISTED = 20

/** The text is part of the API's contract. Waiting helps only if there is a backend. */
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

export function unavailableTarget({ code, targets }: OfferedLanguage): Refusal {
  const listed = targets.slice(0, MAX_CODES_LISTED).join(', ')
  const more = targets.length > MAX_CODES_LISTED ? ', …' : ''
  return new Refusal(400, {
    target: [
      `Translation from ${code} into this language is not available. Available targets: ${listed || 'none'}${more}.`,
    ],
  })
}

/** For backends that do not say which language they detected. */
const untranslatable = (): Refusal =>
  new Refusal(400, {
    target: ['The text could not be translated into this language. Send the language of the text as source.'],
  })

const undetected = (): Refusal =>
  new Refusal(400, { source: ['The language could not be detected. Send it as source.'] })

export const tooLong = (parameter: string, maxCharacters: number): Refusal =>
  new Refusal(400, { [parameter]: [`Send at most ${maxCharacters} characters.`] })

/** LibreTranslate detects languages itself. */
export const libretranslateBackend =
  (bound: BoundSource<(typeof libretranslate)['settings']>): TranslationBackend =>
  async (deadline) => {
    const [{ found: listed }, { found: maxLength }] = await Promise.all([
      bound.ask(libretranslateLanguages, null, deadline),
      bound.ask(libretranslateLongestText, null, deadline),
    ])
    const codes = listed.map(({ code }) => code)
    const languages = listed.map(({ code, name, targets }) => ({ code, name, targets: targets ?? codes }))
    return {
      languages,
      maxCharacters: maxLength ?? undefined,
      async translate({ text, source = 'auto', target }) {
        const isPairSupported = source !== 'auto' || languages.every(({ targets }) => targets.includes(target))
        try {
          const order = { text, source, target, isPairSupported }
          const { found } = await bound.ask(libretranslateTranslation, order, deadline)
          return { text: found.text, detected: source === 'auto' ? found.detected : '' }
        } catch (error) {
          throw error instanceof UpstreamError && error.isQueryFault ? untranslatable() : error
        }
      },
    }
  }

type BoundApertium = BoundSource<(typeof apertium)['settings']>

interface ApertiumLanguage extends OfferedLanguage {
  /** Apertium's code for it. */
  wireCode: string
}

/** Below this score, a language that can be translated into the target is preferred. */
const MIN_CERTAIN_SCORE = 0.7

const englishNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' })

/**
 * Apertium lists language pairs rather than languages, uses ISO 639-3 codes, and detects nothing, so the list of
 * languages, the familiar codes and the detection are made here.
 */
export const apertiumBackend =
  (bound: BoundApertium): TranslationBackend =>
  async (deadline) => {
    const languages = await listLanguages(bound, deadline)
    return {
      languages,
      maxCharacters: undefined,
      async translate({ text, source, target }) {
        const code = source ?? (await guessSource(text, target, languages))
        const detected = source === undefined ? code : ''
        if (code === target) return { text, detected }
        const from = languages.find((language) => language.code === code)
        const to = languages.find((language) => language.code === target)
        if (!from || !to) throw unknownLanguage({ source: !from, target: !to })
        if (!from.targets.includes(target)) throw unavailableTarget(from)
        const order = { text, source: from.wireCode, target: to.wireCode }
        return { text: (await bound.ask(apertiumTranslation, order, deadline)).found, detected }
      },
    }
  }

async function listLanguages(bound: BoundApertium, deadline: Deadline): Promise<ApertiumLanguage[]> {
  const { found: pairs } = await bound.ask(apertiumPairs, null, deadline)
  const wireCodes = [...new Set(pairs.flatMap(({ source, target }) => [source, target]))].sort()
  const { found: names } = await bound.ask(apertiumNames, { codes: wireCodes }, deadline)
  const languages = wireCodes.map((wireCode) => {
    const targets = pairs.filter(({ source }) => source === wireCode).map(({ target }) => familiarCode(target))
    const code = familiarCode(wireCode)
    return { wireCode, code, name: names[wireCode] || (englishNames.of(code) ?? code), targets }
  })
  return languages.sort((one, other) => one.name.localeCompare(other.name, 'en'))
}

/** `eng` → `en`, `nob` → `nb`; a code without a shorter form stays as it is. */
const familiarCode = (wireCode: string): string => Intl.getCanonicalLocales(wireCode)[0] ?? wireCode

/** If the text is too short to tell, assumes a language that can be translated into the target. */
async function guessSource(text: string, target: string, languages: readonly OfferedLanguage[]): Promise<string> {
  const guesses = await detectLanguage(
    text,
    languages.map(({ code }) => code),
  )
  const [best] = guesses
  if (best && best.score >= MIN_CERTAIN_SCORE) return best.code
  const able = languages.filter(({ targets }) => targets.includes(target)).map(({ code }) => code)
  const guess = guesses.find(({ code }) => able.includes(code))?.code ?? (able.length === 1 ? able[0] : undefined)
  if (guess === undefined) throw undetected()
  return guess
}
