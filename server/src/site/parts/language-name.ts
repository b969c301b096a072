// The name of a language in the reader's language, by its code.
import type { Locale } from '../i18n/messages.ts'

const names = new Map<Locale, Intl.DisplayNames>()

/** Undefined for a code that is no language's, or that only one backend uses: `oci_aran`. */
export function languageName(code: string, locale: Locale): string | undefined {
  const display = names.get(locale) ?? new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' })
  names.set(locale, display)
  try {
    return display.of(code)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
