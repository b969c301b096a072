// The three parts of a BCP 47 tag that providers care about. Anything else in it, and anything that is not shaped like
// one, is ignored, so what comes out is always safe to write into a request.

interface LanguageTag {
  /** Lower-case: 'pt'. '' when the caller left the language open. */
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
