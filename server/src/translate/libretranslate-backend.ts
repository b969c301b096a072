// Translation by LibreTranslate, which detects languages itself.

import type { BoundSource } from '@bowerbird/engines/source.ts'
import {
  type libretranslate,
  libretranslateLanguages,
  libretranslateLongestText,
  libretranslateTranslation,
} from '@bowerbird/engines/sources/libretranslate.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { notFromDetected, type TranslationBackend } from './translation-backend.ts'

type Bound = BoundSource<(typeof libretranslate)['settings']>

export const libretranslateBackend =
  (bound: Bound): TranslationBackend =>
  async (deadline) => {
    const [{ found: listed }, { found: longest }] = await Promise.all([
      bound.ask(libretranslateLanguages, null, deadline),
      bound.ask(libretranslateLongestText, null, deadline),
    ])
    const codes = listed.map(({ code }) => code)
    const languages = listed.map(({ code, name, targets }) => ({ code, name, targets: targets ?? codes }))
    return {
      languages,
      maxCharacters: longest ?? undefined,
      async translate({ text, source = 'auto', target }) {
        const isPairSure = source !== 'auto' || languages.every(({ targets }) => targets.includes(target))
        try {
          const order = { text, source, target, isPairSure }
          const { found } = await bound.ask(libretranslateTranslation, order, deadline)
          return { text: found.text, detected: source === 'auto' ? found.detected : '' }
        } catch (error) {
          throw error instanceof UpstreamError && error.isQueryFault ? notFromDetected() : error
        }
      },
    }
  }
