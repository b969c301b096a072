// Counts the requests of each key by UTC day and endpoint. A request counts once, in the process that answers it, when
// the head of a 2xx reply is sent. Each process counts in memory under its own random source id and writes absolute
// values to the database every second and on shutdown, so repeating a write is harmless, and usage is the sum over all
// sources. While the database is unavailable, counts are kept and written later; a killed process loses about a second.
//
// A reading combines the database with this process' unwritten counts. It misses the last second of other processes.
import { randomBytes } from 'node:crypto'
import { type Kysely, type SqlBool, sql } from 'kysely'
import type { Log } from '../log.ts'
import { type LoadMonthUsage, readUserSubject } from '../rate-limit/rate-limiter.ts'
import { isDatabaseAway } from '../store/database.ts'
import { getStatements } from '../store/get-statements.ts'
import type { Schema } from '../store/schema.ts'
import type { KeyDayCount } from '../store/statements.ts'
import { makeUsagePartitions } from '../store/usage-partitions.ts'
import { WriteBehind } from '../store/write-behind.ts'
import { dayOf } from '../text/utc-day.ts'

export interface DayCount {
  /** UTC, '2026-11-15'. */
  day: string
  endpoint: string
  count: number
}

export interface UsageReading {
  counts: DayCount[]
  /** False if the database could not be queried: older usage is then missing. */
  isComplete: boolean
}

export interface UsageOfKeys {
  counts: (DayCount & { keyId: string })[]
  isComplete: boolean
}

interface UsageParts {
  db: Kysely<Schema>
  clock: () => number
  log: Log
}

const WRITE_EVERY_MS = 1_000
const DAY_MS = 86_400_000
const MONTH_USAGE_VALID_MS = 600_000
const INCOMPLETE_VALID_MS = 10_000

export class Usage {
  readonly #parts: UsageParts
  readonly #source = randomBytes(8).toString('hex')
  readonly #ledger: WriteBehind<KeyDayCount>
  /** By day, key and endpoint. */
  readonly #days = new Map<string, Map<string, Map<string, number>>>()
  readonly #loadingMonths = new Map<string, ReturnType<LoadMonthUsage>>()

  constructor(parts: UsageParts) {
    this.#parts = parts
    const makePartitions = createPartitionMaker(parts)
    this.#ledger = new WriteBehind({
      name: 'usage',
      everyMs: WRITE_EVERY_MS,
      log: parts.log,
      write: async (counts) => {
        await makePartitions()
        await getStatements(parts.db).writeUsage(parts.db, this.#source, counts)
      },
    })
  }

  get state(): { succeededAt: number; lastMs: number } {
    return this.#ledger.state
  }

  count(keyId: string, endpoint: string): void {
    const day = dayOf(this.#parts.clock())
    const counts = this.#countsOf(day, keyId)
    const count = (counts.get(endpoint) ?? 0) + 1
    counts.set(endpoint, count)
    this.#ledger.put(`${day} ${keyId} ${endpoint}`, { keyId, day, endpoint, count })
  }

  #countsOf(day: string, keyId: string): Map<string, number> {
    let keys = this.#days.get(day)
    if (!keys) {
      keys = new Map()
      this.#days.set(day, keys)
      // Yesterday's counts may not be written yet. Older days are in the database, or wait in the ledger.
      const yesterday = dayOf(Date.parse(day) - DAY_MS)
      for (const known of this.#days.keys()) if (known < yesterday) this.#days.delete(known)
    }
    const counts = keys.get(keyId) ?? new Map<string, number>()
    keys.set(keyId, counts)
    return counts
  }

  /** Reads one key's usage since a day (UTC, inclusive). */
  readonly read = async (keyId: string, sinceDay: string): Promise<UsageReading> => {
    const { counts, isComplete } = await this.readOfKeys([keyId], sinceDay)
    return { counts: counts.map(({ day, endpoint, count }): DayCount => ({ day, endpoint, count })), isComplete }
  }

  /** Reads the usage of any number of keys with one query. */
  readonly readOfKeys = async (keyIds: readonly string[], sinceDay: string): Promise<UsageOfKeys> => {
    const stored = await this.#readStored(keyIds, sinceDay)
    const sums = new Map<string, KeyDayCount>()
    const add = ({ keyId, day, endpoint, count }: KeyDayCount) => {
      const key = `${keyId} ${day} ${endpoint}`
      sums.set(key, { keyId, day, endpoint, count: count + (sums.get(key)?.count ?? 0) })
    }
    for (const { isOwn, ...count } of stored ?? []) {
      // This process' own counts in memory are newer than what it has written of them.
      if (!(isOwn && this.#days.get(count.day)?.get(count.keyId)?.has(count.endpoint))) add(count)
    }
    for (const [day, keys] of this.#days) {
      if (day < sinceDay) continue
      for (const keyId of keyIds)
        for (const [endpoint, count] of keys.get(keyId) ?? []) add({ keyId, day, endpoint, count })
    }
    return { counts: [...sums.values()], isComplete: stored !== undefined }
  }

  async #readStored(keyIds: readonly string[], sinceDay: string) {
    const { db, log } = this.#parts
    try {
      return await readUsageRows(db, { keyIds, sinceDay, ownSource: this.#source })
    } catch (error) {
      log.warn({ err: new Error('could not read the usage history', { cause: error }) })
      return undefined
    }
  }

  /** Loads usage for monthly caps. Concurrent requests for the same subject and month share one query. */
  readonly loadMonth: LoadMonthUsage = (subject, month) => {
    const key = `${subject} ${month}`
    const loading =
      this.#loadingMonths.get(key) ?? this.#loadMonth(subject, month).finally(() => this.#loadingMonths.delete(key))
    this.#loadingMonths.set(key, loading)
    return loading
  }

  async #loadMonth(subject: string, month: string): ReturnType<LoadMonthUsage> {
    const userId = readUserSubject(subject)
    const keyIds = userId === undefined ? [subject] : await this.#keysOf(userId)
    // Without the user's keys, nothing is known about the usage.
    if (!keyIds) return { used: 0, validMs: INCOMPLETE_VALID_MS }
    const { counts, isComplete } = await this.readOfKeys(keyIds, `${month}-01`)
    const used = totalOf({ counts: counts.filter(({ day }) => day.startsWith(month)), isComplete })
    return { used, validMs: isComplete ? MONTH_USAGE_VALID_MS : INCOMPLETE_VALID_MS }
  }

  /** All keys of a user, revoked ones included; undefined if they cannot be read. */
  async #keysOf(userId: string): Promise<string[] | undefined> {
    const query = this.#parts.db.selectFrom('api_keys').select('id').where('user_id', '=', userId)
    const rows = await query.execute().catch(() => undefined)
    return rows?.map(({ id }) => id)
  }

  start(): void {
    this.#ledger.start()
  }

  stop(): Promise<void> {
    return this.#ledger.stop()
  }

  /** False if something could not be written; it is kept. */
  flush(): Promise<boolean> {
    return this.#ledger.flush()
  }
}

/**
 * Ensures once a day that the partitions of this month and the next exist. Without one, rows go to the default
 * partition, so usage is still written if the role may not create tables.
 */
function createPartitionMaker({ db, clock, log }: UsageParts): () => Promise<void> {
  let triedOn = ''
  return async () => {
    const today = dayOf(clock())
    if (today === triedOn) return
    try {
      await makeUsagePartitions(db, clock(), 1)
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      log.warn({ err: new Error('could not create a partition for usage; run bowerbird migrate', { cause: error }) })
    }
    triedOn = today
  }
}

export const totalOf = ({ counts }: UsageReading): number => counts.reduce((total, { count }) => total + count, 0)

interface UsageQuery {
  keyIds: readonly string[]
  /** UTC, inclusive. */
  sinceDay: string
  /** The source whose counts are returned separately (`isOwn`). */
  ownSource: string
}

async function readUsageRows(db: Kysely<Schema>, { keyIds, sinceDay, ownSource }: UsageQuery) {
  const rows = await db
    .selectFrom('usage_daily')
    .select(['day', 'key_id', 'endpoint', sql<SqlBool>`source = ${ownSource}`.as('isOwn')])
    .select(sql<string>`sum(counted)`.as('count'))
    .where(getStatements(db).isAmong('key_id', keyIds))
    .where('day', '>=', sinceDay)
    .groupBy(['day', 'key_id', 'endpoint', 'isOwn'])
    .execute()
  return rows.map(({ key_id: keyId, isOwn, count, ...row }) => ({
    ...row,
    keyId,
    isOwn: Boolean(isOwn),
    count: Number(count),
  }))
}
