// Random passphrases of plain English words: `random passphrase 6`. `passphrase ssh key change` and bare `passphrase`
// are ordinary searches and stay unanswered. The list (data/passphrase-words.txt) was written for this project.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { readTable } from '../lib/read-table.ts'

const VERB = '(?:generate|create|make|give me|new|random|secure|strong|diceware)'
const BEFORE = `(?:${VERB}\\s+){0,3}(?:an?\\s+)?(?:${VERB}\\s+)?(?:(\\d{1,2})[- ]words?\\s+)?(?:${VERB}\\s+)?`
const AFTER = '(?:\\s+(?:(?:with|of)\\s+)?(\\d{1,2})(?:\\s+words?)?)?'
const PHRASE = new RegExp(`^${BEFORE}pass ?phrase(?:\\s+generator)?${AFTER}$`)
const MIN_WORDS = 3
const MAX_WORDS = 20
const DEFAULT_WORDS = 6

export const passphrase = defineAnswer({
  slug: 'passphrase',
  title: 'Passphrase generator',
  summary: 'A passphrase of 3 to 20 random English words, and how strong it is.',
  examples: [{ q: 'random passphrase' }, { q: 'passphrase generator 8 words' }, { q: 'generate a 5 word passphrase' }],
  isPersonal: true,
  reply: z.object({
    passphrase: z.string(),
    words: z.int(),
    entropy_bits: z.number().describe('How many passphrases it was chosen from, as a power of two.'),
  }),
  match({ folded }) {
    if (!folded.includes('phrase')) return null
    const [phrase, before, after] = PHRASE.exec(folded) ?? []
    if (phrase === undefined || /^(?:diceware |secure |strong )?pass ?phrase$/.test(phrase)) return null
    const count = Number(before ?? after ?? DEFAULT_WORDS)
    return count >= MIN_WORDS && count <= MAX_WORDS && !(before && after) ? { count } : null
  },
  async answer({ count }, { random }) {
    const { phrase: chosen, bits: exact } = await newPassphrase(count, random)
    const bits = Math.floor(exact * 10) / 10
    return { text: `${chosen} (${count} words, ${bits} bits)`, passphrase: chosen, words: count, entropy_bits: bits }
  },
})

async function newPassphrase(
  count: number,
  random: (below: number) => number,
): Promise<{ phrase: string; bits: number }> {
  wordList ??= readTable('passphrase-words.txt')
  const words = await wordList
  const phrase = Array.from({ length: count }, () => words[random(words.length)] ?? '').join('-')
  return { phrase, bits: count * Math.log2(words.length) }
}

/** Loaded with the first passphrase. */
let wordList: Promise<string[]> | undefined
