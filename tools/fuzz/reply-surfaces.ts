// What reads the replies of engines and data sources, from the same examples as their tests, and the addresses in them.
// It runs in the event loop.
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ProviderReply } from '@bowerbird/engines/engine.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { EVERY_READING, EVERY_SUGGEST, QUERY } from '../../engines/test/engine-cases.ts'
import { readFixture } from '../../engines/test/read-fixture.ts'
import { SOURCE_FILES, sourceReaders, sourceReplies } from '../../engines/test/source-cases.ts'
import { allowing, type Run, type Surface } from './surface.ts'

const ENGINES = resolve(import.meta.dirname, '../../engines')
/** UPSTREAM_MAX_BYTES, unless the operator sets another. */
const REPLY = { when: 'reply', limit: 2_000_000, boundMs: 500 } as const

const replyOf = (body: string): ProviderReply => ({ status: 200, headers: {}, body })

const engineReply = (name: string, fixture: string, parse: (reply: ProviderReply) => unknown): Surface => ({
  ...REPLY,
  name: `reply ${name}`,
  files: [...readingFiles(fixture.split('-')[0] ?? ''), ...PARSING],
  seeds: [readFixture(`${fixture}-page`).body, readFixture(`${fixture}-empty`).body],
  load: async () => unpolluted(allowing([UpstreamError], (text) => parse(replyOf(text)))),
})

/** The adapter, or what interprets documents. */
function readingFiles(slug: string): string[] {
  const adapters = globSync(`src/*/${slug}.ts`, { cwd: ENGINES })
  return (adapters.length === 0 ? INTERPRETER : adapters).map((file) => `engines/${file}`)
}

const INTERPRETER = ['engine-from', 'read-value', 'read-feed'].map((name) => `src/documents/${name}.ts`)
const PARSING = ['plain-text', 'http-address', 'dates', 'json-reply'].map((name) => `engines/src/parsing/${name}.ts`)

/** Every call of a source, one after the other. */
const sourceSurface = (file: string): Surface => ({
  ...REPLY,
  name: `reply source ${file}`,
  files: [`engines/src/sources/${file}.ts`, ...PARSING],
  seeds: sourceReplies(file).map(({ body }) => body),
  async load() {
    const readers = await sourceReaders(file)
    const runs = readers.map(({ parse }) => allowing([UpstreamError], (text) => parse(replyOf(text))))
    return unpolluted((text) => runs.map((run) => run(text)))
  },
})

/** Fails if the text has given a new member to all objects. */
const unpolluted =
  (run: Run): Run =>
  (text) => {
    const result = run(text)
    const [member] = Object.keys(Object.prototype)
    if (member !== undefined) throw new Error(`every object now has a member called ${member}`)
    return result
  }

export const REPLY_SURFACES: readonly Surface[] = [
  ...EVERY_READING.map(({ engine, name, fixture, tab }) =>
    engineReply(`${engine.slug} ${name}`, fixture, (reply) => tab.parse(reply, QUERY)),
  ),
  ...EVERY_SUGGEST.map(({ engine, fixture, parse }) => engineReply(`${engine.slug} suggest`, fixture, parse)),
  ...SOURCE_FILES.map(sourceSurface),
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
