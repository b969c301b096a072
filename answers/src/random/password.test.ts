import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { answerAlone } from '../answer-alone.test-rules.ts'
import { passphrase } from './passphrase.ts'
import { password } from './password.ts'

const random = (below: number): number => randomInt(below)

describe('a password', () => {
  it('has letters of both cases, a digit and a symbol, even at the shortest length', async () => {
    for (let round = 0; round < 200; round += 1) {
      const answer = await answerAlone(password, 'random password 8', { random })
      expect(answer?.['password']).toMatch(/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[!#$%&*+\-=?@^_])\S{8}$/)
    }
  })

  it('states its strength correctly: the number of possible passwords of its kind', async () => {
    // Of 62^8 passwords, 52^8 have no digit, 36^8 no lower-case letter, and so on.
    const all = 62 ** 8 - 52 ** 8 - 2 * 36 ** 8 + 2 * 26 ** 8 + 10 ** 8
    const answer = await answerAlone(password, 'random password 8 no symbols', { random })
    expect(answer?.['entropy_bits']).toBe(Math.floor(Math.log2(all) * 10) / 10)
  })

  it('differs from the previous one', async () => {
    const two = [
      await answerAlone(password, 'random password', { random }),
      await answerAlone(password, 'random password', { random }),
    ]
    expect(two[0]?.text).not.toBe(two[1]?.text)
  })
})

describe('the words of passphrases', () => {
  const words = readFileSync(new URL('../data/passphrase-words.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')

  it('are 2,048 distinct words of 3 to 8 lower-case letters', () => {
    expect(new Set(words).size).toBe(2_048)
    expect(words.filter((word) => !/^[a-z]{3,8}$/.test(word))).toEqual([])
  })

  it('are unambiguous even without hyphens: none is a prefix of another', () => {
    expect(words.filter((word) => words.some((other) => other !== word && other.startsWith(word)))).toEqual([])
  })

  it('can all be chosen, from the first to the last', async () => {
    const last = await answerAlone(passphrase, 'random passphrase 3', { random: (below) => below - 1 })
    const first = await answerAlone(passphrase, 'random passphrase 3', { random: () => 0 })
    expect(last?.['passphrase']).toBe([words.at(-1), words.at(-1), words.at(-1)].join('-'))
    expect(first?.['passphrase']).toBe([words[0], words[0], words[0]].join('-'))
  })
})
