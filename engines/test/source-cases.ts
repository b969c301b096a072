// Every call and every health check of every data source, with a query that has what any of them asks for, and the replies in its fixtures: for
// the rules over all of them, and for the fuzzer.
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import type { EngineRequest, ProviderReply } from '../src/engine.ts'
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
  keepSeconds: number
  keyOf: (query: unknown) => string
  schema: z.ZodType
  request: (query: unknown, settings: Record<string, string>) => EngineRequest
  parse: (reply: ProviderReply, context: { query: unknown; now: number }) => unknown
}

/** A call, or the health check, which is called `probe` and has no query. */
export interface SourceReader extends Omit<Call, 'parse'> {
  parse: (reply: ProviderReply, query?: unknown) => unknown
}

type Exported = Partial<Call> & { probe?: Pick<Call, 'request' | 'parse'> }

const isCall = (value: Exported): value is Call => typeof value.parse === 'function' && value.schema !== undefined

/** Every call that the file of a source exports, and the source's health check. */
export async function sourceReaders(file: string): Promise<SourceReader[]> {
  const exports: Record<string, Exported> = await import(`../src/sources/${file}.ts`)
  const values = Object.values(exports)
  const probes = values.flatMap(({ probe }) =>
    probe ? [{ ...probe, name: 'probe', keepSeconds: 0, keyOf: () => '', schema: z.unknown() }] : [],
  )
  return [...values.filter(isCall), ...probes].map((call) => ({
    ...call,
    parse: (reply, query = SOURCE_QUERY) => call.parse(reply, { query, now: QUERY.now }),
  }))
}

/** Where its fixtures are: two files may share the replies of one provider. */
export const sourceFolder = (file: string): string => file.split('-')[0] ?? ''

/** All its fixtures, refusals too. */
export function sourceReplies(file: string): ProviderReply[] {
  const folder = sourceFolder(file)
  return globSync(`fixtures/sources/${folder}/*.json`, { cwd: ENGINES })
    .filter((fixture) => !fixture.endsWith('examples.json'))
    .sort()
    .map((fixture) => readFixture(`${folder}-${nameOf(fixture)}`, 'sources'))
}
