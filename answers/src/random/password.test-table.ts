import type { AnswerTable } from '../answer-table.test-rules.ts'

const TWENTY = /^\S{20} \(20 characters, 124\.4 bits\)$/

export const table: AnswerTable = {
  answers: [
    { q: 'random password 20', matches: TWENTY, has: { length: 20, entropy_bits: 124.4 } },
    { q: 'random password', matches: TWENTY },
    { q: 'password generator', matches: TWENTY },
    { q: 'generate password', matches: TWENTY },
    { q: 'generate a strong password', matches: TWENTY },
    { q: 'new random password', matches: TWENTY },
    { q: 'create a 20 character password', matches: TWENTY },
    { q: 'Password generator 12', matches: /^\S{12} \(12 characters, 74\.\d bits\)$/ },
    { q: 'generate a 16 character password', matches: /^\S{16} \(16 characters, 99\.\d bits\)$/ },
    { q: 'random password 8 characters', matches: /^\S{8} \(8 characters, 4[89]\.?\d* bits\)$/ },
    { q: 'random password 128', matches: /^\S{128} \(128 characters, 797\.\d bits\)$/ },
    {
      q: 'generate a 32 character password without symbols',
      matches: /^[A-Za-z\d]{32} \(32 characters, 190\.\d bits\)$/,
    },
    { q: 'random password 24, alphanumeric', matches: /^[A-Za-z\d]{24} \(24 characters, 142\.\d bits\)$/ },
    { q: 'password 16', matches: /^\S{16} \(16 characters, 99\.4 bits\)$/ },
  ],
  silent: [
    'password',
    'password manager',
    'forgot password gmail',
    'password game walkthrough',
    'show wifi password iphone',
    'strong password',
    'strong password examples',
    'secure password',
    'random password 7',
    'random password 129',
    'most common passwords 2025',
    'change password windows 11',
    'password generator python code',
    'random password generator excel',
    '1password',
    'new password',
    'create password',
    'password 123',
    'password of 8',
    'password 1',
    'password 1234',
    'strong password',
  ],
}
