// The rules of a provider's rate limit, in Redis and in the process, on a clock that only the test moves.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { UpstreamRate, UpstreamRateLimit } from './upstream-rate-limit.ts'

export const START = 1_800_000_000_000
const windowOf = ({ perSeconds }: UpstreamRate) => perSeconds * 1_010 + 20

type Place = ReturnType<UpstreamRateLimit['createPermit']>

/** Nodes of a separate instance. */
export interface RateLimitedNodes {
  join: (node: number) => Place
  time: { now: number }
  wait: (ms: number) => Promise<void>
}

type Step = { do: 'ask'; node: number } | { do: 'again' | 'end'; which: number } | { do: 'wait'; ms: number }

export const step: fc.Arbitrary<Step> = fc.oneof(
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
export const aRate = fc.record({ calls: fc.integer({ min: 1, max: 4 }), perSeconds: fc.constantFrom(1, 2) })
const MAX_WAIT_MS = 2_500

/** Plays the steps; returns every verdict and when each call began and ended. */
export async function live(steps: readonly Step[], open: RateLimitedNodes) {
  const { join, time, wait } = open
  const underWay: { permit: Place; began: number; ended: number }[] = []
  const calls: typeof underWay = []
  const line: { permit: Place; until: number }[] = []
  const verdicts: string[] = []
  const ask = async (permit: Place, until: number) => {
    const verdict = await permit.tryAcquire(until - time.now)
    verdicts.push(verdict.go ? 'go' : `${verdict.isQueued} ${Math.round(verdict.waitMs)}`)
    if (verdict.go) underWay.push({ permit, began: time.now, ended: Number.POSITIVE_INFINITY })
    else if (verdict.isQueued) line.push({ permit, until })
  }
  for (const step of steps) {
    if (step.do === 'wait') await wait(step.ms)
    else if (step.do === 'ask') await ask(join(step.node), time.now + MAX_WAIT_MS)
    else if (step.do === 'again') {
      const [waiting] = line.splice(step.which % Math.max(1, line.length), 1)
      if (waiting && waiting.until > time.now) await ask(waiting.permit, waiting.until)
    } else {
      const [call] = underWay.splice(step.which % Math.max(1, underWay.length), 1)
      if (!call) continue
      call.ended = time.now
      calls.push(call)
      call.permit.release()
    }
  }
  return { verdicts, calls: [...calls, ...underWay] }
}
type OpenNodes = (rate: UpstreamRate) => RateLimitedNodes

export function upstreamRateLimitRules(where: string, openNodes: OpenNodes, numRuns: number): void {
  describe(`a provider’s rate limit, ${where}`, () => {
    windowRules(openNodes, numRuns)
    queueRules(openNodes)
  })
}

function windowRules(openNodes: OpenNodes, numRuns: number): void {
  it('in any history, a call begins only while fewer than allowed are in flight or answered within the window', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), aRate, async (steps, rate) => {
        const { calls } = await live(steps, openNodes(rate))
        for (const { began } of calls) {
          const counting = calls.filter((other) => other.began <= began && other.ended + windowOf(rate) > began)
          expect(counting.length).toBeLessThanOrEqual(rate.calls)
        }
      }),
      { numRuns },
    )
  })

  it('admits as many calls as a window holds, queues as many, and gives the others a wait', async () => {
    const { join } = openNodes({ calls: 50, perSeconds: 1 })
    const verdicts = await Promise.all(Array.from({ length: 120 }, (_, i) => join(i).tryAcquire(1_500)))
    expect(verdicts.filter(({ go }) => go)).toHaveLength(50)
    expect(verdicts.filter((verdict) => !verdict.go && verdict.isQueued)).toHaveLength(50)
    expect(verdicts.filter((verdict) => !verdict.go && !verdict.isQueued && verdict.waitMs === 2_060)).toHaveLength(20)
  })
}

function queueRules(openNodes: OpenNodes): void {
  it('one a second: the next call starts a window after the reply, in order of arrival', async () => {
    const { join, wait } = openNodes({ calls: 1, perSeconds: 1 })
    const [first, second, third] = [join(0), join(1), join(2)]
    expect(await first.tryAcquire(5_000)).toEqual({ go: true })
    expect(await second.tryAcquire(5_000)).toEqual({ go: false, isQueued: true, waitMs: 1_030 })
    await wait(1)
    expect(await third.tryAcquire(5_000)).toEqual({ go: false, isQueued: true, waitMs: 2_060 })
    await wait(299)
    first.release()
    await wait(730)
    expect(await second.tryAcquire(3_970)).toEqual({ go: false, isQueued: true, waitMs: 300 })
    await wait(300)
    expect(await third.tryAcquire(3_670)).toMatchObject({ isQueued: true })
    expect(await second.tryAcquire(3_670)).toEqual({ go: true })
  })

  it('a waiter that gives up, or is gone, delays the others no longer than it would have waited', async () => {
    const { join, wait } = openNodes({ calls: 1, perSeconds: 1 })
    const [first, quitter, gone, last] = [join(0), join(1), join(2), join(0)]
    await first.tryAcquire(0)
    first.release()
    expect(await quitter.tryAcquire(5_000)).toMatchObject({ isQueued: true })
    await wait(1)
    expect(await gone.tryAcquire(5_000)).toMatchObject({ isQueued: true })
    quitter.release()
    await wait(4_999)
    // No other call since, and still the one that is gone is ahead.
    expect(await last.tryAcquire(5_000)).toMatchObject({ isQueued: true })
    await wait(1)
    expect(await last.tryAcquire(4_999)).toEqual({ go: true })
  })

  it('a call whose process was killed stops counting after a minute and the window', async () => {
    const { join, wait } = openNodes({ calls: 1, perSeconds: 1 })
    await join(0).tryAcquire(0)
    await wait(61_029)
    expect(await join(1).tryAcquire(0)).toMatchObject({ go: false })
    await wait(1)
    expect(await join(1).tryAcquire(0)).toEqual({ go: true })
  })
}
