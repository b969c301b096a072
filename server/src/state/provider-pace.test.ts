import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PrivateRedis, startPrivateRedis } from '../../test/support/private-redis.ts'
import { createLog } from '../log.ts'
import { createProviderPaces, type PaceRate, type ProviderPace } from '../limits/upstream-rate-limit.ts'
import { openRedis, type RedisLink } from './redis-link.ts'
import { command } from './resp-command.ts'

const log = createLog('silent')
const START = 1_800_000_000_000
const windowOf = ({ perSeconds }: PaceRate) => perSeconds * 1_010 + 20

let server: PrivateRedis
let links: RedisLink[]
const linkOf = (i: number): RedisLink => links[i] ?? expect.unreachable('there are three links')
beforeAll(async () => {
  server = await startPrivateRedis()
  links = await Promise.all([0, 1, 2].map(() => openRedis(server.url, log)))
})
afterAll(async () => {
  await Promise.all(links.map((link) => link.close()))
  await server.remove()
})

/** Nodes of one instance of their own, on one simulated clock. */
function openNodes(rate: PaceRate, redis: (RedisLink | undefined)[] = links) {
  const prefix = `bbtest:${randomBytes(6).toString('hex')}:`
  const luaClock = `tonumber(redis.call('GET', '${prefix}clock') or ${START * 1_000})`
  const time = { now: START }
  const wait = async (ms: number) => {
    // What was given to a connection before is done before the time changes.
    await Promise.all(links.map((link) => link.send(command('PING'))))
    time.now += ms
    await linkOf(0).client.set(`${prefix}clock`, Math.round(time.now * 1_000))
  }
  const nodes = redis.map((redis) => {
    return createProviderPaces({ redis, clock: () => time.now, luaClock, prefix })('brave', rate)
  })
  const join = (i: number) => (nodes[i % nodes.length] ?? expect.unreachable('there is a node')).join()
  return { nodes, join, time, wait, prefix }
}

type Place = ReturnType<ProviderPace['join']>
type Step = { do: 'ask'; node: number } | { do: 'again' | 'end'; which: number } | { do: 'wait'; ms: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('ask' as const), node: fc.nat(2) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('again' as const), which: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('end' as const), which: fc.nat() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.constantFrom(1, 100, 500, 1_029, 1_030, 1_031, 9_000),
    }),
  },
)
const aRate = fc.record({ calls: fc.integer({ min: 1, max: 4 }), perSeconds: fc.constantFrom(1, 2) })
const MAX_WAIT_MS = 2_500

/** Lives through the steps; gives every verdict and, of every call, when it began and when it ended. */
async function live(steps: readonly Step[], open: ReturnType<typeof openNodes>) {
  const { join, time, wait } = open
  const underWay: { place: Place; began: number; ended: number }[] = []
  const calls: typeof underWay = []
  const line: { place: Place; until: number }[] = []
  const verdicts: string[] = []
  const ask = async (place: Place, until: number) => {
    const verdict = await place.ask(until - time.now)
    verdicts.push(verdict.go ? 'go' : `${verdict.isInLine} ${Math.round(verdict.waitMs)}`)
    if (verdict.go) underWay.push({ place, began: time.now, ended: Number.POSITIVE_INFINITY })
    else if (verdict.isInLine) line.push({ place, until })
  }
  for (const step of steps) {
    if (step.do === 'wait') await wait(step.ms)
    else if (step.do === 'ask') await ask(join(step.node), time.now + MAX_WAIT_MS)
    else if (step.do === 'again') {
      const [waiting] = line.splice(step.which % Math.max(1, line.length), 1)
      if (waiting && waiting.until > time.now) await ask(waiting.place, waiting.until)
    } else {
      const [call] = underWay.splice(step.which % Math.max(1, underWay.length), 1)
      if (!call) continue
      call.ended = time.now
      calls.push(call)
      call.place.leave()
    }
  }
  return { verdicts, calls: [...calls, ...underWay] }
}
describe.each([
  ['in Redis, over three nodes', () => links],
  ['in the process', () => [undefined]],
])('a provider’s pace, %s', (_, redis) => {
  it('whatever happens, a call begins only while fewer than allowed are under way or answered within the window', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), aRate, async (steps, rate) => {
        const { calls } = await live(steps, openNodes(rate, redis()))
        for (const { began } of calls) {
          const counting = calls.filter((other) => other.began <= began && other.ended + windowOf(rate) > began)
          expect(counting.length).toBeLessThanOrEqual(rate.calls)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('lets as many go at once as a window holds, as many wait, and tells the others when to come again', async () => {
    const { join } = openNodes({ calls: 50, perSeconds: 1 }, redis())
    const verdicts = await Promise.all(Array.from({ length: 120 }, (_, i) => join(i).ask(1_500)))
    expect(verdicts.filter(({ go }) => go)).toHaveLength(50)
    expect(verdicts.filter((verdict) => !verdict.go && verdict.isInLine)).toHaveLength(50)
    expect(verdicts.filter((verdict) => !verdict.go && !verdict.isInLine && verdict.waitMs === 2_060)).toHaveLength(20)
  })

  it('one a second: the next goes a window after the answer, in the order of coming', async () => {
    const { join, wait } = openNodes({ calls: 1, perSeconds: 1 }, redis())
    const [first, second, third] = [join(0), join(1), join(2)]
    expect(await first.ask(5_000)).toEqual({ go: true })
    expect(await second.ask(5_000)).toEqual({ go: false, isInLine: true, waitMs: 1_030 })
    await wait(1)
    expect(await third.ask(5_000)).toEqual({ go: false, isInLine: true, waitMs: 2_060 })
    await wait(299)
    first.leave()
    await wait(730)
    expect(await second.ask(3_970)).toEqual({ go: false, isInLine: true, waitMs: 300 })
    await wait(300)
    expect(await third.ask(3_670)).toMatchObject({ isInLine: true })
    expect(await second.ask(3_670)).toEqual({ go: true })
  })

  it('who gives up waiting, or is gone, delays nobody for longer than it would have waited', async () => {
    const { join, wait } = openNodes({ calls: 1, perSeconds: 1 }, redis())
    const [first, quitter, gone, last] = [join(0), join(1), join(2), join(0)]
    await first.ask(0)
    first.leave()
    expect(await quitter.ask(5_000)).toMatchObject({ isInLine: true })
    await wait(1)
    expect(await gone.ask(5_000)).toMatchObject({ isInLine: true })
    quitter.leave()
    await wait(4_999)
    // Nobody has called since, and still the one that is gone is ahead.
    expect(await last.ask(5_000)).toMatchObject({ isInLine: true })
    await wait(1)
    expect(await last.ask(4_999)).toEqual({ go: true })
  })

  it('a call whose process was killed stops counting after a minute and the window', async () => {
    const { join, wait } = openNodes({ calls: 1, perSeconds: 1 }, redis())
    await join(0).ask(0)
    await wait(61_029)
    expect(await join(1).ask(0)).toMatchObject({ go: false })
    await wait(1)
    expect(await join(1).ask(0)).toEqual({ go: true })
  })
})

it('Redis and the process give the same verdicts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), aRate, async (steps, rate) => {
      const shared = await live(steps, openNodes(rate, [linkOf(0)]))
      const here = await live(steps, openNodes(rate, [undefined]))
      expect(shared.verdicts).toEqual(here.verdicts)
    }),
    { numRuns: 60 },
  )
})

describe('a provider’s pace, when Redis comes and goes', () => {
  const rate = { calls: 2, perSeconds: 1 }

  it('what it writes ends by itself, and carries the provider’s hash tag', async () => {
    const { join, prefix } = openNodes({ calls: 1, perSeconds: 1 })
    const place = join(0)
    await place.ask(0)
    place.leave()
    await linkOf(0).send(command('PING'))
    await join(1).ask(5_000)
    const other = openNodes(rate)
    await other.join(0).ask(0)
    for (const prefixOf of [prefix, other.prefix]) {
      const keys = await linkOf(0).client.keys(`${prefixOf}*`)
      expect(keys.length).toBeGreaterThan(0)
      for (const key of keys) {
        expect(key.startsWith(`${prefixOf}{provider:brave}:pace:`)).toBe(true)
        expect(await linkOf(0).client.pttl(key)).toBeGreaterThan(0)
      }
    }
  })

  it('a node goes on by itself from what it was given, and Redis from what the node took meanwhile', async () => {
    const link = await openRedis(server.url, log)
    const time = { now: 0 }
    const prefix = `bbtest:${randomBytes(6).toString('hex')}:`
    const pace = createProviderPaces({ redis: link, clock: () => time.now, prefix })('brave', rate)
    const takes = async () => {
      const place = pace.join()
      const { go } = await place.ask(0)
      if (go) place.leave()
      return go
    }
    expect(await takes()).toBe(true)
    await server.stop()
    await expect.poll(() => link.isAway()).toBe(true)
    expect([await takes(), await takes()]).toEqual([true, false])
    await server.start()
    await expect.poll(() => link.isAway(), { timeout: 5_000 }).toBe(false)
    expect(await takes()).toBe(false)
    time.now += 1_031
    expect([await takes(), await takes(), await takes()]).toEqual([true, true, false])
    await link.close()
  })
})
