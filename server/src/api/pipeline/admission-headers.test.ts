import { describe, expect, it } from 'vitest'
import type { VerifiedKey } from '../../keys/verify-key.ts'
import type { ConsumeVerdict } from '../../rate-limit/rate-limiter.ts'
import { LIMITS, setUpApi } from '../api.test-harness.ts'
import { limitsOf, rateLimitHeader, rateLimitPolicyHeader } from './admission.ts'

const verdict = (own: Partial<ConsumeVerdict> = {}): ConsumeVerdict => ({
  burst: { remaining: 41, resetSeconds: 22 },
  sustained: { remaining: 4_981, resetSeconds: 60 },
  refusedBy: undefined,
  waitMs: 0,
  retryAfterSeconds: 0,
  giveBack: () => undefined,
  ...own,
})

const ownLimits = (own: Pick<VerifiedKey, 'burst' | 'sustained'>) => limitsOf(own as VerifiedKey, LIMITS)

describe('the limits of a key', () => {
  it('are those of the instance, as the same object, unless the key has its own', () => {
    expect(ownLimits({ burst: undefined, sustained: undefined })).toBe(LIMITS)
  })

  it.each(['burst', 'sustained'] as const)('are its own %s and the rest of the instance’s', (name) => {
    const rate = { count: 7, windowMs: 1_000 }
    const own = { burst: undefined, sustained: undefined, [name]: rate }
    expect(limitsOf(own as unknown as VerifiedKey, { ...LIMITS, monthlyCap: 9 })).toEqual({
      ...LIMITS,
      monthlyCap: 9,
      [name]: rate,
    })
  })
})

describe('the headers', () => {
  it('list both limits, with windows rounded up to whole seconds', () => {
    expect(rateLimitPolicyHeader(LIMITS)).toBe('"burst";q=60;w=60, "sustained";q=5000;w=86400')
    expect(rateLimitPolicyHeader({ ...LIMITS, burst: { count: 1, windowMs: 1_500 } })).toMatch(/^"burst";q=1;w=2,/)
  })

  it.each([
    [undefined, '"burst";r=41;t=22, "sustained";r=4981;t=60'],
    ['burst', '"burst";r=0;t=9, "sustained";r=4981;t=60'],
    ['sustained', '"sustained";r=0;t=9, "burst";r=41;t=22'],
    ['month', '"month";r=0;t=9, "burst";r=41;t=22, "sustained";r=4981;t=60'],
  ] as const)('put the limit that refused first: %s', (refusedBy, header) => {
    expect(rateLimitHeader(verdict({ refusedBy, retryAfterSeconds: 9 }))).toBe(header)
  })
})

describe('a request', () => {
  const stage = setUpApi({
    limits: { burst: { count: 3, windowMs: 60_000 }, sustained: { count: 5, windowMs: 3_600_000 } },
  })
  const path = '/api/v1/status/'

  it('429: beyond the burst, with the same wait in detail, Retry-After and RateLimit; after it the request passes', async () => {
    const key = stage.addKey()
    for (let i = 0; i < 3; i++) {
      expect((await stage.get(path, { key })).status).toBe(200)
      stage.now += 10_000
    }
    const { status, json, headers } = await stage.get(path, { key })
    expect(status).toBe(429)
    expect(json).toEqual({ detail: 'Request was throttled. Expected available in 30 seconds.' })
    expect(headers['retry-after']).toBe('30')
    expect(headers['ratelimit']).toMatch(/^"burst";r=0;t=30, "sustained";r=2;/)
    expect(stage.asked.filter(([name]) => name === 'status')).toHaveLength(3)
    stage.now += 30_000
    expect((await stage.get(path, { key })).status).toBe(200)
  })

  it('429: beyond the sustained limit, which is then listed first', async () => {
    const key = stage.addKey()
    for (let i = 0; i < 5; i++) {
      expect((await stage.get(path, { key })).status).toBe(200)
      stage.now += 60_000
    }
    const { status, headers } = await stage.get(path, { key })
    expect(status).toBe(429)
    expect(headers['ratelimit']).toMatch(/^"sustained";r=0;t=\d+, "burst";/)
  })

  it('has the limits of its own key, and other keys’ requests do not count', async () => {
    const [one, other] = [stage.addKey({ burst: { count: 1, windowMs: 60_000 } }), stage.addKey()]
    const { headers } = await stage.get(path, { key: one })
    expect(headers['ratelimit-policy']).toBe('"burst";q=1;w=60, "sustained";q=5;w=3600')
    expect((await stage.get(path, { key: one })).status).toBe(429)
    expect((await stage.get(path, { key: other })).status).toBe(200)
  })
})

describe('a monthly cap', () => {
  const stage = setUpApi({ limits: { monthlyCap: 2 } })

  it('429: once it is used up, until the month ends; uncounted endpoints keep working', async () => {
    const key = stage.addKey()
    stage.usedThisMonth = 1
    expect((await stage.get('/api/v1/suggest/?q=climate', { key })).status).toBe(200)
    const { status, json, headers } = await stage.get('/api/v1/suggest/?q=climate', { key })
    expect(status).toBe(429)
    const seconds = (Date.UTC(2026, 11, 1) - stage.now) / 1_000
    expect(headers['retry-after']).toBe(`${seconds}`)
    expect(json.detail).toBe(
      `This API key has reached its monthly search cap. The cap resets on 2026-12-01 at 00:00 UTC, in ${seconds} seconds.`,
    )
    expect(headers['ratelimit']).toMatch(/^"month";r=0;/)
    expect((await stage.get('/api/v1/key/', { key })).status).toBe(200)
  })

  it('503: a failed request does not count against it', async () => {
    const key = stage.addKey()
    stage.usedThisMonth = 1
    stage.says.suggest = () => Promise.reject(new Error('a bug'))
    expect((await stage.get('/api/v1/suggest/?q=climate', { key })).status).toBe(500)
    stage.says.suggest = async () => ({ suggestions: [], status: 'complete' })
    expect((await stage.get('/api/v1/suggest/?q=climate', { key })).status).toBe(200)
  })
})

describe('limits for all keys of a user', () => {
  const burst = { count: 3, windowMs: 60_000 }
  const stage = setUpApi({ userLimits: { burst, sustained: undefined, monthlyCap: 4 } })
  const ask = (key: string, path = 'suggest/?q=climate') => stage.get(`/api/v1/${path}`, { key })

  it('429: keys of one user share them; other users are unaffected', async () => {
    const [one, other] = [stage.addKey({ userId: '7' }), stage.addKey({ userId: '7', keyId: '2' })]
    for (const key of [one, one, other]) expect((await ask(key)).status).toBe(200)
    const { status, json, headers } = await ask(other)
    expect(status).toBe(429)
    expect(json).toEqual({ detail: 'Request was throttled. Expected available in 60 seconds.' })
    expect(headers['retry-after']).toBe('60')
    expect(headers['ratelimit']).toMatch(/^"user-burst";r=0;t=60, "burst";r=59;t=60, "sustained";r=4999;/)
    expect((await ask(stage.addKey({ userId: '8', keyId: '3' }))).status).toBe(200)
  })

  it('429: the refusal names the monthly cap of the account', async () => {
    stage.usedThisMonth = 4
    const { status, json, headers } = await ask(stage.addKey({ userId: '9', keyId: '4' }))
    expect(status).toBe(429)
    expect(json.detail).toMatch(
      /^This account has reached its monthly search cap\. The cap resets on 2026-12-01 at 00:00 UTC, in \d+ seconds\.$/,
    )
    expect(headers['ratelimit']).toMatch(/^"user-month";r=0;/)
  })

  it('every request is still one call to the rate limiter', async () => {
    const counted = stage.consumed.length
    await ask(stage.addKey({ userId: '10', keyId: '5' }))
    expect(stage.consumed.length).toBe(counted + 1)
  })
})
