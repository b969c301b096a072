// Translation by Apertium. It lists language pairs rather than languages, uses ISO 639-3 codes, and detects nothing, so
// the list of languages, the familiar codes and the detection are made here.

import type { Deadline } from '@bowerbird/engines/deadline.ts'
import type { BoundSource } from '@bowerbird/engines/source.ts'
import {
  type apertium,
  apertiumNames,
  apertiumPairs,
  apertiumTranslation,
} from '@bowerbird/engines/sources/apertium.ts'
import { detectLanguage } from '../text/detect-language.ts'
import {
  notFromThere,
  type OfferedLanguage,
  type TranslationBackend,
  undetected,
  unknownLanguage,
} from './translation-backend.ts'

type Bound = BoundSource<(typeof apertium)['settings']>

interface ApertiumLanguage extends OfferedLanguage {
  /** Apertium's code for it. */
  wireCode: string
}

/** Below this score, a language that can be translated into the target is preferred. */
const SURE = 0.7

const englishNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' })

export const apertiumBackend =
  (bound: Bound): TranslationBackend =>
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
        if (!from.targets.includes(target)) throw notFromThere(from)
        const order = { text, source: from.wireCode, target: to.wireCode }
        return { text: (await bound.ask(apertiumTranslation, order, deadline)).found, detected }
      },
    }
  }

async function listLanguages(bound: Bound, deadline: Deadline): Promise<ApertiumLanguage[]> {
  const { found: pairs } = await bound.ask(apertiumPairs, null, deadline)
  const wireCodes = [...new Set(pairs.flatMap(({ source, target }) => [source, target]))].sort()
  const { found: names } = await bound.ask(apertiumNames, { codes: wireCodes }, deadline)
  const languages = wireCodes.map((wireCode) => {
    const targets = pairs.filter(({ source }) => source === wireCode).map(({ target }) => knownCode(target))
    const code = knownCode(wireCode)
    return { wireCode, code, name: names[wireCode] || (englishNames.of(code) ?? code), targets }
  })
  return languages.sort((one, other) => one.name.localeCompare(other.name, 'en'))
}

/** `eng` → `en`, `nob` → `nb`; a code without a shorter form stays as it is. */
const knownCode = (wireCode: string): string => Intl.getCanonicalLocales(wireCode)[0] ?? wireCode

/** If the text is too short to tell, assumes a language that can be translated into the target. */
async function guessSource(text: string, target: string, languages: readonly OfferedLanguage[]): Promise<string> {
  const guesses = await detectLanguage(
    text,
    languages.map(({ code }) => code),
  )
  const [best] = guesses
  if (best && best.score >= SURE) return best.code
  const able = languages.filter(({ targets }) => targets.includes(target)).map(({ code }) => code)
  const guess = guesses.find(({ code }) => able.includes(code))?.code ?? (able.length === 1 ? able[0] : undefined)
  if (guess === undefined) throw undetected()
  return guess
}
