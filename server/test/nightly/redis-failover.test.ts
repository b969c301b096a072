// The Redis master is killed under load, with Sentinels and in a cluster. Searches keep working, limits hold except for
// what was not yet replicated, every search counts once, and the instance recovers soon after the replica takes over.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiReply } from '../support/api-client.ts'
import { type Cluster, startCluster, UNLIMITED } from '../support/cluster.ts'
import { eventually } from '../support/eventually.ts'
import { type RedisForm, startRedisCluster, startRedisSentinels } from '../support/redis-forms.ts'
import { statusesOf, underLoad } from '../support/steady-load.ts'
import { keyIdOf, storedUsage } from '../support/stored-usage.ts'

const CLIENTS = 8
const PAUSE_MS = 60
const LIMIT = 50
/** A second to notice, the election, and a margin for a busy machine. */
const FAILED_OVER_MS = 20_000
const WHOLE_AGAIN_MS = 2_000

describe.each([
  ['Sentinels', startRedisSentinels],
  ['a cluster', startRedisCluster as () => Promise<RedisForm>],
])('a master killed under load, with %s', (name, start) => {
  let form: RedisForm
  let cluster: Cluster
  beforeAll(async () => {
    form = await start()
    const master = await form.masterOf('any')
    cluster = await startCluster({ nodes: 2, redis: master, settings: { REDIS_URL: form.url } })
  }, 90_000)
  afterAll(async () => {
    await cluster?.close()
    await form?.close()
  })

  const search = (turn: number, key: string): Promise<ApiReply> =>
    cluster.node(turn).api.get(`/api/v1/web/?q=failover-${turn % 20}`, { key })

  const states = (): Promise<string[]> =>
    Promise.all(
      cluster.nodes.map(async ({ url }) => {
        const reply = await fetch(`${url}/readyz?verbose`)
        return ((await reply.json()) as { redis: { limits: { state: string } } }).redis.limits.state
      }),
    )

  async function passing(key: string): Promise<number> {
    const replies = await Promise.all(Array.from({ length: 2 * LIMIT }, (_, turn) => search(turn, key)))
    expect(statusesOf(replies).every((status) => status === 200 || status === 429)).toBe(true)
    return replies.filter(({ status }) => status === 200).length
  }

  it('no search fails, none is lost, limits are shared again, and it recovers soon', async () => {
    const limited = { burst: `${LIMIT}/min` }
    const [key, spent, later] = await Promise.all([UNLIMITED, limited, limited].map(cluster.createKey))
    if (!key || !spent || !later) throw new Error('a key is missing')
    const id = await keyIdOf(cluster.databaseUrl, spent)
    let [overMs, wholeMs, excess] = [0, 0, 0]
    const ask = async (turn: number) => {
      await sleep(2 * PAUSE_MS * Math.random())
      return await search(turn, key)
    }
    const seen = await underLoad({ clients: CLIENTS, ask }, async () => {
      await sleep(500)
      const tag = `bb:{${id}}:burst`
      const master = await form.masterOf(tag)
      expect(await passing(spent)).toBe(LIMIT)
      await master.stop()
      const killedAt = performance.now()
      const isReplaced = async () => (await form.masterOf(tag)).port !== master.port
      expect(await eventually(isReplaced, FAILED_OVER_MS)).toBe(true)
      overMs = performance.now() - killedAt
      const isWhole = async () => (await states()).every((state) => state === 'connected')
      expect(await eventually(isWhole, FAILED_OVER_MS)).toBe(true)
      wholeMs = performance.now() - killedAt - overMs
      excess = await passing(spent)
      expect(await passing(later)).toBe(LIMIT)
      await sleep(500)
    })
    expect(statusesOf(seen)).toEqual([200])
    expect(seen.length).toBeGreaterThan(50)
    expect(wholeMs).toBeLessThan(WHOLE_AGAIN_MS)
    // The replica lacks what was admitted just before the master died.
    expect(excess).toBeLessThanOrEqual(LIMIT / 10)
    const isStored = async () => (await storedUsage(cluster.databaseUrl, key)) === seen.length
    await eventually(isStored, 15_000)
    expect(await storedUsage(cluster.databaseUrl, key)).toBe(seen.length)
    const slowest = Math.max(...seen.map(({ ms }) => ms))
    process.stdout.write(
      `${name}: replaced after ${Math.round(overMs)} ms, whole ${Math.round(wholeMs)} ms later; ${excess} of ${LIMIT} beyond ` +
        `the limit; ${seen.length} searches, slowest ${Math.round(slowest)} ms\n`,
    )
  })
})
