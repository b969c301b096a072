// `bowerbird user …`: the accounts of an instance; and `bowerbird audit`: the security events.
import { confirm, isCancel, password as promptPassword } from '@clack/prompts'
import { type Command, Option } from 'commander'
import { AUDIT_EVENTS } from '../audit/audit-event.ts'
import { Refusal } from '../errors.ts'
import { administer } from './administer.ts'
import type { CliHost } from './cli-host.ts'
import {
  addExamples,
  type Column,
  cancelled,
  formatTimestamp,
  JSON_OPTION,
  LIMIT_OPTION,
  type ListOptions,
  performAndPrint,
  printList,
  printResult,
  readFirstLine,
  readLimit,
} from './command-parts.ts'
import type { Perform, PresentedEvent, PresentedUser } from './operations.ts'

interface UserOptions {
  json?: boolean
  admin?: boolean
  service?: boolean
  passwordStdin?: boolean
  yes?: boolean
  days?: number
}

const PASSWORD_STDIN_OPTION = ['--password-stdin', 'read the password from the first line of standard input'] as const

const USER_COLUMNS: Column<PresentedUser>[] = [
  { title: 'USERNAME', cell: ({ username }) => username },
  { title: 'STATE', cell: ({ state }) => state },
  { title: 'ROLE', cell: ({ is_admin, is_service }) => (is_service ? 'service' : is_admin ? 'admin' : 'user') },
  { title: 'CREATED (UTC)', cell: ({ created_at }) => formatTimestamp(created_at) },
]

export function addUserCommands(program: Command, host: CliHost): void {
  const user = program
    .command('user')
    .summary('create, list, disable, enable and delete accounts')
    .description(
      'Manage the accounts of this instance. Every API key belongs to an account; disabling the account stops all its keys immediately, and enabling it restores them.',
    )
  addExamples(user, [
    'bowerbird user create alice --admin',
    'bowerbird user list',
    'bowerbird user disable alice',
    'bowerbird user set-password alice',
    'bowerbird user delete alice',
  ])
  addCreate(user, host)
  addList(user, host)
  addDisableAndEnable(user, host)
  addSetPassword(user, host)
  addDelete(user, host)
}

function addCreate(user: Command, host: CliHost): void {
  const create = user
    .command('create')
    .description(
      'Create an account. Prompts for the password twice, or reads it from standard input. The account of a service has none: it owns keys and never signs in.',
    )
    .argument('<username>', 'letters, digits, dots, underscores and hyphens; not case-sensitive')
    .option('--admin', 'make the account an administrator')
    .addOption(
      new Option('--service', 'an account that owns keys and cannot sign in').conflicts(['admin', 'passwordStdin']),
    )
    .option(...PASSWORD_STDIN_OPTION)
    .option(...JSON_OPTION)
    .action(async (username: string, options: UserOptions) => {
      const { json = false, admin = false, service = false, passwordStdin = false } = options
      const password = service ? '' : await readPassword(host, passwordStdin, create)
      const createAccount = (perform: Perform) =>
        service
          ? perform('service-create', { username })
          : perform('user-create', { username, password, is_admin: admin })
      // The first account may be created before the first start.
      const value = await administer(host, createAccount, true)
      const kind = value.is_service ? 'service' : value.is_admin ? 'administrator' : 'user'
      const lines = [`Created ${kind} ${value.username}.`, `Next: bowerbird key create ${value.username}`]
      await printResult(host, json, { value, lines })
    })
  addExamples(create, [
    'bowerbird user create alice',
    'bowerbird user create alice --admin',
    'bowerbird user create alice --password-stdin --json < password.txt',
    'bowerbird user create home-assistant --service',
  ])
}

function addDelete(user: Command, host: CliHost): void {
  const command = user
    .command('delete')
    .description(
      'Delete an account with everything it has: keys, sessions, settings, rules, feeds, usage and security events. This cannot be undone. The last administrator cannot be deleted.',
    )
    .argument('<username>')
    .option('--yes', 'do not ask')
    .option(...JSON_OPTION)
    .action(async (username: string, { json = false, yes = false }: UserOptions) => {
      if (!yes) await confirmDeletion(host, username, command)
      await performAndPrint(host, json, async (perform) => ({
        value: await perform('user-delete', { username }),
        lines: [`Deleted ${username}.`],
      }))
    })
  addExamples(command, ['bowerbird user delete alice', 'bowerbird user delete alice --yes'])
}

async function confirmDeletion({ stdin, stderr }: CliHost, username: string, command: Command): Promise<void> {
  if (!stdin.isTTY) command.error('error: no terminal to ask for a confirmation. Add --yes to delete the account')
  const message = `Delete ${username} with all keys and settings? This cannot be undone.`
  const answer = await confirm({ input: stdin, output: stderr, message, initialValue: false })
  if (isCancel(answer) || !answer) throw cancelled()
}

function addList(user: Command, host: CliHost): void {
  const list = user
    .command('list')
    .description('List all accounts by name.')
    .option(...LIMIT_OPTION)
    .option('--after <username>', 'begin after this name, such as the last one listed before')
    .option(...JSON_OPTION)
    .action((options: ListOptions) =>
      printList(host, {
        ...options,
        name: 'users',
        columns: USER_COLUMNS,
        readPage: (perform, place) => perform('user-list', place),
        whenEmpty: 'No users yet. Create one with: bowerbird user create <username>',
      }),
    )
  addExamples(list, ['bowerbird user list', "bowerbird user list --json | jq -r '.users[].username'"])
}

function addDisableAndEnable(user: Command, host: CliHost): void {
  const commands = [
    {
      verb: 'disable',
      operation: 'user-disable',
      description: 'Disable an account. Its keys get 403 from now on. Nothing is deleted.',
      outcome: 'is disabled. Their keys are now refused.',
    },
    {
      verb: 'enable',
      operation: 'user-enable',
      description: 'Enable a disabled account. Its keys work again unless revoked or expired.',
      outcome: 'is enabled.',
    },
  ] as const
  for (const { verb, operation, description, outcome } of commands) {
    const command = user
      .command(verb)
      .description(description)
      .argument('<username>')
      .option(...JSON_OPTION)
      .action((username: string, { json = false }: UserOptions) =>
        performAndPrint(host, json, async (perform) => {
          const value = await perform(operation, { username })
          return { value, lines: [`${value.username} ${outcome}`] }
        }),
      )
    addExamples(command, [`bowerbird user ${verb} alice`])
  }
}

function addSetPassword(user: Command, host: CliHost): void {
  const command = user
    .command('set-password')
    .description('Set a new password for an account. This signs the user out everywhere; the keys keep working.')
    .argument('<username>')
    .option(...PASSWORD_STDIN_OPTION)
    .option(...JSON_OPTION)
    .action(async (username: string, { json = false, passwordStdin = false }: UserOptions) => {
      const password = await readPassword(host, passwordStdin, command)
      await performAndPrint(host, json, async (perform) => {
        const value = await perform('user-set-password', { username, password })
        return { value, lines: [`Changed the password of ${value.username}.`] }
      })
    })
  addExamples(command, [
    'bowerbird user set-password alice',
    'bowerbird user set-password alice --password-stdin < password.txt',
  ])
}

/**
 * Reads a password from the terminal, asking twice, or from standard input. Never from the command line: arguments are
 * visible to every user of the machine and stay in the shell history.
 */
async function readPassword(host: CliHost, fromStdin: boolean, command: Command): Promise<string> {
  if (fromStdin) return await readPasswordLine(host)
  if (host.stdin.isTTY) return await promptTwice(host)
  return command.error(
    'error: no terminal to prompt for the password. Pipe it to standard input and add --password-stdin',
  )
}

async function readPasswordLine(host: CliHost): Promise<string> {
  const line = await readFirstLine(host)
  if (line !== '') return line
  throw new Refusal('parameter_invalid', {
    password: ['The first line of standard input is empty. Put the password there.'],
  })
}

/** Prompts go to standard error, because standard output is for the result. */
async function promptTwice({ stdin, stderr }: CliHost): Promise<string> {
  const streams = { input: stdin, output: stderr }
  const first = await promptPassword({
    ...streams,
    message: 'Password',
    validate: (text) => (text ? undefined : 'Enter a password.'),
  })
  if (isCancel(first)) throw cancelled()
  const second = await promptPassword({
    ...streams,
    message: 'Confirm password',
    validate: (text) => (text === first ? undefined : 'The passwords do not match.'),
  })
  if (isCancel(second)) throw cancelled()
  return second
}

interface AuditOptions {
  json?: boolean
  user?: string
  event?: string
  limit: number
}

const DEFAULT_LIMIT = 100

const EVENT_COLUMNS: Column<PresentedEvent>[] = [
  { title: 'AT (UTC)', cell: ({ at }) => at.slice(0, 19).replace('T', ' ') },
  { title: 'EVENT', cell: ({ event }) => event },
  { title: 'OUTCOME', cell: ({ outcome }) => outcome },
  { title: 'USERNAME', cell: ({ username }) => username ?? '-' },
  {
    title: 'BY',
    cell: ({ actor, via, system_user }) => actor ?? (via === 'website' ? '-' : `(${system_user ?? via})`),
  },
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
    .option('--limit <number>', 'how many to list', readLimit, DEFAULT_LIMIT)
    .option(...JSON_OPTION)
    .action(({ user, event, ...options }: AuditOptions) => {
      const filter = { ...(user !== undefined && { username: user }), ...(event !== undefined && { event }) }
      return printList(host, {
        ...options,
        name: 'events',
        columns: EVENT_COLUMNS,
        readPage: (perform, place) => perform('audit-list', { ...filter, ...place }),
        whenEmpty: 'No events found.',
      })
    })
  addExamples(audit, [
    'bowerbird audit',
    'bowerbird audit --user alice --event sign-in --limit 1000',
    'bowerbird audit --json | jq -r \'.events[] | select(.outcome != "ok") | .at\'',
  ])
}
