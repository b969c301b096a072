// Guesses the language of a text, for providers that can't detect or filter languages. The detector and its tables are
// loaded on first use. It is often wrong about a single word, so every guess has a score.

export interface Guess {
  code: string
  /** 0 to 1; below 0.7 it isn't worth much. */
  score: number
}

/** The detector's codes for languages that have several written forms. */
const DETECTOR_CODES: Readonly<Record<string, readonly string[]>> = { nb: ['no'], nn: ['no'], sr: ['sr', 'hr'] }

/** Ranks these languages, likeliest first, without those that the detector doesn't know or rules out. */
export async function detectLanguage(text: string, codes: readonly string[]): Promise<Guess[]> {
  const { eld } = await import('eld/extrasmall')
  const scores = eld.detect(text).getScores()
  return codes
    .map((code) => {
      const [language = ''] = code.split('-', 1)
      return { code, score: Math.max(...(DETECTOR_CODES[language] ?? [language]).map((its) => scores[its] ?? 0)) }
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
}

/** The languages the detector can tell apart. */
const DETECTABLE = new Set(
  (
    'am ar az be bg bn ca cs da de el en es et eu fa fi fr gu he hi hr hu hy is it ja ka kn ko ku lo lt lv ml mr ms nb nl ' +
    'nn no or pa pl pt ro ru sk sl sq sr sv ta te th tl tr uk ur vi yo zh'
  ).split(' '),
)

/** Long enough to be reliable, and takes a fraction of a millisecond. */
const SAMPLE_LENGTH = 200

export const isDetectable = (language: string): boolean => DETECTABLE.has(language)

/** Whether a text may be in the language: false only if it is clearly in another. */
export type LanguageTest = (text: string) => boolean

export async function loadLanguageTest(language: string): Promise<LanguageTest> {
  const { eld } = await import('eld/extrasmall')
  const codes = DETECTOR_CODES[language] ?? [language]
  return (text) => {
    const guess = eld.detect(text.slice(0, SAMPLE_LENGTH))
    return !guess.isReliable() || codes.includes(guess.language)
  }
}
