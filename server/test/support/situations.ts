// The situations in which docs/connect/what-programs-show.md tells what programs show their users. Tests bring an instance
// into each of them, ask as the programs do, and hold what they show against that page.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { startTestInstance, type TestInstance } from './test-instance.ts'

const PAGE = resolve(import.meta.dirname, '../../../docs/connect/what-programs-show.md')

const REPLAYED = ' (replayed)'

/** What is asked: a search, one with a limit, a domain to leave out and dates, or the text of a page. */
export type Ask = 'search' | 'filters' | 'page'

export interface Asked {
  ask: Ask
  url: string
  key: string
  query: string
  /** One that the query finds, to be left out. */
  domain: string
}

interface Situation {
  /** The heading of its table. */
  name: string
  ask: Ask
  /** Brings it about; returns what differs from an ordinary search. */
  prepare?: (stage: Stage) => Promise<Partial<Asked>> | Partial<Asked>
}

interface Stage {
  server: TestInstance
  /** An instance whose engines have used up their budget. */
  spent: TestInstance
}

const UNLIMITED = { burst: '100000/min', sustained: '1000000/day' }
const ENGINES = ['brave', 'mojeek', 'marginalia'] as const
const QUERY = 'climate'
/** That nobody has asked before. */
const fresh = () => `${QUERY} ${randomUUID().slice(0, 8)}`

function failing({ server }: Stage, slugs: readonly string[]): Partial<Asked> {
  for (const slug of slugs) server.sandbox.setFault(slug, { kind: 'blocked' })
  return { query: fresh() }
}

export const SITUATIONS: readonly Situation[] = [
  { name: 'Limit, domains and dates', ask: 'filters' },
  { name: 'The text of a page', ask: 'page' },
  { name: 'A wrong key', ask: 'search', prepare: () => ({ key: 'bowerbird_wrong' }) },
  {
    name: 'The limit is reached',
    ask: 'search',
    async prepare({ server }) {
      const key = await server.createKey({ burst: '1/min' })
      await server.api.get('/api/v1/web/?q=climate', { key })
      return { key }
    },
  },
  { name: 'One engine is down', ask: 'search', prepare: (stage) => failing(stage, ['brave']) },
  { name: 'All engines are down', ask: 'search', prepare: (stage) => failing(stage, ENGINES) },
  {
    name: 'The budget is spent',
    ask: 'search',
    async prepare({ spent }) {
      await spent.api.get(`/api/v1/web/?q=${encodeURIComponent(fresh())}`)
      return { url: spent.url, key: spent.key, query: fresh() }
    },
  },
]

export async function openStage(
  settings: Record<string, string> = {},
): Promise<Stage & { close: () => Promise<void> }> {
  const caps = Object.fromEntries(ENGINES.map((slug) => [`${slug.toUpperCase()}_MONTHLY_CALLS`, '1']))
  const server = await startTestInstance(settings)
  const spent = await startTestInstance({ ...settings, ...caps })
  return {
    server,
    spent,
    async close() {
      await server.close()
      await spent.close()
    },
  }
}

/** What is sent in a situation. Faults last until the sandbox is reset. */
export async function askedIn(stage: Stage, { ask, prepare }: Situation): Promise<Asked> {
  const { server } = stage
  const { json } = await server.api.get(`/api/v1/web/?q=${QUERY}&date=y`)
  const domain = new URL(json.results[0].url).hostname.replace(/^www\./, '')
  const key = await server.createKey({ scopes: ['search', 'answers', 'read'], ...UNLIMITED })
  return { ask, url: server.url, key, query: QUERY, domain, ...(await prepare?.(stage)) }
}

/** Without what differs from run to run. */
export const asWritten = (shown: string): string =>
  shown
    .replace(/\d+ seconds/g, 'N seconds')
    .replace(/until [\d-]+ [\d:]+ UTC/g, 'until (time)')
    .replace(/\((?:blocked|keeps failing)\)/g, '(blocked)')
    .replace(/\s+/g, ' ')

/** The rows of the table below a heading, by program: of those that are replayed, or of the others. */
export function documented(heading: string, { isReplayed }: { isReplayed: boolean }): Record<string, string> {
  const [, section = ''] = readFileSync(PAGE, 'utf8').split(`\n## ${heading}\n`)
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| '))
  const cells = rows.slice(1).map((row) => row.slice(2, -2).split(' | '))
  return Object.fromEntries(
    cells
      .filter(([program = '']) => program.endsWith(REPLAYED) === isReplayed)
      .map(([program = '', shown = '']) => [
        program.replace(REPLAYED, '').replaceAll('`', ''),
        shown.replaceAll('`', ''),
      ]),
  )
}
