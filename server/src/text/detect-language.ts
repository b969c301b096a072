// Guesses the language of a text, for a backend that cannot. The detector and its tables are loaded with the first text
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
