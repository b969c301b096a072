// `bowerbird key …`: the API keys of an instance. A full key is printed when it is issued and at no other time.
import type { Command } from 'commander'
import { SCOPES } from '../access/scopes.ts'
import { administer } from './administer.ts'
import type { CliHost } from './cli-host.ts'
import { addExamples, JSON_OPTION } from './command-parts.ts'
import type { PresentedIssuedKey, PresentedKey } from './operations.ts'
import { printList, printResult, readPages, showMoment } from './output.ts'
import type { Column } from './table.ts'

interface NewKeyOptions {
  json?: boolean
  name?: string
  scopes?: string
  expires?: string
  burst?: string
  sustained?: string
}

const KEY_ARGUMENT = ['<key>', 'its prefix, its id, or the full key as it was found'] as const

const COLUMNS: Column<PresentedKey>[] = [
  { title: 'ID', cell: ({ id }) => id },
  { title: 'PREFIX', cell: ({ prefix }) => prefix },
  { title: 'USERNAME', cell: ({ username }) => username },
  { title: 'STATE', cell: ({ state }) => state },
  { title: 'SCOPES', cell: ({ scopes }) => (scopes.length === SCOPES.length ? 'all' : scopes.join(',')) },
  { title: 'OWN LIMITS', cell: showLimits },
  { title: 'LAST USED (UTC)', cell: ({ last_used_at }) => showMoment(last_used_at) },
  { title: 'EXPIRES (UTC)', cell: ({ expires_at }) => showMoment(expires_at) },
  { title: 'NAME', cell: ({ name }) => name },
]

export function addKeyCommands(program: Command, host: CliHost): void {
  const key = program
    .command('key')
    .summary('issue, list, rotate and revoke API keys')
    .description(
      'The API keys of this instance. A key carries its own limits and usage; rotating it changes the secret and nothing else. The full key is shown once, when it is issued.',
    )
  addExamples(key, [
    'bowerbird key create alice --name laptop',
    'bowerbird key list alice',
    'bowerbird key rotate 4fGh72Kq --grace 24h',
    'bowerbird key revoke 4fGh72Kq',
  ])
  addCreate(key, host)
  addList(key, host)
  addRotate(key, host)
  addRevoke(key, host)
}

function addCreate(key: Command, host: CliHost): void {
  const create = key
    .command('create')
    .description('Issue a key to a user.')
    .argument('<username>')
    .option('--name <text>', 'what it is for, as it appears in lists')
    .option('--scopes <list>', `what it may be used for, of ${SCOPES.join(', ')} (default: all)`)
    .option('--expires <when>', 'a duration (90d, 24h) or a UTC day (2027-01-31, from 00:00 on) (default: never)')
    .option('--burst <rate>', "own short-term limit, such as 120/min (default: the instance's)")
    .option('--sustained <rate>', "own daily limit, such as 20000/day (default: the instance's)")
    .option(...JSON_OPTION)
    .action(async (username: string, { json = false, scopes, ...options }: NewKeyOptions) => {
      const chosen = scopes === undefined ? {} : { scopes: scopes.split(/[\s,]+/).filter(Boolean) }
      await administer(host, async (perform) => {
        const value = await perform('key-create', { username, ...options, ...chosen })
        const lines = [`Created key ${value.prefix} for ${value.username}.`, ...showFullKey(value, host.publicUrl)]
        await printResult(host.stdout, { json, value, lines })
      })
    })
  addExamples(create, [
    'bowerbird key create alice',
    'bowerbird key create alice --name laptop --expires 90d',
    'bowerbird key create alice --scopes search,answers --burst 120/min --sustained 20000/day',
    'bowerbird key create alice --json | jq -r .key',
  ])
}

function addList(key: Command, host: CliHost): void {
  const list = key
    .command('list')
    .description('List the keys of a user, or all keys, in the order they were created.')
    .argument('[username]')
    .option(...JSON_OPTION)
    .action(async (username: string | undefined, { json = false }: { json?: boolean }) => {
      const filter = username === undefined ? {} : { username }
      await administer(host, async (perform) => {
        await printList(host.stdout, {
          json,
          name: 'keys',
          columns: COLUMNS,
          pages: readPages((place) => perform('key-list', { ...filter, ...place })),
          whenEmpty: 'There are no keys yet. Create one: bowerbird key create <username>',
        })
      })
    })
  addExamples(list, [
    'bowerbird key list',
    'bowerbird key list alice',
    'bowerbird key list --json | jq -r \'.keys[] | select(.state == "active") | .prefix\'',
  ])
}

function addRotate(key: Command, host: CliHost): void {
  const rotate = key
    .command('rotate')
    .description(
      'Issue a new secret for a key. Its name, limits and usage stay; the older secret works until the grace ends, so that clients can be changed without a gap.',
    )
    .argument(...KEY_ARGUMENT)
    .option('--grace <duration>', 'how long the older secret goes on working, such as 24h; 0s ends it at once', '24h')
    .option(...JSON_OPTION)
    .action(async (written: string, { json = false, grace }: { json?: boolean; grace: string }) => {
      await administer(host, async (perform) => {
        const value = await perform('key-rotate', { key: written, grace })
        const lines = [
          `Key ${value.id} of ${value.username} is ${value.prefix} now.`,
          ...value.older_prefixes.map(
            ({ prefix, expires_at }) => `${prefix} goes on working until ${showMoment(expires_at)} UTC.`,
          ),
          ...showFullKey(value, host.publicUrl),
        ]
        await printResult(host.stdout, { json, value, lines })
      })
    })
  addExamples(rotate, ['bowerbird key rotate 4fGh72Kq', 'bowerbird key rotate 4fGh72Kq --grace 0s'])
}

function addRevoke(key: Command, host: CliHost): void {
  const revoke = key
    .command('revoke')
    .description('End a key for good, with every secret it has. It is answered 401 within a second, on every node.')
    .argument(...KEY_ARGUMENT)
    .option(...JSON_OPTION)
    .action(async (written: string, { json = false }: { json?: boolean }) => {
      await administer(host, async (perform) => {
        const value = await perform('key-revoke', { key: written })
        const lines = [`Key ${value.prefix || value.id} of ${value.username} is revoked.`]
        await printResult(host.stdout, { json, value, lines })
      })
    })
  addExamples(revoke, ['bowerbird key revoke 4fGh72Kq'])
}

function showLimits({ burst, sustained }: PresentedKey): string {
  return [burst, sustained].filter((rate) => rate !== null).join(' ') || '-'
}

function showFullKey({ key }: PresentedIssuedKey, publicUrl: string | undefined): string[] {
  const shown = ['', `  ${key}`, '', 'Copy it now: it will not be shown again.']
  if (!publicUrl) return shown
  return [...shown, '', 'Try it:', `  curl -H 'Authorization: Api-Key ${key}' '${publicUrl}/api/v1/key/'`]
}
