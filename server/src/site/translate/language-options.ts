// The languages of a translation backend by name, in the reader's language. Backends name them in English, and some
// have codes that no one else knows; those keep the backend's name.

import type { Locale } from '../i18n/messages.ts'
import type { SelectParts } from '../parts/form.ts'
import { capitalised, languageName } from '../parts/formats.ts'

export interface OfferedLanguage {
  code: string
  name: string
}

export const nameOf = ({ code, name }: OfferedLanguage, locale: Locale): string => languageName(code, locale) ?? name

/**
 * Sorted by name. Includes the chosen language even if it isn't offered, so that a returned form shows what was sent.
 */
export function offeredOptions(
  offered: readonly OfferedLanguage[],
  chosen: string,
  locale: Locale,
): SelectParts['options'] {
  const isOffered = chosen === '' || offered.some(({ code }) => code === chosen)
  const all = isOffered ? offered : [...offered, { code: chosen, name: chosen }]
  return all
    .map((language) => ({ value: language.code, label: capitalised(nameOf(language, locale), locale) }))
    .sort((one, other) => one.label.localeCompare(other.label, locale))
}
