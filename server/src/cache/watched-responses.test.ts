// Watched searches, in one process and without Redis: each outcome is reported as soon as it is known, and a client
// that disconnects stops only the calls that no other search waits for.
import { describe, expect, it } from 'vitest'
import { pass, simulateTime, wait } from '../../../engines/test/simulated-time.ts'
import {
  answers,
  aProvider,
  failing,
  type ImageResponse,
  log,
  newKeyPrefix,
  openCache,
  saying,
  within,
} from './response-cache.test-harness.ts'
import type { ResponseOutcome } from './single-flight.ts'

simulateTime()

const open = () => openCache({ shared: undefined, clock: Date.now, maxAgeSeconds: 3_600, log })

describe('a watched search', () => {
  it('gets the outcome of each engine as soon as it has answered or failed', async () => {
    const cache = open()
    const told: string[] = []
    const onOutcome = (outcome: ResponseOutcome<ImageResponse>) => void told.push(saying(outcome))
    const asks = [
      aProvider(() => wait(10)).ask({ onOutcome }),
      aProvider(() => wait(500).then(() => failing())).ask({ slug: 'commons', onOutcome }),
    ]
    const searching = cache.obtain(newKeyPrefix(), asks, within(1_000))
    await pass(20)
    expect(told).toEqual(['call-1'])
    await pass(500)
    expect((await searching).map(saying)).toEqual(['call-1', 'unreachable'])
    expect(told).toEqual(['call-1', 'unreachable'])
  })
})

describe('a search whose client disconnects', () => {
  const calledOff = { signalled: true, isCalledOff: true }

  it('stops its call if no other search waits, and no failure is cached', async () => {
    const cache = open()
    const keyPrefix = newKeyPrefix()
    const { ask, calls } = aProvider(() => wait(500))
    const until = within(1_000)
    const searching = cache.obtain(keyPrefix, [ask()], until)
    await pass(10)
    until.callOff()
    expect((await searching).map(saying)).toEqual(['busy'])
    expect(calls[0]).toMatchObject(calledOff)
    const again = cache.obtain(keyPrefix, [ask()], within(1_000))
    await pass(600)
    expect((await again).map(saying)).toEqual(['call-2'])
  })

  it('leaves the call running for other searches that wait for it', async () => {
    const cache = open()
    const keyPrefix = newKeyPrefix()
    const { ask, calls } = aProvider(() => wait(500))
    const [first, second, third] = [within(1_000), within(1_000), within(1_000)]
    const searches = [first, second, third].map((until) => cache.obtain(keyPrefix, [ask()], until))
    await pass(10)
    first.callOff()
    second.callOff()
    await pass(500)
    expect((await Promise.all(searches)).flat().map(saying)).toEqual(['busy', 'busy', 'call-1'])
    expect(calls.length).toBe(1)
  })

  it('stops the call when it was the last of several', async () => {
    const cache = open()
    const keyPrefix = newKeyPrefix()
    const { ask, calls } = aProvider(() => wait(500))
    const [first, second, hasty] = [within(1_000), within(1_000), within(50)]
    const searches = [first, second, hasty].map((until) => cache.obtain(keyPrefix, [ask()], until))
    await pass(10)
    first.callOff()
    await pass(100)
    expect(calls[0]?.signalled).toBe(false)
    second.callOff()
    expect(calls[0]).toMatchObject(calledOff)
    expect((await Promise.all(searches)).flat().map(saying)).toEqual(['busy', 'busy', 'timeout'])
  })

  it('does not stop a refresh, which serves everyone', async () => {
    let now = 1_000_000
    const cache = openCache({ shared: undefined, clock: () => now, maxAgeSeconds: 3_600, log })
    const keyPrefix = newKeyPrefix()
    const { ask, calls } = aProvider((call) => (call === 1 ? Promise.resolve() : wait(100)))
    await cache.obtain(keyPrefix, [ask()], within(1_000))
    now += 40_000
    const until = within(1_000)
    await cache.obtain(keyPrefix, [ask()], until)
    until.callOff()
    await pass(200)
    expect(calls.length).toBe(2)
    expect(await answers(cache, keyPrefix, [ask()])).toEqual(['call-2'])
  })

  it('stops a call whose reply must not be cached: no other search waits for it', async () => {
    const { ask, calls } = aProvider(() => wait(100))
    const until = within(1_000)
    const searching = open().obtain(newKeyPrefix(), [ask({ cacheSeconds: 0 })], until)
    await pass(10)
    until.callOff()
    expect(calls[0]).toMatchObject(calledOff)
    expect((await searching).map(saying)).toEqual(['busy'])
  })
})
