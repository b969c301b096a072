import type { AnswerTable } from '../answer-table.test-rules.ts'

const TEAPOT = "HTTP 418 I'm a Teapot: A teapot was asked to brew coffee; an April joke of 1998."
const NOT_FOUND = 'HTTP 404 Not Found: There is nothing at this address.'

export const table: AnswerTable = {
  answers: [
    { q: 'http 404', text: NOT_FOUND, has: { code: 404, name: 'Not Found', class: 'client error' } },
    { q: '404 status code', text: NOT_FOUND },
    { q: 'HTTP status 404', text: NOT_FOUND },
    { q: 'http error 404', text: NOT_FOUND },
    { q: 'status code 418', text: TEAPOT },
    { q: 'what is http 418?', text: TEAPOT },
    { q: 'http status code 200', text: 'HTTP 200 OK: The request succeeded.', has: { class: 'success' } },
    { q: '301 http', text: 'HTTP 301 Moved Permanently: The content has moved for good to another address.' },
    { q: 'response code 429', text: 'HTTP 429 Too Many Requests: The client sent too many requests in a given time.' },
    {
      q: '503 http status code meaning',
      text: 'HTTP 503 Service Unavailable: The server cannot answer now; it is overloaded or under maintenance.',
    },
    { q: 'http 226', text: 'HTTP 226 IM Used', has: { meaning: '' } },
    {
      q: 'what does status code 502 mean',
      text: 'HTTP 502 Bad Gateway: A server behind the gateway gave an invalid answer.',
    },
  ],
  silent: [
    '404',
    '200',
    '404 page design',
    'error 404',
    'room 404',
    'http 502 bad gateway nginx fix',
    '403 forbidden apache permissions',
    'http 418 teapot shirt',
    'http 3 adoption',
    'http 299',
    'http 999',
    'http 1.1 vs http 2',
    'levis 501',
    'fiat 500 electric range',
    'status code',
    'erreur 404 wordpress',
    'http 404 wordpress permalink',
  ],
}
