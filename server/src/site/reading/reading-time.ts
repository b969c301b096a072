// How long it takes to read a text, for the Read view, which knows all of it.

/** Adults, silently, non-fiction: the mean of 190 studies in Brysbaert, "How many words do we read per minute?" (2019). */
const WORDS_A_MINUTE = 238

/** Chinese and Japanese have no spaces between words, so their characters are counted, at the rate that Medium uses. */
const CHARACTERS_A_MINUTE = 500

const CHARACTERS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu
const WORD = /[\p{L}\p{N}]\S*/gu

/** They have no spaces either, and how many characters of them are read in a minute isn't known here. */
const UNKNOWN = new Set(['km', 'lo', 'my', 'th'])

/** In minutes, at least one; undefined if it can't be told for the language. */
export function readingTime(text: string, language: string): number | undefined {
  if (UNKNOWN.has(language.split('-', 1)[0] ?? '')) return undefined
  let characters = 0
  const others = text.replace(CHARACTERS, (run) => {
    characters += run.length
    return ' '
  })
  const words = others.match(WORD)?.length ?? 0
  return Math.max(1, Math.round(words / WORDS_A_MINUTE + characters / CHARACTERS_A_MINUTE))
}
