// What the sandbox makes of words: fixtures/phrases.json has a table for each function.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { languageOfQuery } from './languages.ts'
import { guessLanguage, translatePhrases } from './phrasebook.ts'
import { correctSpelling } from './spelling.ts'
import { subjectOf } from './subject.ts'

const TABLES = JSON.parse(readFileSync(new URL('../../fixtures/phrases.json', import.meta.url), 'utf8'))

describe.each(Object.entries({ languageOfQuery, guessLanguage, translatePhrases, correctSpelling, subjectOf }))(
  '%s',
  (name, read: (given: never) => unknown) => {
    it.each<[never, unknown]>(TABLES[name])('of %j is %j', (given, expected) => {
      expect(read(given) ?? null).toBe(expected)
    })
  },
)
