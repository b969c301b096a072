import type { AnswerTable } from '../answer-table.test-rules.ts'

export const table: AnswerTable = {
  answers: [
    { q: 'rot13 hello', text: 'ROT13 of "hello": uryyb', has: { input: 'hello', output: 'uryyb' } },
    { q: 'rot13 uryyb', text: 'ROT13 of "uryyb": hello' },
    { q: 'ROT13: Why did the chicken', text: 'ROT13 of "Why did the chicken": Jul qvq gur puvpxra' },
    { q: 'hello world in rot13', text: 'ROT13 of "hello world": uryyb jbeyq' },
    { q: 'decode rot13 Uryyb Jbeyq!', text: 'ROT13 of "Uryyb Jbeyq!": Hello World!' },
    { q: 'rot-13 of Zebra', text: 'ROT13 of "Zebra": Mroen' },
    { q: 'amAM to rot 13', text: 'ROT13 of "amAM": nzNZ' },
    { q: 'rot13 "python"', text: 'ROT13 of "python": clguba' },
    { q: 'rot13 decode nopqrstuvwxyz', text: 'ROT13 of "nopqrstuvwxyz": abcdefghijklm' },
    { q: 'rot13: café 24', text: 'ROT13 of "café 24": pnsé 24' },
  ],
  silent: [
    'rot13',
    'rot13 python',
    'rot13 decoder',
    'rot13 vs caesar cipher',
    'rot in wood',
    'rot13 algorithm explained',
    'rot13 12345',
    'what is rot13',
    'root rot monstera',
    'rot 12 hello',
    'rot 13 weeks',
    'rot13 cipher',
    'carrot 13 recipes',
    'rot13 javascript function',
  ],
}
