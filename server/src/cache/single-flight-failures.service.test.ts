// Searches while Redis holds garbage, dies or freezes.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { aProvider, aResponse, newBase, saying, useNodes, within } from './response-cache.test-harness.ts'

const { nodes, redis, admin } = useNodes()

describe('Redis', () => {
  it.each([
    ['no response', 'garbage'],
    ['a cut-off response', '60000 {"hits":['],
    ['another shape', '60000 {"hits":[{"title":1}],"correction":""}'],
    ['a response that is too old', `999999 ${JSON.stringify(aResponse('old'))}`],
    ['null', '60000 null'],
  ])('with garbage in it (%s) is treated as empty, and repaired', async (_, value) => {
    const [first, second] = await nodes(2)
    const { ask, calls } = aProvider()
    const base = newBase()
    await admin().set(`bb:response:{${base}}:openverse`, value, 'PX', 59_000)
    expect((await first?.cache.obtain(base, [ask()], within(1_000)))?.map(saying)).toEqual(['call-1'])
    await sleep(50)
    expect((await second?.cache.obtain(base, [ask()], within(1_000)))?.map(saying)).toEqual(['call-1'])
    expect(calls.length).toBe(1)
  })

  it('with a key of another type, or a response without expiry, does not stop a search', async () => {
    const [node] = await nodes(1)
    const { ask } = aProvider()
    const [listed, lasting] = [newBase(), newBase()]
    await admin().rpush(`bb:response:{${listed}}:openverse`, 'a')
    await admin().set(`bb:response:{${lasting}}:openverse`, `60000 ${JSON.stringify(aResponse('lasting'))}`)
    expect((await node?.cache.obtain(listed, [ask()], within(1_000)))?.map(saying)).toEqual(['call-1'])
    expect((await node?.cache.obtain(lasting, [ask()], within(1_000)))?.map(saying)).toEqual(['call-2'])
  })

  it('that dies during a search costs no answer; when it is back, responses are shared again', async () => {
    const [first, second] = await nodes(2)
    const { ask, calls } = aProvider(() => sleep(1_000))
    const base = newBase()
    const both = Promise.all([1, 2].map(async () => await first?.cache.obtain(base, [ask()], within(6_000))))
    await expect.poll(() => calls.length).toBe(1)
    await redis().stop()
    expect((await both).flat().map(saying)).toEqual(['call-1', 'call-1'])
    expect((await first?.cache.obtain(newBase(), [ask()], within(3_000)))?.map(saying)).toEqual(['call-2'])

    await redis().start()
    await expect.poll(() => first?.redis.isAway() || second?.redis.isAway(), { timeout: 5_000 }).toBe(false)
    const next = newBase()
    await first?.cache.obtain(next, [ask()], within(3_000))
    await sleep(50)
    expect(await second?.cache.obtain(next, [ask()], within(3_000))).toMatchObject([{ from: 'shared' }])
    expect(calls.length).toBe(3)
  })

  it('that is frozen delays a search by about a second', async () => {
    const [node] = await nodes(1)
    const { ask } = aProvider()
    redis().freeze()
    try {
      const started = performance.now()
      expect((await node?.cache.obtain(newBase(), [ask()], within(20_000)))?.map(saying)).toEqual(['call-1'])
      // A busy machine takes longer, but never as long as the search may.
      expect(performance.now() - started).toBeLessThan(5_000)
    } finally {
      redis().thaw()
    }
  })
})
