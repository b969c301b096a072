// Parses the three parts of a BCP 47 tag that providers care about. Everything else, and anything that isn't shaped
// like a tag, is ignored, so the result is always safe to put into a request.

interface LanguageTag {
  /** Lower-case: 'pt'. '' if the caller named no language. */
  base: string
  /** As in 'Hant', or ''. */
  script: string
  /** Upper-case: 'BR', or ''. */
  region: string
}

const OPEN: LanguageTag = { base: '', script: '', region: '' }

export const languageTag = (lang: string): LanguageTag => {
  if (lang === '') return OPEN
  const [first = '', ...rest] = lang.split(/[-_]/, 4)
  if (!/^[a-z]{2,3}$/i.test(first)) return OPEN
  const script = rest.find((part) => /^[a-z]{4}$/i.test(part)) ?? ''
  const region = rest.find((part) => /^[a-z]{2}$/i.test(part)) ?? ''
  return {
    base: first.toLowerCase(),
    script: script.charAt(0).toUpperCase() + script.slice(1).toLowerCase(),
    region: region.toUpperCase(),
  }
}
