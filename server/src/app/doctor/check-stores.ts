// What an instance keeps its data in: the database, the folder it is in, and Redis.
import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type Finding, isBroken, isDoubtful, isFine, isUntried } from '../../cli/finding.ts'
import { Refusal } from '../../errors.ts'
import { createLog } from '../../log.ts'
import { DataFolderInUse } from '../../storage/data-folder-lock.ts'
import { type DatabaseFacts, inspectDatabase } from '../../storage/inspect-database.ts'
import { inspectRedis, type RedisFacts } from '../../storage/inspect-redis.ts'
import { openDatabase } from '../compose.ts'
import type { Configuration } from '../configuration.ts'
import { explainStartFailure } from '../start-failure.ts'

const CLOCK_DOUBTFUL_MS = 1_000
const CLOCK_BROKEN_MS = 30_000
const FREE_DOUBTFUL_BYTES = 1_000_000_000
const FREE_BROKEN_BYTES = 100_000_000
const NODE_CONNECTIONS = 10

export async function checkDatabase(configuration: Configuration): Promise<Finding[]> {
  const { databaseUrl, dataFolder } = configuration
  const about = databaseUrl === undefined ? 'Built-in database' : 'PostgreSQL'
  const disk = databaseUrl === undefined ? [await checkDisk(dataFolder)] : []
  // Opening it would create it.
  if (databaseUrl === undefined && !existsSync(join(dataFolder, 'postgres'))) {
    return [isFine(about, `The first start will create it in ${dataFolder}.`), ...disk]
  }
  try {
    const database = await openDatabase(configuration, createLog('silent'))
    try {
      return [...judgeDatabase(about, await inspectDatabase(database.db), databaseUrl !== undefined), ...disk]
    } finally {
      await database.close()
    }
  } catch (error) {
    if (error instanceof DataFolderInUse) return [isFine(about, 'In use by a running instance.'), ...disk]
    return [isBroken(about, 'It cannot be opened.', sentenceOf(error, configuration)), ...disk]
  }
}

function sentenceOf(error: unknown, configuration: Configuration): string {
  const explained = explainStartFailure(error, 'storage', configuration)
  const detail = explained instanceof Refusal ? explained.body['detail'] : undefined
  return typeof detail === 'string' ? detail : 'See the log of a start.'
}

function judgeDatabase(about: string, facts: DatabaseFacts, isServer: boolean): Finding[] {
  const findings = [isFine(about, `Version ${facts.version}.`)]
  if (facts.isReadOnly) findings.push(isBroken(about, 'It is read-only.', 'Use the address of the primary.'))
  if (!facts.hasSchema)
    findings.push(isDoubtful(about, 'It has no tables yet.', 'A start creates them, or: bowerbird migrate.'))
  if (facts.tablesWithoutRights.length > 0) {
    const tables = facts.tablesWithoutRights.join(', ')
    const advice = 'Grant select, insert, update and delete on them to its role.'
    findings.push(isBroken(about, `This role may not use: ${tables}.`, advice))
  }
  if (!facts.mayCreateTables) {
    const advice = 'Run bowerbird migrate with a role that may, now and after every upgrade.'
    findings.push(isDoubtful(about, 'This role may not create tables.', advice))
  }
  if (!isServer) return findings
  const { used, most } = facts.connections
  if (used + NODE_CONNECTIONS > most) {
    findings.push(
      isDoubtful(about, `${used} of ${most} connections are in use.`, 'A node uses up to 10: raise max_connections.'),
    )
  }
  return [...findings, judgeClock(`Clock of ${about}`, facts.clockAheadMs)]
}

function judgeClock(about: string, aheadMs: number): Finding {
  const seconds = (Math.abs(aheadMs) / 1_000).toFixed(1)
  const detail = `${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine.`
  const advice = 'Run a time service such as chrony on both machines.'
  if (Math.abs(aheadMs) > CLOCK_BROKEN_MS) return isBroken(about, detail, advice)
  if (Math.abs(aheadMs) > CLOCK_DOUBTFUL_MS) return isDoubtful(about, detail, advice)
  return isFine(about, 'It agrees with this machine.')
}

async function checkDisk(dataFolder: string): Promise<Finding> {
  let folder = resolve(dataFolder)
  while (!existsSync(folder)) folder = dirname(folder)
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const detail = `${(free / 1e9).toFixed(1)} GB free in the data folder.`
  const advice = 'Make room, or move DATA_DIR.'
  if (free < FREE_BROKEN_BYTES) return isBroken('Disk', detail, advice)
  return free < FREE_DOUBTFUL_BYTES ? isDoubtful('Disk', detail, advice) : isFine('Disk', detail)
}

const PLAIN_REDIS = /^rediss?:/

export async function checkRedis({ redisUrl, databaseUrl }: Configuration): Promise<Finding[]> {
  const about = 'Redis'
  if (redisUrl === undefined) {
    if (databaseUrl === undefined) return [isFine(about, 'Not used: limits and cache are in the process.')]
    return [
      isDoubtful(
        about,
        'REDIS_URL is not set, so each process has its own limits.',
        'Set it, or run only one process.',
      ),
    ]
  }
  if (!PLAIN_REDIS.test(redisUrl)) return [isUntried(about, 'Several servers: ask each with redis-cli.')]
  try {
    return judgeRedis(about, await inspectRedis(redisUrl))
  } catch (error) {
    return [
      isBroken(
        about,
        `It does not let us in (${reasonOf(error)}).`,
        'Check REDIS_URL, and that this machine can reach it.',
      ),
    ]
  }
}

/** The first word of Redis' own error (`WRONGPASS`, `NOAUTH`), or the code of the connection's. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown'
  if ('code' in error && typeof error.code === 'string') return error.code
  return /^[A-Z]{3,}\b/.exec(error.message)?.[0] ?? error.name
}

function judgeRedis(about: string, facts: RedisFacts): Finding[] {
  const findings = [isFine(about, `Version ${facts.version}.`)]
  if (!facts.isWritable) {
    findings.push(
      isBroken(
        about,
        'It takes no writes from us.',
        'Use the primary, make room in it, or grant write commands on bb:*.',
      ),
    )
  }
  if (facts.evictionPolicy !== 'noeviction') {
    const detail = `Its eviction policy is ${facts.evictionPolicy}, so it may drop rate limits, which then start over.`
    findings.push(isDoubtful(about, detail, 'Set maxmemory-policy noeviction, and give it enough memory.'))
  }
  if (facts.mostBytes > 0 && facts.usedBytes > 0.8 * facts.mostBytes) {
    const share = Math.round((100 * facts.usedBytes) / facts.mostBytes)
    findings.push(isDoubtful(about, `${share} % of its memory is used.`, 'Raise maxmemory.'))
  }
  return [...findings, judgeClock('Clock of Redis', facts.clockAheadMs)]
}
