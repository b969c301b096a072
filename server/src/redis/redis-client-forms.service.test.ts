// Each form in which Redis may be installed, in short; what happens while masters are killed and frozen is in
// `server/test/nightly/redis-forms.test.ts`.
import { Redis } from 'ioredis'
import { expect, it } from 'vitest'
import { type RedisForm, startRedisCluster, startRedisSentinels } from '../../test/support/redis-forms.ts'
import { startRedisPair } from '../../test/support/redis-pair.ts'
import { createLog } from '../log.ts'
import { defineScript, openRedis } from './redis-client.ts'

const COUNT = defineScript(`return redis.call('INCR', KEYS[1])`)
const BACK_MS = 15_000
const log = createLog('silent')

it('the client uses the server that has taken over behind a proxy', async () => {
  await using parts = new AsyncDisposableStack()
  const pair = await startRedisPair()
  parts.defer(() => pair.close())
  const client = await openRedis(pair.url, log)
  parts.defer(() => client.close())
  expect(await client.evaluate(COUNT, ['a'], [])).toBe(1)
  // The client gives up on a command before a busy replica has it.
  await expect.poll(() => client.send('WAIT', '1', 50), { timeout: BACK_MS }).toBe(1)
  await pair.failOver()
  await expect.poll(() => client.isAway(), { timeout: BACK_MS }).toBe(false)
  expect(await client.evaluate(COUNT, ['a'], [])).toBe(2)
})

it.each([
  ['Sentinels', startRedisSentinels],
  ['a cluster', startRedisCluster as () => Promise<RedisForm>],
])('with %s, the client sends commands and scripts to the right server, and receives messages', async (_, start) => {
  await using parts = new AsyncDisposableStack()
  const form = await start()
  parts.defer(() => form.close())
  const client = await openRedis(form.url, log)
  parts.defer(() => client.close())
  const keys = Array.from({ length: 30 }, (_, i) => `bb:{${i}}:count`)
  const countAll = () => Promise.all(keys.map((key) => client.evaluate(COUNT, [key], [])))
  expect(await countAll()).toEqual(keys.map(() => 1))
  const admin = new Redis((await form.masterOf(keys[0] ?? '')).url)
  await admin.script('FLUSH')
  admin.disconnect()
  expect(await countAll()).toEqual(keys.map(() => 2))
  expect(await Promise.all(keys.map((key) => client.send('GET', key)))).toEqual(keys.map(() => '2'))
  const heard: string[] = []
  await client.subscribe('bb:test', (message) => heard.push(message))
  client.publish('bb:test', 'one')
  await expect.poll(() => heard).toEqual(['one'])
  expect((await client.facts()).length).toBeGreaterThan(0)
})
