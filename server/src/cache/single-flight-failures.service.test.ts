// Searches while Redis holds garbage, dies or freezes.
import { describe, expect, it } from 'vitest'
import { aProvider, aResponse, newKeyPrefix, saying, useNodes, within } from './response-cache.test-harness.ts'

const { nodes, redis, admin } = useNodes()

const lasting = JSON.stringify(aResponse('old'))

describe('Redis', () => {
  it.each([
    ['no response', 'garbage', 59_000],
    ['a cut-off response', '60000 {"hits":[', 59_000],
    ['another shape', '60000 {"hits":[{"title":1}],"correction":""}', 59_000],
    ['a response that is too old', `999999 ${lasting}`, 59_000],
    ['null', '60000 null', 59_000],
    ['a response without expiry', `60000 ${lasting}`, undefined],
    ['a key of another type', undefined, undefined],
  ])('with %s in it is treated as empty', async (_, value, expiryMs) => {
    const [node] = await nodes(1)
    const { ask } = aProvider()
    const keyPrefix = newKeyPrefix()
    const key = `bb:response:{${keyPrefix}}:openverse`
    if (value === undefined) await admin().rpush(key, 'a')
    else await admin().set(key, value)
    if (expiryMs !== undefined) await admin().pexpire(key, expiryMs)
    expect((await node?.cache.obtain(keyPrefix, [ask()], within(60_000)))?.map(saying)).toEqual(['call-1'])
    // And repaired, if it would expire.
    if (expiryMs !== undefined) await expect.poll(() => admin().get(key)).toContain('call-1')
  })

  it('that dies during a search costs no answer; when it is back, responses are shared again', async () => {
    const [first, second] = await nodes(2)
    const answer = Promise.withResolvers<void>()
    const { ask, calls } = aProvider(() => answer.promise)
    const keyPrefix = newKeyPrefix()
    const both = Promise.all([1, 2].map(async () => await first?.cache.obtain(keyPrefix, [ask()], within(60_000))))
    await expect.poll(() => calls.length).toBe(1)
    await redis().stop()
    answer.resolve()
    expect((await both).flat().map(saying)).toEqual(['call-1', 'call-1'])
    expect((await first?.cache.obtain(newKeyPrefix(), [ask()], within(60_000)))?.map(saying)).toEqual(['call-2'])

    await redis().start()
    await expect.poll(() => first?.redis.isAway() || second?.redis.isAway(), { timeout: 20_000 }).toBe(false)
    const next = newKeyPrefix()
    await first?.cache.obtain(next, [ask()], within(60_000))
    await expect.poll(() => admin().exists(`bb:response:{${next}}:openverse`)).toBe(1)
    expect(await second?.cache.obtain(next, [ask()], within(60_000))).toMatchObject([{ from: 'shared' }])
  })

  it('that is frozen delays a search, but not past its deadline', async () => {
    const [node] = await nodes(1)
    redis().freeze()
    try {
      const outcomes = await node?.cache.obtain(newKeyPrefix(), [aProvider().ask()], within(20_000))
      expect(outcomes?.map(saying)).toEqual(['call-1'])
    } finally {
      redis().thaw()
    }
  })
})
