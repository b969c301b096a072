import type { AnswerTable } from '../answer-table.test-rules.ts'

export const table: AnswerTable = {
  answers: [
    {
      q: 'url encode a b&c',
      text: '"a b&c" URL-encoded: a%20b%26c',
      has: { direction: 'encode', output: 'a%20b%26c' },
    },
    { q: 'urlencode café', text: '"café" URL-encoded: caf%C3%A9' },
    { q: 'URL-encode: plain', text: '"plain" URL-encoded: plain' },
    {
      q: 'encode url https://example.com/?q=a b',
      text: '"https://example.com/?q=a b" URL-encoded: https%3A%2F%2Fexample.com%2F%3Fq%3Da%20b',
    },
    { q: 'percent encode 100%', text: '"100%" URL-encoded: 100%25' },
    { q: 'a b url encoded', text: '"a b" URL-encoded: a%20b' },
    { q: 'encodeURIComponent("50% off?")', text: '"50% off?" URL-encoded: 50%25%20off%3F' },
    { q: 'url decode caf%C3%A9%20au%20lait', text: 'caf%C3%A9%20au%20lait decoded: café au lait' },
    { q: 'decode url https%3A%2F%2Fexample.com', text: 'https%3A%2F%2Fexample.com decoded: https://example.com' },
    { q: 'a%20b url decoded', text: 'a%20b decoded: a b', has: { direction: 'decode' } },
    { q: "decodeURIComponent('%E2%82%AC')", text: '%E2%82%AC decoded: €' },
    { q: 'uri decode one%0Atwo', text: 'one%0Atwo decoded: one\\ntwo' },
    { q: 'url decode %20', text: '%20 decoded: " "', has: { output: ' ' } },
  ],
  silent: [
    'url decode',
    'url encode',
    'url encoding',
    'urlencode php vs rawurlencode',
    'url encode python',
    'url encode space',
    'url decoder online',
    'url decode plain',
    // Invalid UTF-8, and a stray percent sign.
    'url decode %FF%FE',
    'url decode 100%25 of 50%',
    'encode url in javascript',
    'percent of people who vote',
    'percent encoding reserved characters list',
    'encoded message movie',
    'how to url encode a string',
  ],
}
