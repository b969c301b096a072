// `bowerbird audit`: lists security events, newest first.
import type { Command } from 'commander'
import { AUDIT_EVENTS } from '../audit/audit-event.ts'
import { administer } from './administer.ts'
import type { CliHost } from './cli-host.ts'
import { addExamples, JSON_OPTION, readLimit } from './command-parts.ts'
import type { PresentedEvent } from './operations.ts'
import { printList, readPages } from './output.ts'
import type { Column } from './table.ts'

interface AuditOptions {
  json?: boolean
  user?: string
  event?: string
  limit: number
}

const USUAL_LIMIT = 100

const COLUMNS: Column<PresentedEvent>[] = [
  { title: 'AT (UTC)', cell: ({ at }) => at.slice(0, 19).replace('T', ' ') },
  { title: 'EVENT', cell: ({ event }) => event },
  { title: 'OUTCOME', cell: ({ outcome }) => outcome },
  { title: 'USERNAME', cell: ({ username }) => username ?? '-' },
  { title: 'BY', cell: ({ actor, via }) => actor ?? (via === 'command line' ? '(command line)' : '-') },
  { title: 'NETWORK', cell: ({ network }) => network || '-' },
  { title: 'DETAIL', cell: ({ detail, key_id }) => [detail, key_id && `key ${key_id}`].filter(Boolean).join(' ') },
]

export function addAuditCommand(program: Command, host: CliHost): void {
  const audit = program
    .command('audit')
    .summary('list security events')
    .description(
      `List security events, newest first: sign-ins, and everything that changed accounts and keys. Events: ${AUDIT_EVENTS.join(', ')}.`,
    )
    .option('--user <username>', 'only events by or about this account')
    .option('--event <event>', 'only events of this kind')
    .option('--limit <number>', 'how many to list', readLimit, USUAL_LIMIT)
    .option(...JSON_OPTION)
    .action(async ({ json = false, user, event, limit }: AuditOptions) => {
      await administer(host, async (perform) => {
        const filter = { ...(user !== undefined && { username: user }), ...(event !== undefined && { event }) }
        await printList(host.stdout, {
          json,
          name: 'events',
          columns: COLUMNS,
          pages: readPages((place) => perform('audit-list', { ...filter, ...place }), { limit }),
          whenEmpty: 'No events found.',
        })
      })
    })
  addExamples(audit, [
    'bowerbird audit',
    'bowerbird audit --user alice --event sign-in --limit 1000',
    'bowerbird audit --json | jq -r \'.events[] | select(.outcome != "ok") | .at\'',
  ])
}
