// The writing direction of a language. If a page names none, the browser decides by its first letter.

const RIGHT_TO_LEFT = new Set(['Adlm', 'Arab', 'Aran', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa'])

/** For the attribute `dir`, from a language tag. */
export function directionOf(language: string): 'ltr' | 'rtl' | 'auto' {
  if (language === '') return 'auto'
  try {
    const { script } = new Intl.Locale(language).maximize()
    return script === undefined ? 'auto' : RIGHT_TO_LEFT.has(script) ? 'rtl' : 'ltr'
  } catch (error) {
    if (error instanceof RangeError) return 'auto'
    throw error
  }
}
