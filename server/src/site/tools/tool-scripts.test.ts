// The browser's scripts count and choose as the server does. They are run here as they are, on a page without tools.
import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { CLASSES, entropyOf } from '@bowerbird/answers/random/password.ts'
import { describe, expect, it } from 'vitest'
import { WORDS_A_MINUTE } from '../reading/reading-time.ts'
import { countText, readingTime } from './text-counter-tool.ts'

/** The functions of these names in a script. */
function functionsOf(script: string, names: string): unknown {
  const source = readFileSync(new URL(`../assets/tools/${script}`, import.meta.url), 'utf8')
  const context = createContext({ document: { querySelectorAll: () => [] }, Intl, TextEncoder, crypto })
  return runInContext(`${source}\n;({ ${names} })`, context)
}

// The scripts have no types, so these say what they have.
const { uniformBelow, randomPassword, passwordBits } = functionsOf(
  'passwords.js',
  'uniformBelow, randomPassword, passwordBits',
) as {
  uniformBelow: (count: number, draw: () => number) => number
  randomPassword: (length: number, sets: readonly string[]) => string
  passwordBits: typeof entropyOf
}
const { countsOf, timeToRead } = functionsOf('text-counter.js', 'countsOf, timeToRead') as {
  countsOf: typeof countText
  timeToRead: (words: number, wordsPerMinute: number, lang: string) => string
}

describe('passwords made in the browser', () => {
  it.each([1, 10, 13, 26, 36, 62, 75, 2_048])(
    'of %i characters or words, none is likelier than another: every draw of two bytes was tried',
    (count) => {
      const times = Array.from({ length: count }, () => 0)
      for (let first = 0; first < 65_536; first += 1) {
        let draws = 0
        const index = uniformBelow(count, () => (draws++ === 0 ? first : 0))
        // One that is refused is drawn again; that is another draw.
        if (draws === 1) times[index] = (times[index] ?? 0) + 1
      }
      expect(new Set(times)).toEqual(new Set([Math.floor(65_536 / count)]))
    },
  )

  it('have every kind of character that was asked for', () => {
    for (let round = 0; round < 100; round += 1) {
      expect(randomPassword(8, CLASSES)).toMatch(/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[!#$%&*+\-=?@^_])\S{8}$/)
    }
    expect(randomPassword(128, [CLASSES[2]])).toMatch(/^\d{128}$/)
  })

  it.each([8, 20, 128])('of length %i have the strength that the server states', (length) => {
    for (const sets of [CLASSES, CLASSES.slice(0, 3), CLASSES.slice(2, 3)])
      expect(passwordBits(length, sets)).toBeCloseTo(entropyOf(length, sets), 9)
  })
})

describe('a text', () => {
  it.each([
    ['', 'en', [0, 0, 0, 0, 0], '0 seconds'],
    ['Hello world.', 'en', [12, 2, 1, 1, 12], '1 second'],
    ['One. Two!\nThree?', 'en', [16, 3, 3, 2, 16], '1 second'],
    // A family is one character; an umlaut is two bytes.
    ['👨‍👩‍👧 Bär', 'de', [5, 1, 1, 1, 23], '0 Sekunden'],
    // Words without spaces between them.
    ['今日は天気がいい。', 'en', [9, 5, 1, 1, 27], '1 second'],
    ['\n\n', 'en', [2, 0, 0, 3, 2], '0 seconds'],
    ['word '.repeat(500), 'fr', [2_500, 500, 1, 1, 2_500], '2 minutes'],
  ] as const)('%j in %s is counted', (...[text, locale, counts, time]) => {
    const onServer = countText(text, locale)
    expect(Object.values(onServer)).toEqual(counts)
    expect(readingTime(onServer.words, locale)).toBe(time)
    expect({ ...countsOf(text, locale) }).toEqual(onServer)
    expect(timeToRead(onServer.words, WORDS_A_MINUTE, locale)).toBe(time)
  })

  it('counts a line break that a form sends as one character', () => {
    expect(countText('a\r\nb', 'en')).toMatchObject({ characters: 3, lines: 2, bytes: 3 })
  })
})
