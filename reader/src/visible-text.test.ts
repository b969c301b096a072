import { describe, expect, it } from 'vitest'
import { escapeInvisible, hasInvisible, visibleText } from './visible-text.ts'

const everyCharacter = function* () {
  for (let code = 0; code <= 0x10ffff; code++) {
    // Lone surrogates are replaced before.
    if (code < 0xd800 || code > 0xdfff) yield String.fromCodePoint(code)
  }
}

/** Signs below and around numbers of Arabic, Syriac and Kaithi are called format characters, and are seen. */
const SEEN = /^[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]$/u

describe('text without what nobody sees', () => {
  it('has no character that Unicode calls invisible, wherever it was', () => {
    const kept: string[] = []
    for (const character of everyCharacter()) {
      const isInvisible =
        /^[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Variation_Selector}\u2800\u{1d159}]$/u.test(character) ||
        (/^\p{Cf}$/u.test(character) && !SEEN.test(character)) ||
        (/^\p{Cc}$/u.test(character) && !/^[\s\x85]$/.test(character))
      if (!isInvisible) continue
      for (const text of [
        character,
        `a${character}b`,
        `1${character}`,
        `${character}${character} z`,
        `鳥${character}鳥`,
      ]) {
        if (visibleText(text).includes(character)) kept.push(JSON.stringify(text))
      }
    }
    expect(kept).toEqual([])
  })

  it('has every other character', () => {
    const lost: string[] = []
    for (const character of everyCharacter()) {
      // Controls of annotations, hieroglyphs and notes have nothing to show either.
      const isControl = /^[\p{Cc}\ufff9-\ufffb\u{13430}-\u{1343f}\u{1d159}\u2800]$/u.test(character)
      if (!isControl && !/^\p{Default_Ignorable_Code_Point}$/u.test(character) && visibleText(character) !== character)
        lost.push(character)
    }
    expect(lost).toEqual([])
  })

  it.each([
    ['Persian', 'می‌خواهم کتاب‌هایم را ببینم'],
    ['Hindi', 'क्‍ष और क्‌ष, विद्‌या'],
    ['Sinhala', 'ශ්‍රී ලංකාව'],
    ['a family', '👨‍👩‍👧‍👦 and 👩🏽‍🚀'],
    ['a heart on fire', '❤️‍🔥'],
    ['a keycap', '1️⃣ #️⃣'],
    ['flags', '🏳️‍🌈 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏴󠁧󠁢󠁷󠁬󠁳󠁿 🇩🇪'],
    ['Mongolian', 'ᠠ᠋ᠨ᠎ᠠ'],
    ['lines', 'one\n\ttwo'],
  ])('%s stays as it is', (_, text) => {
    expect(visibleText(text)).toBe(text)
  })

  it.each([
    ['words in tag characters', 'a\u{e0069}\u{e0067}\u{e006e}b', 'ab'],
    ['words in a flag', '🏴\u{e0069}\u{e0067}\u{e006e}\u{e007f}', '🏴'],
    ['bytes in variation selectors', '😀\ufe0f\ufe01\u{e0100}\u{e01ef}', '😀\ufe0f'],
    ['joiners in Latin', 'pass\u200cword \u200d', 'password '],
    ['runs of joiners', 'می\u200c\u200c\u200d\u200cخواهم', 'میخواهم'],
    ['blanks that are not spaces', 'a\u2800b\u3164c', 'a bc'],
    ['overrides and marks', 'a\u202eb\u2066c\u200ed\ufeff\u00ad', 'abcd'],
  ])('%s go', (_, text, visible) => {
    expect(visibleText(text)).toBe(visible)
    expect(visibleText(visible)).toBe(visible)
  })

  it('takes time that grows with the length only', () => {
    for (const piece of ['\u200c', 'م\u200c', '😀\u200d', '\u{1f3f4}\u{e0067}', '1\ufe0f', '\u{e0100}']) {
      const before = process.cpuUsage()
      visibleText(piece.repeat(100_000))
      expect(process.cpuUsage(before).user).toBeLessThan(1_000_000)
    }
  })
})

it('an address with invisible characters is the same one, escaped', () => {
  const address = escapeInvisible('https://a.example/کتاب\u200cها?q=\u{e0065}')
  expect(hasInvisible(address)).toBe(false)
  expect(new URL(address).href).toBe(new URL('https://a.example/کتاب\u200cها?q=\u{e0065}').href)
})
