// Counts in a text: `count words: to be or not to be`, `how many letters in hippopotamus`, `how many r in strawberry`.
// `how many words in a novel`, `how many characters in tekken`, `how many letters in the alphabet` and `how many l in
// gallon` are ordinary searches and stay unanswered: the text must follow a colon or be in quotation marks. The
// letters of a single word are counted without either, unless the word names an alphabet, a game or a unit.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { cached } from '../lib/cached.ts'
import { quoted, readPayload } from '../lib/payload.ts'
import { counted } from '../lib/write-text.ts'

const THINGS = '(?:words|characters|letters|sentences)'
const COUNT = `(?:word|character|letter|char|sentence) count|count (?:the )?${THINGS}|text statistics`
const HOW_MANY = `length of|how many ${THINGS}(?: are)?(?: there)?`
const TRIGGER = new RegExp(`^(?:${COUNT}|${HOW_MANY})(?:\\s+(?:of|in|for))?(\\s*:\\s*|\\s+)([\\s\\S]+)$`, 'i')
const BARE_WORD =
  /^(?:how many letters (?:are |are there )?|count (?:the )?letters |letter count )(?:in|of) (?:the word )?([\p{L}\p{M}'’-]{2,60})\??$/iu
const MARKED_WORD = /^how many (?:letters|characters) (?:are |are there )?in the word ([\p{L}\p{M}'’-]{2,60})\??$/iu
const ONE_LETTER =
  /^how many (?:letter )?(\p{L})(['’]?s)? (?:are |are there )?in (the word )?([\p{L}\p{M}'’-]{3,60})\??$/iu
/** `how many letters in greek` is about an alphabet and `how many letters in scrabble` about a game, not a spelling. */
const ALPHABETS_AND_GAMES = new Set(
  `
  alphabet alphabets arabic armenian bulgarian chinese cyrillic czech danish dutch english finnish french georgian
  german greek hawaiian hebrew hindi hungarian irish italian japanese khmer korean latin morse norwegian persian polish
  portuguese romanian russian scrabble spanish swedish tamil thai turkish ukrainian vietnamese welsh wordle
  `.match(/\S+/g),
)
/** With one of these, the letter stands for another unit: `how many l in gallon` asks for litres. */
const UNITS = new Set(
  `
  acre barrel century cup day decade foot gallon gram hour inch kilo kilogram kilometer kilometre liter litre marathon
  meter metre mile minute month ounce pint pound quart second stone tablespoon teaspoon ton tonne week yard year
  `.match(/\S+/g),
)

export const textStatistics = defineAnswer({
  slug: 'text_statistics',
  title: 'Text statistics',
  summary: 'Counts the characters, letters, words and sentences in a text, or a letter in a word.',
  examples: [
    { q: 'count words: to be or not to be' },
    { q: 'how many letters in hippopotamus' },
    { q: 'how many r in strawberry' },
    { q: 'character count "naïve café"' },
  ],
  reply: z.object({
    input: z.string(),
    characters: z.int().describe('Counted as people do: an accent or part of an emoji is not a character of its own.'),
    letters: z.int(),
    words: z.int(),
    sentences: z.int(),
    bytes: z.int(),
    letter: z.string().describe('The letter that was asked about, if any.'),
    letter_count: z.int(),
  }),
  match({ asked, text, folded }) {
    if (!/^(?:how many|count|word|character|char|letter|sentence|text|length)\b/.test(folded)) return null
    const [, letter = '', plural, marked, within = ''] = ONE_LETTER.exec(text) ?? []
    if (letter) {
      const word = within.toLowerCase()
      const asksAboutLetter =
        plural || marked || (word.includes(letter.toLowerCase()) && !UNITS.has(word.replace(/s$/, '')))
      return asksAboutLetter ? { input: within, letter: letter.toLowerCase() } : null
    }
    const [, word = ''] = MARKED_WORD.exec(text) ?? BARE_WORD.exec(text) ?? []
    if (word) return ALPHABETS_AND_GAMES.has(word.toLowerCase()) ? null : { input: word, letter: '' }
    const [, separator = '', rest = ''] = TRIGGER.exec(asked) ?? []
    const input = readPayload(rest, { isCertain: separator.includes(':'), maxWords: 0 })
    return input === null ? null : { input, letter: '' }
  },
  answer({ input, letter }, { question }) {
    const segments = (granularity: Granularity) => Array.from(segmenterOf(granularity).segment(input))
    const characters = segments('grapheme')
    const counts = {
      characters: characters.length,
      letters: characters.filter(({ segment }) => /\p{L}/u.test(segment)).length,
      words: segments('word').filter(({ isWordLike }) => isWordLike).length,
      sentences: segments('sentence').filter(({ segment }) => segment.trim() !== '').length,
      bytes: Buffer.byteLength(input),
    }
    const letter_count = letter === '' ? 0 : input.toLowerCase().split(letter).length - 1
    const text =
      letter === ''
        ? describeCounts(input, counts, question.folded.includes('letter'))
        : `${quoted(input)} has the letter ${letter} ${times(letter_count)}`
    return { text, input, ...counts, letter, letter_count }
  },
})

type Granularity = 'grapheme' | 'word' | 'sentence'

const segmenters = new Map<string, Intl.Segmenter>()

const segmenterOf = (granularity: Granularity): Intl.Segmenter =>
  cached(segmenters, granularity, () => new Intl.Segmenter('en', { granularity }))

interface Counts {
  characters: number
  letters: number
  words: number
  sentences: number
}

function describeCounts(input: string, counts: Counts, wantsLetters: boolean): string {
  const { characters, letters, words, sentences } = counts
  if (wantsLetters && words === 1 && letters === characters) return `${quoted(input)} has ${counted(letters, 'letter')}`
  const all = [counted(characters, 'character'), counted(letters, 'letter'), counted(words, 'word')]
  return `${quoted(input)} has ${all.join(', ')} and ${counted(sentences, 'sentence')}`
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)
