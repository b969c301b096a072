import { expect, it } from 'vitest'
import { startPrivateRedis } from '../../test/support/private-redis.ts'
import { createLog } from '../log.ts'
import { createNodeLease } from '../redis/node-lease.ts'
import { openRedis } from '../redis/redis-client.ts'
import { startPruning } from './pruning.ts'

const silent = createLog('silent')

it('one node prunes for all, and what fails does not stop the rest', async () => {
  const redis = await startPrivateRedis()
  const clients = await Promise.all([openRedis(redis.url, silent), openRedis(redis.url, silent)])
  const leases = clients.map((client) => createNodeLease(client, 'retention'))
  const pruned: string[] = []
  const held: boolean[] = []
  const stops = []
  for (const lease of leases) {
    const watched = {
      ...lease,
      hold: async (ms: number) => {
        const isOurs = await lease.hold(ms)
        held.push(isOurs)
        return isOurs
      },
    }
    const tasks = [
      { name: 'what cannot be', prune: () => Promise.reject(new Error('as the test wants it')) },
      { name: 'the rest', prune: async () => void pruned.push('the rest') },
    ]
    const stop = startPruning({ tasks, lease: watched, random: Math.random, log: silent })
    stops.push(stop)
    await expect.poll(() => held.length).toBe(stops.length)
  }
  expect(held).toEqual([true, false])
  for (const stop of stops) await stop()
  expect(pruned).toEqual(['the rest'])
  // The next one may have it at once.
  expect(await createNodeLease(clients[1], 'retention').hold(1_000)).toBe(true)
  await Promise.all(clients.map((client) => client.close()))
  await redis.stop()
})
