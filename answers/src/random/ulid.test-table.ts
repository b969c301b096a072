import type { AnswerTable } from '../answer-table.test-rules.ts'

// Begins with 2026-11-15T12:00:00Z.
const ONE = /^01M7FH87G0[\dA-HJKMNP-TV-Z]{16}$/

export const table: AnswerTable = {
  answers: [
    { q: 'generate ulid', matches: ONE, has: { time: '2026-11-15T12:00:00.000Z' } },
    { q: 'ulid generator', matches: ONE },
    { q: 'random ulid', matches: ONE },
    { q: 'new ULID', matches: ONE },
    { q: 'create a ulid', matches: ONE },
    { q: 'generate 2 ulids', matches: /^01M7FH87G0[\dA-Z]{16}, 01M7FH87G0[\dA-Z]{16}$/ },
    {
      q: 'decode ulid 01ARZ3NDEKTSV4RRFFQ69G5FAV',
      text: '01ARZ3NDEKTSV4RRFFQ69G5FAV was made on 2016-07-30T23:54:10.259Z',
    },
    {
      q: 'timestamp of ulid 01arz3ndektsv4rrffq69g5fav',
      text: '01ARZ3NDEKTSV4RRFFQ69G5FAV was made on 2016-07-30T23:54:10.259Z',
    },
    {
      q: 'ulid 00000000000000000000000000',
      text: '00000000000000000000000000 was made on 1970-01-01T00:00:00.000Z',
    },
    {
      q: 'ulid 7ZZZZZZZZZZZZZZZZZZZZZZZZZ',
      text: '7ZZZZZZZZZZZZZZZZZZZZZZZZZ was made on +010889-08-02T05:31:50.655Z',
    },
  ],
  silent: [
    'ulid',
    'ulid vs uuid',
    'ulid postgres',
    'ulid python',
    'what is a ulid',
    'decode ulid',
    // Beyond the largest ULID, an invalid letter, one character too few.
    'decode ulid 8ZZZZZZZZZZZZZZZZZZZZZZZZZ',
    'decode ulid 01ARZ3NDEKTSV4RRFFQ69G5FAU',
    'decode ulid 01ARZ3NDEKTSV4RRFFQ69G5FA',
    'generate 50 ulids',
    'ulidia football',
    'bulid a house',
  ],
}
