// `bowerbird key …`: the API keys of an instance. A full key is printed only when it is created or rotated.
import { type Command, Option } from 'commander'
import { splitNetworks } from '../keys/allowed-networks.ts'
import { DEFAULT_SCOPES, READ_ANY_SCOPE, READ_LINKS_SCOPE, READ_SCOPE, type Scope } from '../keys/scopes.ts'
import type { CliHost } from './cli-host.ts'
import {
  addExamples,
  type Column,
  formatTimestamp,
  JSON_OPTION,
  LIMIT_OPTION,
  type ListOptions,
  performAndPrint,
  printList,
  readId,
} from './command-parts.ts'
import type { PresentedIssuedKey, PresentedKey } from './operations.ts'

interface NewKeyOptions {
  json?: boolean
  name?: string
  scopes?: string
  read?: string
  expires?: string
  networks?: string
  burst?: string
  sustained?: string
}

const KEY_ARGUMENT = ['<key>', 'its prefix, its id or the full key'] as const

const areDefaultScopes = (scopes: readonly string[]): boolean =>
  scopes.length === DEFAULT_SCOPES.length && DEFAULT_SCOPES.every((scope) => scopes.includes(scope))

const COLUMNS: Column<PresentedKey>[] = [
  { title: 'ID', cell: ({ id }) => id },
  { title: 'PREFIX', cell: ({ prefix }) => prefix },
  { title: 'USERNAME', cell: ({ username }) => username },
  { title: 'STATE', cell: ({ state }) => state },
  { title: 'SCOPES', cell: ({ scopes }) => (areDefaultScopes(scopes) ? 'all' : scopes.join(',')) },
  { title: 'CUSTOM LIMITS', cell: showLimits },
  { title: 'LAST USED (UTC)', cell: ({ last_used_at }) => formatTimestamp(last_used_at) },
  { title: 'EXPIRES (UTC)', cell: ({ expires_at }) => formatTimestamp(expires_at) },
  { title: 'NAME', cell: ({ name }) => name },
]

export function addKeyCommands(program: Command, host: CliHost): void {
  const key = program
    .command('key')
    .summary('create, list, rotate and revoke API keys')
    .description(
      'Manage the API keys of this instance. Each key has its own limits and usage; rotating it changes only the secret. The full key is shown once, when it is created or rotated.',
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
    .description('Create an API key for a user.')
    .argument('<username>')
    .option('--name <text>', 'what the key is for, as shown in lists')
    .option(
      '--scopes <list>',
      `what the key can be used for, out of ${DEFAULT_SCOPES.join(', ')} (default: all); search,address for a key that is sent as a part of a URL`,
    )
    .addOption(
      new Option(
        '--read <pages>',
        'let the key read pages as well: found, those that its own searches return; links, also those that a page it has read links to; any, every page it asks for',
      ).choices(Object.keys(READING)),
    )
    .option(
      '--expires <when>',
      'when the key expires: a duration (90d, 24h), a UTC day (2027-01-31, at 00:00) or never (default: after KEY_EXPIRY_DAYS, or never)',
    )
    .option(
      '--networks <list>',
      'the only networks the key works from, such as 192.0.2.0/24,2001:db8::/32 (default: any)',
    )
    .option('--burst <rate>', "short-term limit for this key, such as 120/min (default: the instance's)")
    .option('--sustained <rate>', "daily limit for this key, such as 20000/day (default: the instance's)")
    .option(...JSON_OPTION)
    .action(async (username: string, { json = false, scopes, read, networks, ...options }: NewKeyOptions) => {
      const chosen = {
        ...((scopes !== undefined || read !== undefined) && { scopes: chosenScopes(scopes, read) }),
        ...(networks !== undefined && { networks: splitNetworks(networks) }),
      }
      await performAndPrint(host, json, async (perform) => {
        const value = await perform('key-create', { username, ...options, ...chosen })
        const lines = [`Created key ${value.prefix} for ${value.username}.`, ...showFullKey(value, host.publicUrl)]
        return { value, lines }
      })
    })
  addExamples(create, [
    'bowerbird key create alice',
    'bowerbird key create alice --name laptop --expires 90d',
    'bowerbird key create alice --scopes search,answers --burst 120/min --sustained 20000/day',
    'bowerbird key create alice --read found',
    'bowerbird key create alice --networks 192.0.2.0/24',
    'bowerbird key create alice --json | jq -r .key',
  ])
}

const READING: Record<string, readonly Scope[]> = {
  found: [READ_SCOPE],
  links: [READ_SCOPE, READ_LINKS_SCOPE],
  any: [READ_SCOPE, READ_ANY_SCOPE],
}

/** `--read` adds to the other scopes. */
function chosenScopes(written: string | undefined, read: string | undefined): string[] {
  const scopes = written === undefined ? DEFAULT_SCOPES : written.split(/[\s,]+/).filter(Boolean)
  return [...new Set([...scopes, ...(READING[read ?? ''] ?? [])])]
}

function addList(key: Command, host: CliHost): void {
  const list = key
    .command('list')
    .description('List the keys of a user, or all keys, oldest first.')
    .argument('[username]')
    .option(...LIMIT_OPTION)
    .option('--after <id>', 'begin after the key with this id, such as the last one listed before', readId)
    .option(...JSON_OPTION)
    .action((username: string | undefined, options: ListOptions) =>
      printList(host, {
        ...options,
        name: 'keys',
        columns: COLUMNS,
        readPage: (perform, place) => perform('key-list', { ...(username !== undefined && { username }), ...place }),
        whenEmpty: 'No keys yet. Create one with: bowerbird key create <username>',
      }),
    )
  addExamples(list, [
    'bowerbird key list',
    'bowerbird key list alice',
    'bowerbird key list --limit 100 --after 4711',
    'bowerbird key list --json | jq -r \'.keys[] | select(.state == "active") | .prefix\'',
  ])
}

function addRotate(key: Command, host: CliHost): void {
  const rotate = key
    .command('rotate')
    .description(
      'Give a key a new secret. Its name, limits and usage stay the same. The old secret works until the grace period ends, so clients can switch without downtime.',
    )
    .argument(...KEY_ARGUMENT)
    .option('--grace <duration>', 'how long the old secret keeps working, such as 24h; 0s ends it immediately', '24h')
    .option(...JSON_OPTION)
    .action((written: string, { json = false, grace }: { json?: boolean; grace: string }) =>
      performAndPrint(host, json, async (perform) => {
        const value = await perform('key-rotate', { key: written, grace })
        const lines = [
          `Rotated key ${value.id} of ${value.username}. Its new prefix is ${value.prefix}.`,
          ...value.older_prefixes.map(
            ({ prefix, expires_at }) => `The old secret (${prefix}) works until ${formatTimestamp(expires_at)} UTC.`,
          ),
          ...showFullKey(value, host.publicUrl),
        ]
        return { value, lines }
      }),
    )
  addExamples(rotate, ['bowerbird key rotate 4fGh72Kq', 'bowerbird key rotate 4fGh72Kq --grace 0s'])
}

function addRevoke(key: Command, host: CliHost): void {
  const revoke = key
    .command('revoke')
    .description('Revoke a key and all its secrets for good. Within a second, every node answers it with 401.')
    .argument(...KEY_ARGUMENT)
    .option(...JSON_OPTION)
    .action((written: string, { json = false }: { json?: boolean }) =>
      performAndPrint(host, json, async (perform) => {
        const value = await perform('key-revoke', { key: written })
        return { value, lines: [`Revoked key ${value.prefix || value.id} of ${value.username}.`] }
      }),
    )
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
