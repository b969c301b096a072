// Guesses the language of a text, for a provider that cannot. The detector and its tables are loaded with the first text
// that needs them. On a single word it is often wrong, so the answer says how sure it is.

export interface Guess {
  code: string
  /** 0 to 1; below 0.7 it is worth little. */
  score: number
}

/** What the detector calls languages that have several written forms. */
const ITS_CODES: Readonly<Record<string, readonly string[]>> = { nb: ['no'], nn: ['no'], sr: ['sr', 'hr'] }

/** The likeliest of these languages first; those that it does not know, or rules out, are left out. */
export async function detectLanguage(text: string, codes: readonly string[]): Promise<Guess[]> {
  const { eld } = await import('eld/extrasmall')
  const scores = eld.detect(text).getScores()
  return codes
    .map((code) => {
      const [language = ''] = code.split('-', 1)
      return { code, score: Math.max(...(ITS_CODES[language] ?? [language]).map((its) => scores[its] ?? 0)) }
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
}

/** The languages that the detector tells apart. */
const KNOWN = new Set(
  (
    'am ar az be bg bn ca cs da de el en es et eu fa fi fr gu he hi hr hu hy is it ja ka kn ko ku lo lt lv ml mr ms nb nl ' +
    'nn no or pa pl pt ro ru sk sl sq sr sv ta te th tl tr uk ur vi yo zh'
  ).split(' '),
)

/** Enough to be sure, and a fraction of a millisecond. */
const LONGEST_SAMPLE = 200

export const isDetectable = (language: string): boolean => KNOWN.has(language)

/** Whether a text may be in the language: false only if it is clearly in another. */
export type LanguageTest = (text: string) => boolean

export async function loadLanguageTest(language: string): Promise<LanguageTest> {
  const { eld } = await import('eld/extrasmall')
  const codes = ITS_CODES[language] ?? [language]
  return (text) => {
    const guess = eld.detect(text.slice(0, LONGEST_SAMPLE))
    return !guess.isReliable() || codes.includes(guess.language)
  }
}
