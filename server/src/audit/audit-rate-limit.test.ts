import { describe, expect, it } from 'vitest'
import { createAuditRateLimit, type Occurrence } from './audit-rate-limit.ts'

const MINUTE_MS = 60_000

function setUp() {
  const time = { now: Date.UTC(2026, 10, 15) }
  const limit = createAuditRateLimit(() => time.now)
  /** How many of so many events are recorded. */
  const count = (times: number, occurrence: (n: number) => Occurrence) =>
    Array.from({ length: times }, (_, n) => limit.admits(occurrence(n))).filter(Boolean).length
  return { time, limit, count }
}

const aboutLena = (network: string, ...wider: string[]): Occurrence => ({
  networks: [network, ...wider],
  isAboutAccount: true,
})
const aboutNobody = (network: string, ...wider: string[]): Occurrence => ({
  networks: [network, ...wider],
  isAboutAccount: false,
})

describe('what strangers cause', () => {
  it('is recorded once a minute for a network when it is the same', () => {
    const { time, limit } = setUp()
    const repeated = (network: string, identity: string) => limit.admits({ ...aboutLena(network), identity })
    expect([repeated('a', 'x'), repeated('a', 'x'), repeated('a', 'y'), repeated('b', 'x')]).toEqual([
      true,
      false,
      true,
      true,
    ])
    time.now += MINUTE_MS
    expect(repeated('a', 'x')).toBe(true)
  })

  it('is recorded ten times a minute for a network, and a hundred times for the networks around it', () => {
    const { time, count } = setUp()
    expect(count(900, () => aboutLena('a'))).toBe(10)
    expect(count(900, (n) => aboutLena(`/64 ${n}`, '/56', '/48'))).toBe(100)
    expect(count(900, () => aboutLena('b'))).toBe(10)
    time.now += MINUTE_MS
    expect(count(900, () => aboutLena('a'))).toBe(10)
  })

  it('never crowds out what is about an account: made-up names get half of every share', () => {
    const { count } = setUp()
    expect(count(900, () => aboutNobody('a'))).toBe(5)
    expect(count(900, () => aboutLena('a'))).toBe(5)
    expect(count(900, (n) => aboutNobody(`/64 ${n}`, '/56', '/48'))).toBe(50)
    expect(count(900, (n) => aboutLena(`/64 ${n}`, '/56', '/48'))).toBe(50)
    expect(count(5_000, (n) => aboutNobody(`network ${n}`))).toBe(245)
    expect(count(5_000, (n) => aboutLena(`network ${n}`))).toBe(245)
  })

  it('is counted for the network that caused it when it is left out, once the minute is over', () => {
    const { time, limit, count } = setUp()
    count(900, () => aboutNobody('a'))
    count(12, () => ({ ...aboutLena('b'), identity: 'x' }))
    count(130, (n) => aboutLena(`/64 ${n}`, '/56', '/48'))
    count(1, () => aboutLena('c'))
    expect(limit.takeLeftOut()).toEqual([])
    time.now += MINUTE_MS
    expect(new Map(limit.takeLeftOut().map(({ network, count }) => [network, count]))).toEqual(
      new Map([
        ['a', 895],
        ['b', 11],
        // Both are full; the widest is looked at first.
        ['/48', 30],
      ]),
    )
    expect(limit.takeLeftOut()).toEqual([])
  })

  it('is counted for nobody in particular when there are too many networks, and makes few events even then', () => {
    const { time, limit, count } = setUp()
    count(50_000, (n) => aboutLena(`network ${n % 10_000}`))
    time.now += MINUTE_MS
    const leftOut = limit.takeLeftOut()
    expect(leftOut).toEqual([{ network: '', count: 49_400 }])
  })
})
