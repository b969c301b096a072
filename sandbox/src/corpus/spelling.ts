// The few misspellings the sandbox corrects, word by word. Everything else counts as correct.

const CORRECTIONS: Readonly<Record<string, string>> = {
  clmate: 'climate',
  climat: 'climate',
  pyton: 'python',
  phyton: 'python',
  javascrpt: 'javascript',
  recieve: 'receive',
  artifical: 'artificial',
  enviroment: 'environment',
  goverment: 'government',
  restaraunt: 'restaurant',
  wether: 'weather',
}

/** The corrected query, or `undefined` when there is nothing to correct. */
export function correctSpelling(text: string): string | undefined {
  const corrected = text.replace(/[a-z]+/gi, (word) => {
    const lower = word.toLowerCase()
    return Object.hasOwn(CORRECTIONS, lower) ? (CORRECTIONS[lower] ?? word) : word
  })
  return corrected === text ? undefined : corrected
}
