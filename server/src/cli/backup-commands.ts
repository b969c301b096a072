// `bowerbird backup` and `bowerbird restore`. A backup is made where the database is open: by this process, or by the
// instance that owns the data folder, which then writes the file itself. A restore needs exclusive access to the
// database.
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { Refusal } from '../errors.ts'
import { writeBackup } from '../postgres/backup.ts'
import { DataFolderInUse } from '../postgres/data-folder.ts'
import { restoreBackup } from '../postgres/restore.ts'
import { administer } from './administer.ts'
import type { CliHost } from './cli-host.ts'
import { addExamples, JSON_OPTION, performAndPrint, printResult } from './command-parts.ts'

const STANDARD_STREAM = '-'

export function addBackupCommands(program: Command, host: CliHost): void {
  const backup = program
    .command('backup')
    .argument('<file>', 'the file to write, or - for standard output')
    .summary('write a backup of everything in the database')
    .description(
      'Write a backup of everything in the database: accounts, keys, sessions, usage and security events. It works while the instance runs, and is one moment of the database. Protect the file like a password file. INSTANCE_SECRET is not in it if you have set one.',
    )
    .option(...JSON_OPTION)
    .action((file: string, { json = false }: { json?: boolean }) => runBackup(host, file, json))
  addExamples(backup, ['bowerbird backup bowerbird.backup', 'bowerbird backup - | age -r age1… > bowerbird.backup.age'])

  const restore = program
    .command('restore')
    .argument('<file>', 'a file made by bowerbird backup, or - for standard input')
    .summary('restore a backup into this database')
    .description(
      'Restore a backup into the database of this instance, which may be of the other kind: a backup of the built-in database can be restored into PostgreSQL. Stop the instance first. A database with accounts is refused unless you add --force, which replaces everything in it.',
    )
    .option('--force', 'replace whatever the database holds')
    .option(...JSON_OPTION)
    .action((file: string, { json = false, force = false }: { json?: boolean; force?: boolean }) =>
      runRestore(host, file, { json, force }),
    )
  addExamples(restore, [
    'bowerbird restore bowerbird.backup',
    'DATABASE_URL=postgres://… bowerbird restore bowerbird.backup',
  ])
}

async function runBackup(host: CliHost, file: string, json: boolean): Promise<void> {
  if (file === STANDARD_STREAM) return await backUpToOutput(host)
  await performAndPrint(host, json, async (perform) => {
    const { tables, rows } = await perform('backup', { path: resolve(file) })
    return { value: { tables, rows }, lines: [`Backed up ${rows} rows of ${tables} tables.`] }
  })
}

async function backUpToOutput(host: CliHost): Promise<void> {
  try {
    const { access, close } = await host.openAccess()
    try {
      // This stream can be ended, unlike standard output.
      const output = new Writable({ write: (chunk, _, done) => void host.stdout.write(chunk, done) })
      await writeBackup(access.db, output)
    } finally {
      await close()
    }
  } catch (error) {
    if (!(error instanceof DataFolderInUse)) throw error
    await copyFromInstance(host)
  }
}

/** Lets the instance write the backup to a file in the data folder, and copies that to standard output. */
async function copyFromInstance(host: CliHost): Promise<void> {
  const path = join(resolve(host.dataFolder), `backup-${randomBytes(6).toString('hex')}`)
  await administer(host, async (perform) => {
    await perform('backup', { path })
    try {
      await pipeline(createReadStream(path), host.stdout, { end: false })
    } finally {
      await rm(path, { force: true })
    }
  })
}

async function runRestore(host: CliHost, file: string, options: { json: boolean; force: boolean }): Promise<void> {
  const input = file === STANDARD_STREAM ? host.stdin : (await openFile(file)).createReadStream()
  try {
    const { access, close } = await host.openAccess()
    try {
      const { tables, rows } = await restoreBackup(access.db, input, options.force)
      const lines = [
        `Restored ${rows} rows of ${tables} tables.`,
        'Before you start an instance on Redis, empty its Redis database: numbers in it may mean other keys now.',
      ]
      await printResult(host, options.json, { value: { tables, rows }, lines })
    } finally {
      await close()
    }
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
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new Refusal('parameter_invalid', `${file} cannot be read (${code}).`)
  }
}
