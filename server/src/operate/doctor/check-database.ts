// Checks the database, and for the built-in one the free disk space in its folder.
import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Finding } from '../../cli/cli-host.ts'
import { openDatabase } from '../../compose/stores.ts'
import { Refusal } from '../../errors.ts'
import { createLog } from '../../log.ts'
import type { Configuration } from '../../settings/configuration.ts'
import { DataFolderInUse } from '../../store/data-folder.ts'
import { DATABASE_FILE } from '../../store/data-folder-owner.ts'
import { type DatabaseFacts, inspectDatabase } from '../../store/inspect-database.ts'
import { explainStorageFailure } from '../start-failure.ts'
import { broken, fine, judgeClock, warning } from './finding.ts'

const FREE_WARNING_BYTES = 1_000_000_000
const FREE_BROKEN_BYTES = 100_000_000
const NODE_CONNECTIONS = 10

export async function checkDatabase(configuration: Configuration): Promise<Finding[]> {
  const { databaseUrl, dataFolder } = configuration
  const about = databaseUrl === undefined ? 'Built-in database' : 'PostgreSQL'
  const disk = databaseUrl === undefined ? [await checkDisk(dataFolder)] : []
  // Opening it would create it.
  if (databaseUrl === undefined && !existsSync(join(dataFolder, DATABASE_FILE))) {
    const advice = 'The first start creates it. If your instance keeps its data elsewhere, set DATA_DIR.'
    return [warning(about, `There is none in ${resolve(dataFolder)} yet.`, advice), ...disk]
  }
  try {
    const database = await openDatabase(configuration, createLog('silent'))
    try {
      return [...judgeDatabase(about, await inspectDatabase(database.db), databaseUrl !== undefined), ...disk]
    } finally {
      await database.close()
    }
  } catch (error) {
    if (error instanceof DataFolderInUse) return [fine(about, 'In use by a running instance.'), ...disk]
    return [broken(about, 'It cannot be used.', adviceFor(error, configuration)), ...disk]
  }
}

function adviceFor(error: unknown, configuration: Configuration): string {
  const explained = explainStorageFailure(error, configuration)
  const detail = explained instanceof Refusal ? explained.body['detail'] : undefined
  return typeof detail === 'string' ? detail : 'Start the server and check its log.'
}

function judgeDatabase(about: string, facts: DatabaseFacts, isServer: boolean): Finding[] {
  const findings = [fine(about, `Version ${facts.version}.`)]
  if (facts.isReadOnly) findings.push(broken(about, 'It is read-only.', 'Use the address of the primary.'))
  if (!facts.hasSchema && facts.mayCreateTables)
    findings.push(warning(about, 'It has no tables yet.', 'They are created at startup, or run bowerbird migrate.'))
  if (facts.tablesWithoutRights.length > 0) {
    const tables = facts.tablesWithoutRights.join(', ')
    const advice = 'Grant it select, insert, update and delete on these tables.'
    findings.push(broken(about, `The database role lacks privileges on: ${tables}.`, advice))
  }
  if (!facts.mayCreateTables) {
    const advice = 'Run bowerbird migrate with a role that can, now and after every upgrade.'
    const judge = facts.mustMigrate ? broken : warning
    const consequence = facts.mustMigrate ? ', and the database must be migrated' : ''
    findings.push(judge(about, `The database role cannot create tables${consequence}.`, advice))
  }
  if (!isServer) return findings
  const { used, max } = facts.connections
  if (used + NODE_CONNECTIONS > max) {
    findings.push(
      warning(
        about,
        `${used} of ${max} connections are in use.`,
        'A node uses up to DATABASE_POOL_SIZE: lower that, or raise max_connections.',
      ),
    )
  }
  return [...findings, judgeClock(`Clock of ${about}`, facts.clockAheadMs)]
}

async function checkDisk(dataFolder: string): Promise<Finding> {
  let folder = resolve(dataFolder)
  while (!existsSync(folder)) folder = dirname(folder)
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const detail = `${(free / 1e9).toFixed(1)} GB free in the data folder.`
  const advice = 'Make room, or move DATA_DIR.'
  if (free < FREE_BROKEN_BYTES) return broken('Disk', detail, advice)
  return free < FREE_WARNING_BYTES ? warning('Disk', detail, advice) : fine('Disk', detail)
}
