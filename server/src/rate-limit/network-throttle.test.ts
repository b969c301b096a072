import { describe, expect, it } from 'vitest'
import { createNetworkThrottle, networksOf } from './network-throttle.ts'

const perMinute = (count: number) => [{ count, windowMs: 60_000 }]

function setUp(everyone = perMinute(200)) {
  const time = { now: 0 }
  const networks = [perMinute(5), perMinute(10), perMinute(20)]
  const throttle = createNetworkThrottle({ networks, everyone }, () => time.now)
  /** How many of these in a row are allowed. */
  const allowed = (addresses: string[]) =>
    addresses.filter((address) => {
      if (throttle.waitOf(address) > 0) return false
      throttle.record(address)
      return true
    }).length
  return { time, throttle, allowed }
}

const many = (count: number, toAddress: (n: number) => string) => Array.from({ length: count }, (_, n) => toAddress(n))

describe('the networks of an address', () => {
  it('are its /64, /56 and /48, or an IPv4 address alone, however it is written', () => {
    expect(networksOf('2001:db8:1:2:3:4:5:6')).toEqual(['20010db800010002', '20010db8000100/56', '20010db80001/48'])
    expect(networksOf('192.0.2.1')).toEqual(['192.0.2.1'])
    expect(networksOf('::ffff:192.0.2.1')).toEqual(['192.0.2.1'])
    expect(networksOf('nonsense')).toEqual(['unknown'])
  })
})

describe('a throttle by network', () => {
  it('limits a /64, whichever of its addresses are used', () => {
    const { allowed } = setUp()
    expect(allowed(many(50, (n) => `2001:db8:1:2::${n + 1}`))).toBe(5)
    expect(allowed(many(50, () => '192.0.2.1'))).toBe(5)
  })

  it('has higher limits for the /64s of a /56, and for those of a /48', () => {
    const { allowed } = setUp()
    expect(allowed(many(50, (n) => `2001:db8:1:${n.toString(16)}::1`))).toBe(10)
    expect(allowed(many(250, (n) => `2001:db8:2:${(n * 256).toString(16)}::1`))).toBe(20)
  })

  it('has a ceiling for everyone', () => {
    const { allowed } = setUp()
    expect(allowed(many(500, (n) => `10.0.${n % 250}.${n >> 8}`))).toBe(200)
  })

  it('says how long to wait, and waiting that long works', () => {
    const { time, throttle, allowed } = setUp()
    allowed(many(5, () => '192.0.2.1'))
    time.now = 12_500
    expect(throttle.waitOf('192.0.2.1')).toBe(48)
    expect(throttle.waitOf('192.0.2.2')).toBe(0)
    time.now = 60_500
    expect(throttle.waitOf('192.0.2.1')).toBe(0)
  })

  it('stays within bounds under a flood of networks, and still limits the wider ones', () => {
    const { throttle, allowed } = setUp([])
    expect(allowed(many(6, () => '192.0.2.1'))).toBe(5)
    for (let n = 0; n < 20_000; n++) throttle.record(`2001:db8:${(n % 30).toString(16)}:${n.toString(16)}::1`)
    // 20,000 networks of each width are remembered.
    expect(throttle.waitOf('192.0.2.1')).toBe(0)
    expect(throttle.waitOf('2001:db8:5:ffff::1')).toBeGreaterThan(0)
  })
})
