import type { AnswerTable } from '../answer-table.test-rules.ts'

export const table: AnswerTable = {
  answers: [
    {
      q: 'U+2603',
      text: '☃ U+2603 SNOWMAN',
      has: { name: 'SNOWMAN', decimal: 9731, utf8_hex: 'e29883', html: '&#9731;', code_points: ['U+2603'] },
    },
    { q: 'u+1f99c', text: '🦜 U+1F99C PARROT', has: { utf8_hex: 'f09fa69c' } },
    { q: '\\u00e9', text: 'é U+00E9 LATIN SMALL LETTER E WITH ACUTE' },
    { q: 'unicode ☃', text: '☃ U+2603 SNOWMAN' },
    { q: 'unicode for €', text: '€ U+20AC EURO SIGN' },
    { q: 'unicode 00df', text: 'ß U+00DF LATIN SMALL LETTER SHARP S' },
    { q: 'ascii code for A', text: 'A U+0041 LATIN CAPITAL LETTER A', has: { decimal: 65 } },
    { q: 'ascii 65', text: 'A U+0041 LATIN CAPITAL LETTER A' },
    { q: 'ascii 10', text: 'U+000A LINE FEED' },
    { q: 'U+200D', text: 'U+200D ZERO WIDTH JOINER' },
    {
      q: 'unicode 👨‍👩‍👧',
      text: '👨‍👩‍👧 U+1F468 U+200D U+1F469 U+200D U+1F467 FAMILY: MAN, WOMAN, GIRL',
    },
    { q: 'character code of ñ', text: 'ñ U+00F1 LATIN SMALL LETTER N WITH TILDE' },
    { q: 'what is the unicode name of ∞', text: '∞ U+221E INFINITY' },
  ],
  silent: [
    'unicode',
    'unicode error python utf-8',
    'degree symbol not working on keyboard',
    'ascii art',
    'ascii table',
    'unicode a',
    'character b',
    'ascii 200',
    'ascii 5',
    'unicode beef',
    'character number 5',
    // Beyond the last code point, and half of a surrogate pair.
    'U+110000',
    'U+D800',
    'u+me',
    'u2',
    '0x2603',
    'unicode font generator',
    'unicode for windows',
    'character of othello',
    'what is the best laptop',
  ],
}
