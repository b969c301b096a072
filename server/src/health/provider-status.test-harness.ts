// Three nodes as three boards, on a Redis and a database of their own, with a clock that the test moves.
import { UpstreamError, type UpstreamErrorKind } from '@bowerbird/engines/upstream-error.ts'
import type { Redis } from 'ioredis'
import { type PrivateRedis, startPrivateRedis } from '../../test/support/private-redis.ts'
import { useRedisAdmin } from '../../test/support/redis-admin.ts'
import { createTemporaryDatabase } from '../../test/support/temporary-database.ts'
import { createLog } from '../log.ts'
import { openRedis, type RedisClient } from '../redis/redis-client.ts'
import { migrate } from '../store/migrations.ts'
import { openPostgres } from '../store/postgres.ts'
import { createHealthStore } from './health-store.ts'
import { createProviderStatus, type ProviderStatusBoard } from './provider-status.ts'
import { createTransitionHistory } from './transition-history.ts'

export interface Stage {
  redis: PrivateRedis
  admin: () => Redis
  links: [RedisClient, RedisClient, RedisClient]
  time: { now: number }
  /** New boards and a new provider, that nobody has observed yet. */
  openNodes: () => Nodes
  close: () => Promise<void>
}

export interface Nodes {
  boards: [ProviderStatusBoard, ProviderStatusBoard, ProviderStatusBoard]
  /** A board without Redis. */
  alone: ProviderStatusBoard
  web: { provider: string; group: string }
  suggest: { provider: string; group: string }
  /** The history as `from to reason`, once everything is told and written. */
  changes: () => Promise<string[]>
}

export const failed = (kind: UpstreamErrorKind = 'timeout', isQueryFault = false): UpstreamError =>
  new UpstreamError(kind, 'as the test wishes', { isQueryFault })

export const healthOf = async (board: ProviderStatusBoard, group = 'web') =>
  (await board.list()).find((entry) => entry.group === group)?.health

export const stateOf = async (board: ProviderStatusBoard) => (await healthOf(board))?.state ?? 'unknown'

export async function startStage(): Promise<Stage> {
  const log = createLog('silent')
  const [redis, temporary] = await Promise.all([startPrivateRedis(), createTemporaryDatabase()])
  const open = () => openRedis(redis.url, log)
  const links: Stage['links'] = [await open(), await open(), await open()]
  const database = openPostgres(temporary.url, log)
  await migrate(database.db)
  const time = { now: Date.now() - 3_600_000 }
  let lastProvider = 0

  function openNodes(): Nodes {
    const provider = `provider-${++lastProvider}`
    const web = { provider, group: 'web' }
    const suggest = { provider, group: 'suggest' }
    const openBoard = (redis: RedisClient | undefined) =>
      createProviderStatus({
        providers: [
          { ...web, slug: 'engine_a', name: 'Brave', monitor: 'query' },
          { ...suggest, slug: 'brave', name: 'Brave', monitor: 'query' },
        ],
        store: createHealthStore(redis),
        history: createTransitionHistory({ db: database.db, log }),
        clock: () => time.now,
      })
    const boards: Nodes['boards'] = [openBoard(links[0]), openBoard(links[1]), openBoard(links[2])]
    const alone = openBoard(undefined)
    async function changes() {
      await Promise.all([...boards, alone].map((board) => board.close()))
      const rows = await createTransitionHistory({ db: database.db, log }).read(0)
      return rows.filter((row) => row.provider === provider).map(({ from, to, reason }) => `${from} ${to} ${reason}`)
    }
    return { boards, alone, web, suggest, changes }
  }

  return {
    redis,
    admin: useRedisAdmin(() => redis.url),
    links,
    time,
    openNodes,
    async close() {
      await Promise.all(links.map((redis) => redis.close()))
      await redis.stop()
      await database.close()
      await temporary.drop()
    },
  }
}
