// `bowerbird user …`: the accounts of an instance.
import type { Command } from 'commander'
import { administer } from './administer.ts'
import type { CliHost } from './cli-host.ts'
import { addExamples, JSON_OPTION, LIMIT_OPTION, type ListOptions, PASSWORD_STDIN_OPTION } from './command-parts.ts'
import type { PresentedUser } from './operations.ts'
import { printList, printResult, readPages, showMoment } from './output.ts'
import { readPassword } from './read-password.ts'
import type { Column } from './table.ts'

interface UserOptions {
  json?: boolean
  admin?: boolean
  passwordStdin?: boolean
}

const COLUMNS: Column<PresentedUser>[] = [
  { title: 'USERNAME', cell: ({ username }) => username },
  { title: 'STATE', cell: ({ state }) => state },
  { title: 'ROLE', cell: ({ is_admin }) => (is_admin ? 'admin' : 'user') },
  { title: 'CREATED (UTC)', cell: ({ created_at }) => showMoment(created_at) },
]

export function addUserCommands(program: Command, host: CliHost): void {
  const user = program
    .command('user')
    .summary('create, list, disable and enable accounts')
    .description(
      'Manage the accounts of this instance. Every API key belongs to an account; disabling the account stops all its keys at once, and enabling it restores them.',
    )
  addExamples(user, [
    'bowerbird user create alice --admin',
    'bowerbird user list',
    'bowerbird user disable alice',
    'bowerbird user set-password alice',
  ])
  addCreate(user, host)
  addList(user, host)
  addSwitches(user, host)
  addSetPassword(user, host)
}

function addCreate(user: Command, host: CliHost): void {
  const create = user
    .command('create')
    .description('Create an account. Prompts for the password twice, or reads it from standard input.')
    .argument('<username>', 'letters, digits, dots, underscores and hyphens; not case-sensitive')
    .option('--admin', 'make the account an administrator')
    .option(...PASSWORD_STDIN_OPTION)
    .option(...JSON_OPTION)
    .action(async (username: string, options: UserOptions) => {
      const { json = false, admin = false, passwordStdin = false } = options
      const password = await readPassword(host, passwordStdin, create)
      await administer(host, async (perform) => {
        const value = await perform('user-create', { username, password, is_admin: admin })
        const kind = value.is_admin ? 'administrator' : 'user'
        const lines = [`Created ${kind} ${value.username}.`, `Next: bowerbird key create ${value.username}`]
        await printResult(host.stdout, { json, value, lines })
      })
    })
  addExamples(create, [
    'bowerbird user create alice',
    'bowerbird user create alice --admin',
    'bowerbird user create alice --password-stdin --json < password.txt',
  ])
}

function addList(user: Command, host: CliHost): void {
  const list = user
    .command('list')
    .description('List all accounts by name.')
    .option(...LIMIT_OPTION)
    .option('--after <username>', 'begin after this name, such as the last one listed before')
    .option(...JSON_OPTION)
    .action(async ({ json = false, ...part }: ListOptions) => {
      await administer(host, async (perform) => {
        await printList(host.stdout, {
          json,
          name: 'users',
          columns: COLUMNS,
          pages: readPages((place) => perform('user-list', place), part),
          whenEmpty: 'No users yet. Create one with: bowerbird user create <username>',
        })
      })
    })
  addExamples(list, ['bowerbird user list', "bowerbird user list --json | jq -r '.users[].username'"])
}

function addSwitches(user: Command, host: CliHost): void {
  const switches = [
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
  for (const { verb, operation, description, outcome } of switches) {
    const command = user
      .command(verb)
      .description(description)
      .argument('<username>')
      .option(...JSON_OPTION)
      .action(async (username: string, { json = false }: UserOptions) => {
        await administer(host, async (perform) => {
          const value = await perform(operation, { username })
          await printResult(host.stdout, { json, value, lines: [`${value.username} ${outcome}`] })
        })
      })
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
      await administer(host, async (perform) => {
        const value = await perform('user-set-password', { username, password })
        await printResult(host.stdout, { json, value, lines: [`Changed the password of ${value.username}.`] })
      })
    })
  addExamples(command, [
    'bowerbird user set-password alice',
    'bowerbird user set-password alice --password-stdin < password.txt',
  ])
}
