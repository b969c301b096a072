// `bowerbird backup` and `bowerbird restore`. The database is read where it's open: by this process, or by the instance
// that owns the data folder. This process writes the file in either case, and creates it before it acts as the owner of
// the folder: so the path is one that the caller can write, and need not be one that the instance can. A restore needs
// exclusive access to the database.
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { recordEvent } from '../audit/audit-log.ts'
import { codeOf, Refusal } from '../errors.ts'
import { type BackupOptions, type BackupSummary, createBackupFile } from '../store/backup.ts'
import { DataFolderInUse } from '../store/data-folder.ts'
import { restoreBackup } from '../store/restore.ts'
import { administer } from './administer.ts'
import type { CliHost } from './cli-host.ts'
import { addExamples, JSON_OPTION, printResult } from './command-parts.ts'
import { backUp } from './operations.ts'

const STANDARD_STREAM = '-'

export function addBackupCommands(program: Command, host: CliHost): void {
  const backup = program
    .command('backup')
    .argument('<file>', 'the file to write, or - for standard output')
    .summary('write a backup of everything in the database')
    .description(
      'Write a backup of everything in the database: accounts, keys, usage and security events. It works while the instance runs, and is a consistent snapshot. Protect the file like a password file. The secret that encrypts second factors and provider keys is not in it: keep INSTANCE_SECRET elsewhere, or, if you have not set one, add --with-secret to include the one in the database. A database without accounts is refused unless you add --force.',
    )
    .option('--force', 'back up a database without accounts')
    .option('--with-secret', 'include the secret that encrypts second factors and provider keys')
    .option(...JSON_OPTION)
    .action((file: string, options: CommandOptions & { withSecret?: boolean }) => runBackup(host, file, options))
  addExamples(backup, ['bowerbird backup bowerbird.backup', 'bowerbird backup - | age -r age1… > bowerbird.backup.age'])

  const restore = program
    .command('restore')
    .argument('<file>', 'a file made by bowerbird backup, or - for standard input')
    .summary('restore a backup into this database')
    .description(
      'Restore a backup into the database of this instance, which may be of the other kind: a backup of the built-in database can be restored into PostgreSQL. Stop the instance first. A database with accounts is refused unless you add --force, which replaces everything in it. Passwords, second factors and keys are then those of the backup, even if they were changed or revoked since; everyone is signed out.',
    )
    .option('--force', 'replace whatever the database holds')
    .option(...JSON_OPTION)
    .action((file: string, options: CommandOptions) => runRestore(host, file, options))
  addExamples(restore, [
    'bowerbird restore bowerbird.backup',
    'DATABASE_URL=postgres://… bowerbird restore bowerbird.backup',
  ])
}

interface CommandOptions {
  json?: boolean
  force?: boolean
}

async function runBackup(
  host: CliHost,
  file: string,
  { json = false, force = false, withSecret = false }: CommandOptions & { withSecret?: boolean },
): Promise<void> {
  const options = { force, withSecret }
  if (file === STANDARD_STREAM) {
    // This stream can be ended, unlike standard output.
    await backUpTo(host, new Writable({ write: (chunk, _, done) => void host.stdout.write(chunk, done) }), options)
    return
  }
  const { tables, rows } = await createBackupFile(resolve(file), (output) => backUpTo(host, output, options))
  await printResult(host, json, { value: { tables, rows }, lines: [`Backed up ${rows} rows of ${tables} tables.`] })
}

/** Ends `output`. */
const backUpTo = (host: CliHost, output: Writable, options: BackupOptions): Promise<BackupSummary> =>
  host.onData(async () => {
    try {
      const { access, close } = await host.openAccess()
      try {
        return await backUp({ ...access, systemUser: host.systemUser }, output, options)
      } finally {
        await close()
      }
    } catch (error) {
      if (!(error instanceof DataFolderInUse)) throw error
      return await copyFromInstance(host, output, options)
    }
  })

/** Lets the instance write the backup to a file in the data folder, and copies that to `output`. */
async function copyFromInstance(
  host: CliHost,
  output: Writable,
  { force, withSecret }: BackupOptions,
): Promise<BackupSummary> {
  const path = join(resolve(host.dataFolder), `backup-${randomBytes(6).toString('hex')}`)
  return await administer(host, async (perform) => {
    const summary = await perform('backup', { path, force, with_secret: withSecret })
    try {
      await pipeline(createReadStream(path), output)
    } finally {
      await rm(path, { force: true })
    }
    return summary
  })
}

async function runRestore(host: CliHost, file: string, { json = false, force = false }: CommandOptions): Promise<void> {
  const input = file === STANDARD_STREAM ? host.stdin : (await openFile(file)).createReadStream()
  try {
    const { tables, rows, unreadable } = await host.onData(async () => {
      const { access, close } = await host.openAccess({ mayCreate: true })
      try {
        const record = (db: typeof access.db) =>
          recordEvent({ ...access, db, systemUser: host.systemUser }, { event: 'restore' })
        const summary = await restoreBackup(access.db, input, { force, record })
        return { ...summary, unreadable: (await access.settings.read()).unreadable }
      } finally {
        await close()
      }
    })
    const lines = [
      `Restored ${rows} rows of ${tables} tables.`,
      'Before you start an instance on Redis, empty its Redis database: it still refers to the old key numbers.',
      ...(unreadable.length > 0
        ? [
            `This instance has another secret than the backup. Restore its secret, or set these keys again with bowerbird config set: ${unreadable.join(', ')}.`,
          ]
        : []),
    ]
    await printResult(host, json, { value: { tables, rows, keys_to_set_again: unreadable }, lines })
  } catch (error) {
    if (error instanceof DataFolderInUse)
      throw new Refusal('conflict', `${error.message} Stop it before you restore a backup.`)
    throw error
  } finally {
    input.destroy()
  }
}

async function openFile(file: string) {
  try {
    return await open(file)
  } catch (error) {
    throw new Refusal('parameter_invalid', `${file} cannot be read (${codeOf(error)}).`)
  }
}
