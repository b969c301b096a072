// What reads the replies of engines and data sources, from the same examples as their tests, and the addresses in them.
// It runs in the event loop.
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { ProviderReply } from '@bowerbird/engines/engine.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { EVERY_READING, EVERY_SUGGEST, QUERY } from '../../engines/test/engine-cases.ts'
import { readFixture } from '../../engines/test/read-fixture.ts'
import { allowing, type Surface } from './surface.ts'

const ENGINES = resolve(import.meta.dirname, '../../engines')
/** UPSTREAM_MAX_BYTES, unless the operator sets another. */
const REPLY = { when: 'reply', limit: 2_000_000, boundMs: 500 } as const

const replyOf = (body: string): ProviderReply => ({ status: 200, headers: {}, body })

const engineReply = (name: string, fixture: string, parse: (reply: ProviderReply) => unknown): Surface => ({
  ...REPLY,
  name: `reply ${name}`,
  files: [
    ...globSync(`src/*/${fixture.split('-')[0]}.ts`, { cwd: ENGINES }).map((file) => `engines/${file}`),
    ...PARSING,
  ],
  seeds: [readFixture(`${fixture}-page`).body, readFixture(`${fixture}-empty`).body],
  load: async () => allowing([UpstreamError], (text) => parse(replyOf(text))),
})

const PARSING = ['plain-text', 'http-address', 'dates', 'json-reply'].map((name) => `engines/src/parsing/${name}.ts`)

/** Has what any call of a source asks for. */
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

interface ReplyReader {
  parse: (reply: ProviderReply, context: { query: unknown; now: number }) => unknown
}

/** Every call that the file of a source exports, one after the other. */
const sourceReplies = (file: string): Surface => ({
  ...REPLY,
  name: `reply source ${file}`,
  files: [`engines/src/sources/${file}.ts`, ...PARSING],
  seeds: globSync(`fixtures/sources/${file.split('-')[0]}/*.json`, { cwd: ENGINES }).map(bodyOf),
  async load() {
    const exports: Record<string, Partial<ReplyReader>> = await import(`@bowerbird/engines/sources/${file}.ts`)
    const context = { query: SOURCE_QUERY, now: QUERY.now }
    const calls = Object.values(exports).filter((call): call is ReplyReader => typeof call?.parse === 'function')
    const runs = calls.map((call) => allowing([UpstreamError], (text) => call.parse(replyOf(text), context)))
    return (text) => runs.map((run) => run(text))
  },
})

function bodyOf(file: string): string {
  const { body }: { body: unknown } = JSON.parse(readFileSync(join(ENGINES, file), 'utf8'))
  return typeof body === 'string' ? body : JSON.stringify(body)
}

const SOURCES = globSync('src/sources/*.ts', { cwd: ENGINES })
  .map((file) => file.slice('src/sources/'.length, -'.ts'.length))
  .filter((file) => !file.endsWith('.test') && file !== 'all')
  .sort()

export const REPLY_SURFACES: readonly Surface[] = [
  ...EVERY_READING.map(({ engine, name, fixture, tab }) =>
    engineReply(`${engine.slug} ${name}`, fixture, (reply) => tab.parse(reply, QUERY)),
  ),
  ...EVERY_SUGGEST.map(({ engine, fixture, parse }) => engineReply(`${engine.slug} suggest`, fixture, parse)),
  ...SOURCES.map(sourceReplies),
  {
    ...REPLY,
    name: 'address of a result',
    limit: 2_048,
    boundMs: 1,
    files: ['server/src/text/canonical-address.ts', 'engines/src/parsing/http-address.ts'],
    seeds: [
      'https://www.example.org:443/a/b/?utm_source=x&q=1#/route',
      'http://192.168.0.1/%2e%2e/a?b#c',
      'https://xn--a.example/é',
    ],
    async load() {
      const { canonicalAddress } = await import('../../server/src/text/canonical-address.ts')
      const { hostOf, httpAddress, pictureAddress } = await import('@bowerbird/engines/parsing/http-address.ts')
      return (text) => [httpAddress(text), pictureAddress(text), hostOf(text), canonicalAddress(text)]
    },
  },
]
