// The languages of a translation backend as a reader knows them: by name, in the reader's own language. Backends name
// them in English, and some by codes that nobody else knows; then their name will do.

import type { Locale } from '../i18n/messages.ts'
import { capitalised } from '../parts/capitalised.ts'
import type { SelectParts } from '../parts/form.ts'
import { languageName } from '../parts/language-name.ts'

export interface OfferedLanguage {
  code: string
  name: string
}

export const nameOf = ({ code, name }: OfferedLanguage, locale: Locale): string => languageName(code, locale) ?? name

/** By name. What is chosen is among them even if nobody offers it: a form that comes back says what was sent. */
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
