// Matches a language that a caller asked for to one that a backend offers. People write `EN`, `en-GB`, `eng` or `zh-TW`
// for what a backend calls `en` and `zh-Hant`. An unknown region falls back to the code without a region, never to
// another region or script.

interface Tag {
  language: string
  script: string
  /** '' unless the code has one. */
  region: string
}

/** LibreTranslate's internal codes. */
const INNER_CODES = new Map([
  ['zt', 'zh-Hant'],
  ['pb', 'pt-BR'],
])

const LONGEST_CODE = 35

export function findLanguage<Language extends { code: string }>(
  languages: readonly Language[],
  asked: string,
): Language | undefined {
  const written = asked.toLowerCase()
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
  if (code.length > LONGEST_CODE) return undefined
  try {
    const locale = new Intl.Locale((INNER_CODES.get(code.toLowerCase()) ?? code).replaceAll('_', '-'))
    const { language, script = '' } = locale.maximize()
    return { language, script, region: locale.region ?? '' }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
