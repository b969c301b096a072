// Every call and every health check of every data source, with a query that has what any of them asks for, and the replies in its fixtures: for
// the rules over all of them, and for the fuzzer.
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import type { ProviderReply } from '../src/engine.ts'
import { QUERY } from './engine-cases.ts'
import { readFixture } from './read-fixture.ts'

const ENGINES = resolve(import.meta.dirname, '..')

const nameOf = (file: string): string => file.replace(/^.*\//, '').replace(/\..*$/, '')

/** Their files: `wikipedia-articles`. */
export const SOURCE_FILES: readonly string[] = globSync('src/sources/*.ts', { cwd: ENGINES })
  .filter((file) => !file.endsWith('.test.ts'))
  .map(nameOf)
  .filter((file) => file !== 'all')
  .sort()

const SOURCE_QUERY = {
  ...QUERY,
  id: 'Q1',
  ids: ['Q1', 'Q2'],
  properties: ['P31', 'P569', 'P18'],
  codes: ['en', 'de'],
  word: 'tide',
  titles: ['Tide', 'Moon'],
  edition: 'en',
  questionId: 1,
  lat: 48.85,
  lon: 2.29,
  source: 'en',
  target: 'de',
  limit: 10,
}

interface Call {
  name: string
  schema: z.ZodType
  parse: (reply: ProviderReply, context: { query: unknown; now: number }) => unknown
}

export interface SourceReader {
  name: string
  schema: z.ZodType
  parse: (reply: ProviderReply) => unknown
}

type Exported = Partial<Call> & { probe?: Pick<Call, 'parse'> }

const isCall = (value: Exported): value is Call => typeof value.parse === 'function' && value.schema !== undefined

/** Every call that the file of a source exports, and the source's health check. */
export async function sourceReaders(file: string): Promise<SourceReader[]> {
  const exports: Record<string, Exported> = await import(`../src/sources/${file}.ts`)
  const values = Object.values(exports)
  const { now } = QUERY
  return [
    ...values.filter(isCall).map(({ name, schema, parse }) => ({
      name,
      schema,
      parse: (reply: ProviderReply) => parse(reply, { query: SOURCE_QUERY, now }),
    })),
    ...values.flatMap(({ probe }) => {
      if (!probe) return []
      const parse = (reply: ProviderReply) => probe.parse(reply, { query: null, now })
      return [{ name: 'probe', schema: z.unknown(), parse }]
    }),
  ]
}

/** All its fixtures, refusals too. */
export function sourceReplies(file: string): ProviderReply[] {
  const folder = file.split('-')[0] ?? ''
  return globSync(`fixtures/sources/${folder}/*.json`, { cwd: ENGINES })
    .sort()
    .map((fixture) => readFixture(`${folder}-${nameOf(fixture)}`, 'sources'))
}
