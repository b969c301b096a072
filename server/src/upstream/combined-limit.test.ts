import { describe, expect, it } from 'vitest'
import { bothLimits, createUpstreamRateLimits } from './upstream-rate-limit.ts'

const DAY_MS = 86_400_000

function openLimits() {
  const time = { now: 0 }
  const limitOf = createUpstreamRateLimits({ redis: undefined, clock: () => time.now })
  const limit = bothLimits(
    limitOf('fern', { calls: 2, perSeconds: 1 }),
    limitOf('fern:day', { calls: 5, perSeconds: DAY_MS / 1000 }),
  )
  const call = async () => {
    const permit = limit?.createPermit() ?? expect.unreachable('there are limits')
    const verdict = await permit.tryAcquire(0)
    if (verdict.go) permit.release()
    return verdict
  }
  return { time, call }
}

describe('a rate limit and a quota', () => {
  it('both hold: two in a second, five in a day, and the sixth gets a Retry-After of a day', async () => {
    const { time, call } = openLimits()
    const went: boolean[] = []
    for (let second = 0; second < 4; second++) {
      for (let i = 0; i < 3; i++) went.push((await call()).go)
      time.now += 2_000
    }
    expect(went).toEqual([true, true, false, true, true, false, true, false, false, false, false, false])
    const refused = await call()
    expect(refused).toMatchObject({ go: false, isQuotaUsedUp: true })
    expect(refused.go ? 0 : refused.waitMs).toBeGreaterThan(DAY_MS - 60_000)
    time.now += DAY_MS * 1.02
    expect((await call()).go).toBe(true)
  })

  it('a call that the rate limit refuses uses up nothing of the quota', async () => {
    const { time, call } = openLimits()
    for (let i = 0; i < 50; i++) await call()
    time.now += 2_000
    expect([(await call()).go, (await call()).go]).toEqual([true, true])
  })

  it('either may be missing, or both', async () => {
    const limit = { createPermit: () => expect.unreachable('nobody asks') }
    expect([bothLimits(limit, undefined), bothLimits(undefined, undefined)]).toEqual([limit, undefined])
    const quota = createUpstreamRateLimits({ redis: undefined })('fern:day', { calls: 1, perSeconds: 60 })
    const permits = [1, 2].map(() => bothLimits(undefined, quota)?.createPermit())
    expect(await permits[0]?.tryAcquire(1_000)).toEqual({ go: true })
    expect(await permits[1]?.tryAcquire(1_000)).toMatchObject({ go: false, isQueued: false, isQuotaUsedUp: true })
  })
})
