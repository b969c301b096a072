import type { AnswerTable } from '../answer-table.test-rules.ts'

const VERSION_4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/
// Begins with 2026-11-15T12:00:00Z.
const VERSION_7 = /^01a1df14-1e00-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

export const table: AnswerTable = {
  answers: [
    { q: 'generate uuid', matches: VERSION_4, has: { version: 4 } },
    { q: 'uuid generator', matches: VERSION_4 },
    { q: 'random uuid', matches: VERSION_4 },
    { q: 'new guid', matches: VERSION_4 },
    { q: 'uuid v4', matches: VERSION_4 },
    { q: 'UUIDv4', matches: VERSION_4 },
    { q: 'generate a random guid', matches: VERSION_4 },
    { q: 'uuid v7', matches: VERSION_7, has: { version: 7 } },
    { q: 'uuid7', matches: VERSION_7 },
    { q: 'generate uuid version 7', matches: VERSION_7 },
    { q: 'generate 3 uuids', matches: /^(?:[\da-f-]{36}, ){2}[\da-f-]{36}$/ },
    { q: '10 random uuids', matches: /^(?:[\da-f-]{36}, ){9}[\da-f-]{36}$/ },
    // The short form that people type.
    { q: 'uuid', matches: /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/, has: { version: 4 } },
    { q: 'guid', matches: /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/ },
  ],
  silent: [
    'uuids',
    'guids',
    'uuid npm',
    'uuid java',
    'uuid v4 vs v7 postgres',
    'uuid collision probability explained',
    'guid partition table',
    'ulid vs uuid',
    'uuid v5',
    'uuid v9',
    'what is a uuid',
    'generate 11 uuids',
    'generate 0 uuids',
    'python generate uuid',
    'uuid postgres default',
    'fluid dynamics',
  ],
}
