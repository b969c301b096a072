import { describe, expect, it } from 'vitest'
import { createAttemptThrottle, createSignInLimits, toNetwork } from './sign-in-limits.ts'

const DAY_MS = 86_400_000

function setUp() {
  const time = { now: Date.UTC(2026, 10, 15) }
  return { time, limits: createSignInLimits(() => time.now) }
}

/** A guesser who always waits exactly as long as asked. */
function countGuesses(
  tries: () => ReturnType<ReturnType<typeof createSignInLimits>['forPassword']>,
  time: { now: number },
) {
  const end = time.now + DAY_MS
  let guesses = 0
  while (time.now < end) {
    const permission = tries()
    if (permission.ok) guesses++
    else time.now += permission.retryAfterSeconds * 1_000
  }
  return guesses
}

describe('guessing at a password', () => {
  it('of one name is possible about a hundred times a day, from however many addresses', () => {
    const { time, limits } = setUp()
    let address = 0
    const guesses = countGuesses(
      () => limits.forPassword({ username: 'lena', address: `10.0.${(address++ >> 8) % 256}.${address % 256}` }),
      time,
    )
    expect(guesses).toBeGreaterThan(50)
    expect(guesses).toBeLessThan(150)
  })

  it('of many names from one address is possible some hundred times a day', () => {
    const { time, limits } = setUp()
    let name = 0
    const guesses = countGuesses(() => limits.forPassword({ username: `user${name++}`, address: '192.0.2.1' }), time)
    expect(guesses).toBeLessThan(600)
  })

  it('of many names from the /64s of one /48 is held back as well', () => {
    const { limits } = setUp()
    const tries = Array.from({ length: 400 }, (_, n) =>
      limits.forPassword({ username: `user${n}`, address: `2001:db8:1:${((n % 250) * 256).toString(16)}::1` }),
    )
    const allowed = tries.filter(({ ok }) => ok).length
    expect(allowed).toBeGreaterThanOrEqual(200)
    expect(allowed).toBeLessThan(210)
    expect(limits.forPassword({ username: 'lena', address: '2001:db8:2::1' }).ok).toBe(true)
  })

  it("a flood of names and networks does not evict a network's earlier attempts", () => {
    const { limits } = setUp()
    const guess = (username: string) => limits.forPassword({ username, address: '192.0.2.1' })
    for (let n = 0; n < 30; n++) guess(`victim${n}`)
    expect(guess('victim').ok).toBe(false)
    for (let n = 0; n < 50_001; n++) limits.forRecoveryCode({ userId: `${n}`, address: '198.51.100.1' })
    expect(guess('victim').ok).toBe(false)
  })

  it('by everyone together does not keep out those who have a known device', () => {
    const { limits } = setUp()
    for (let n = 0; n < 3_000; n++) limits.forPassword({ username: `user${n}`, address: `10.${n >> 8}.${n % 256}.1` })
    expect(limits.forPassword({ username: 'otto', address: '203.0.113.9' }).ok).toBe(false)
    expect(limits.forPassword({ username: 'lena', address: '192.0.2.1', device: 'of lena' }).ok).toBe(true)
  })

  it('on a stolen device is possible about a hundred times a day, and does not help elsewhere', () => {
    const { time, limits } = setUp()
    const stolen = { username: 'lena', address: '198.51.100.1', device: 'of lena' }
    const guesses = countGuesses(() => limits.forPassword(stolen), time)
    expect(guesses).toBeGreaterThan(50)
    expect(guesses).toBeLessThan(150)
    expect(limits.forPassword({ ...stolen, device: 'another of lena' }).ok).toBe(true)
  })

  it('is not bought by signing in to your own account', () => {
    const { limits } = setUp()
    let guesses = 0
    for (let n = 0; n < 200; n++) {
      if (limits.forPassword({ username: `victim${n}`, address: '192.0.2.1' }).ok) guesses++
      const own = limits.forPassword({ username: 'mallory', address: '192.0.2.1' })
      if (own.ok) own.succeeded()
    }
    expect(guesses).toBeLessThan(25)
  })

  it('throttles signed-in users by user', () => {
    const { limits } = setUp()
    const passed = Array.from({ length: 20 }, () => limits.forUser('7', 'own code')).filter(({ ok }) => ok)
    expect(passed).toHaveLength(6)
    expect(limits.forUser('8', 'own code').ok).toBe(true)
    expect(limits.forUser('7', 'own password').ok).toBe(true)
  })
})

describe('guessing at a code', () => {
  const at = (address: string) => ({ userId: '7', address })

  it('of one account is possible some hundred times a day, from however many addresses', () => {
    const { time, limits } = setUp()
    let address = 0
    const guesses = countGuesses(() => limits.forCode(at(`10.0.${(address++ >> 8) % 256}.${address % 256}`)), time)
    expect(guesses).toBeLessThan(400)
  })

  it('from one network does not lock out another, and from all of them not a known device', () => {
    const { limits } = setUp()
    for (let n = 0; n < 50; n++) limits.forCode(at('198.51.100.1'))
    expect(limits.forCode(at('198.51.100.1')).ok).toBe(false)
    expect(limits.forCode(at('203.0.113.9')).ok).toBe(true)
    for (let n = 0; n < 250; n++) limits.forCode(at(`198.51.100.${n}`))
    expect(limits.forCode(at('203.0.113.9')).ok).toBe(false)
    expect(limits.forCode({ ...at('203.0.113.9'), device: 'of lena' }).ok).toBe(true)
    expect(limits.forRecoveryCode(at('198.51.100.1')).ok).toBe(true)
  })
})

describe('challenges for passkeys', () => {
  const from48 = (n: number) => `2001:db8:1:${n.toString(16)}::1`

  it('from the /64s of one /48 are held back together, and others are not', () => {
    const { limits } = setUp()
    const allowed = Array.from({ length: 600 }, (_, n) => limits.forPasskey(from48(n * 64))).filter(({ ok }) => ok)
    expect(allowed.length).toBeLessThanOrEqual(301)
    const narrower = Array.from({ length: 600 }, (_, n) => limits.forPasskey(`2001:db8:2:${(n % 256).toString(16)}::1`))
    expect(narrower.filter(({ ok }) => ok).length).toBeLessThanOrEqual(101)
    expect(limits.forPasskey('2001:db8:3::1').ok).toBe(true)
  })

  it('that are answered do not use up what their network has', () => {
    const { limits } = setUp()
    for (let n = 0; n < 90; n++) expect(limits.forPasskey(from48(n)).ok).toBe(true)
    for (let n = 0; n < 500; n++) {
      const answered = limits.forPasskey(from48(1_000))
      expect(answered.ok).toBe(true)
      if (answered.ok) answered.succeeded()
    }
  })
})

describe('the network of an address', () => {
  it('is the address itself, or the first 64 bits of an IPv6 address', () => {
    expect(toNetwork('192.0.2.1')).toBe('192.0.2.1')
    expect(toNetwork('::ffff:192.0.2.1')).toBe('192.0.2.1')
    expect(toNetwork('2001:db8:1:2:3:4:5:6')).toBe(toNetwork('2001:db8:1:2::1'))
    expect(toNetwork('2001:db8:1:2::1')).not.toBe(toNetwork('2001:db8:1:3::1'))
    expect(toNetwork('nonsense')).toBe('unknown')
  })
})

const MINUTE_MS = 60_000
const SUBJECT = { name: 'lena', rule: { free: 3, maxWaitMs: MINUTE_MS, decayMs: 10 * MINUTE_MS } }

function setUpThrottle() {
  const time = { now: 1_000_000 }
  return { time, throttle: createAttemptThrottle(() => time.now) }
}

describe('attempts', () => {
  it('are free at first; then each waits twice as long as the one before, up to the longest wait', () => {
    const { time, throttle } = setUpThrottle()
    for (let n = 0; n < 4; n++) expect(throttle.begin([SUBJECT]).ok).toBe(true)
    const waits: number[] = []
    for (let n = 0; n < 7; n++) {
      const attempt = throttle.begin([SUBJECT])
      if (attempt.ok) throw new Error('it should have had to wait')
      waits.push(attempt.retryAfterSeconds)
      time.now += attempt.retryAfterSeconds * 1_000
      expect(throttle.begin([SUBJECT]).ok).toBe(true)
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 60, 60])
  })

  it('that are refused cost nothing, so a client that waits gets through', () => {
    const { time, throttle } = setUpThrottle()
    for (let n = 0; n < 4; n++) throttle.begin([SUBJECT])
    for (let n = 0; n < 100; n++) expect(throttle.begin([SUBJECT])).toEqual({ ok: false, retryAfterSeconds: 2 })
    time.now += 1_999
    expect(throttle.begin([SUBJECT]).ok).toBe(false)
    time.now += 1
    expect(throttle.begin([SUBJECT]).ok).toBe(true)
  })

  it('count before their outcome is known: of a thousand concurrent ones only the free ones pass', () => {
    const { throttle } = setUpThrottle()
    const passed = Array.from({ length: 1_000 }, () => throttle.begin([SUBJECT])).filter(({ ok }) => ok)
    expect(passed).toHaveLength(SUBJECT.rule.free + 1)
  })

  it('are taken back when they succeed', () => {
    const { throttle } = setUpThrottle()
    for (let n = 0; n < 100; n++) {
      const attempt = throttle.begin([SUBJECT])
      if (!attempt.ok) throw new Error('it should not have had to wait')
      attempt.takeBack(SUBJECT)
    }
  })

  it('are forgotten little by little', () => {
    const { time, throttle } = setUpThrottle()
    for (let n = 0; n < 4; n++) throttle.begin([SUBJECT])
    time.now += 20 * MINUTE_MS
    expect([throttle.begin([SUBJECT]).ok, throttle.begin([SUBJECT]).ok]).toEqual([true, true])
    expect(throttle.begin([SUBJECT]).ok).toBe(false)
  })

  it('must be allowed by every subject', () => {
    const { throttle } = setUpThrottle()
    const other = { ...SUBJECT, name: 'otto' }
    for (let n = 0; n < 4; n++) throttle.begin([SUBJECT])
    expect(throttle.begin([other, SUBJECT]).ok).toBe(false)
    expect(throttle.begin([other]).ok).toBe(true)
    throttle.forget(SUBJECT)
    expect(throttle.begin([other, SUBJECT]).ok).toBe(true)
  })

  it('keep their waits when the clock is set back', () => {
    const { time, throttle } = setUpThrottle()
    for (let n = 0; n < 4; n++) throttle.begin([SUBJECT])
    time.now -= 500_000
    expect(throttle.begin([SUBJECT]).ok).toBe(false)
  })
})
