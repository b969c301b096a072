import type { AnswerTable } from '../answer-table.test-rules.ts'

const SIX = /^[a-z]{3,8}(?:-[a-z]{3,8}){5} \(6 words, 66 bits\)$/

export const table: AnswerTable = {
  answers: [
    { q: 'random passphrase', matches: SIX, has: { words: 6, entropy_bits: 66 } },
    { q: 'passphrase generator', matches: SIX },
    { q: 'generate passphrase', matches: SIX },
    { q: 'generate a random pass phrase', matches: SIX },
    { q: 'diceware passphrase generator', matches: SIX },
    { q: 'new strong passphrase', matches: SIX },
    { q: 'passphrase 4 words', matches: /^[a-z]+(?:-[a-z]+){3} \(4 words, 44 bits\)$/ },
    { q: 'passphrase generator 8 words', matches: /^[a-z]+(?:-[a-z]+){7} \(8 words, 88 bits\)$/ },
    { q: 'generate a 5 word passphrase', matches: /^[a-z]+(?:-[a-z]+){4} \(5 words, 55 bits\)$/ },
    { q: 'random passphrase 20', matches: /^[a-z]+(?:-[a-z]+){19} \(20 words, 220 bits\)$/ },
  ],
  silent: [
    'passphrase',
    'passphrase ssh key change',
    'strong passphrase',
    'random passphrase 2',
    'random passphrase 21',
    'passphrase vs password',
    'passphrase examples',
    'ssh-keygen without passphrase',
    'forgot bitlocker passphrase',
    'catch phrase game',
    'gpg passphrase cache',
    'what is a passphrase',
  ],
}
