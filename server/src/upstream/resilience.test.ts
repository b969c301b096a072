import { createDeadline } from '@bowerbird/engines/deadline.ts'
import type { ProviderReply } from '@bowerbird/engines/engine.ts'
import { UpstreamError, type UpstreamErrorKind } from '@bowerbird/engines/upstream-error.ts'
import { describe, expect, it } from 'vitest'
import { createResilience, type ResilienceParts } from './resilience.ts'

const REPLY: ProviderReply = { status: 200, headers: {}, body: 'hello' }
const REQUEST = { path: '/search' }
const readBody = ({ body }: ProviderReply) => body
const failWith = (kind: UpstreamErrorKind, cause?: Error) => async () => {
  throw new UpstreamError(kind, 'it failed', { cause })
}
const refusedByProxy = () => Promise.reject(new UpstreamError('unreachable', 'no tunnel', { isProxyFault: true }))
const refusedConnection = () => Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })

interface Admission {
  hasBudget?: boolean
  hasRateLimit?: boolean
}

/** A protected provider, and a log of all that happened to it. */
function openTrial({ hasBudget, hasRateLimit, ...parts }: Partial<ResilienceParts> & Admission = {}) {
  const diary: string[] = []
  const time = { now: 0 }
  const answer = parts.send ?? (async () => REPLY)
  const budget = {
    async consume() {
      diary.push('consume')
      return () => void diary.push('refund')
    },
  }
  const rateLimit = { acquire: async () => void diary.push('turn') }
  const provider = createResilience({
    countCall: () => void diary.push('count'),
    clock: () => time.now,
    random: () => 0.5,
    ...(hasBudget && { budget }),
    ...(hasRateLimit && { rateLimit }),
    ...parts,
    async send(request, deadline, beforeRetry) {
      diary.push('call')
      return await answer(request, deadline, beforeRetry)
    },
  })
  const deadline = createDeadline(5_000)
  const ask = (read: (reply: ProviderReply) => string = readBody) => provider.ask(REQUEST, deadline, read)
  const kindOf = (asked: Promise<unknown>): Promise<string> =>
    asked.then(
      () => 'ok',
      (error: unknown) => (error instanceof UpstreamError ? error.kind : String(error)),
    )
  return { diary, time, deadline, provider, ask, kindOf }
}

describe('a protected provider', () => {
  it('returns what the parser makes of the reply, and counts the call', async () => {
    const { ask, diary } = openTrial()
    expect(await ask((reply) => `${reply.body}!`)).toBe('hello!')
    expect(diary).toEqual(['call', 'count'])
  })

  it('consumes the budget, then the rate limit, then calls', async () => {
    const trial = openTrial({ hasBudget: true, hasRateLimit: true })
    await trial.ask()
    expect(trial.diary).toEqual(['consume', 'turn', 'call'])
  })

  it('a failure is rethrown unchanged', async () => {
    const bug = new Error('a bug')
    const { ask } = openTrial()
    await expect(
      ask(() => {
        throw bug
      }),
    ).rejects.toBe(bug)
    await expect(openTrial({ send: failWith('malformed') }).ask()).rejects.toMatchObject({ kind: 'malformed' })
  })

  it.each<[string, ReturnType<typeof failWith>, string[]]>([
    ['no reply in time: spent, for it may have arrived', failWith('timeout'), []],
    ['a connection that broke: spent, for it may have arrived', failWith('unreachable'), []],
    ['a reply that is too large: spent', failWith('malformed'), []],
    ['a connection that never opened: given back', failWith('unreachable', refusedConnection()), ['refund']],
    ['an address that our guard refuses: given back', failWith('guarded'), ['refund']],
    ['a proxy that does not connect: given back', refusedByProxy, ['refund']],
  ])('%s', async (_, send, afterwards) => {
    const trial = openTrial({ send, hasBudget: true })
    await trial.kindOf(trial.ask())
    expect(trial.diary).toEqual(['consume', 'call', ...afterwards])
  })

  it('an unusable reply is spent, once', async () => {
    const trial = openTrial({ hasBudget: true })
    const blocked = () => {
      throw new UpstreamError('blocked', 'a page that asks for a human')
    }
    expect(await trial.kindOf(trial.ask(blocked))).toBe('blocked')
    expect(trial.diary).toEqual(['consume', 'call'])
  })

  it('a call that never reached its provider is not counted', async () => {
    const { ask, kindOf, diary } = openTrial({ send: failWith('unreachable', refusedConnection()) })
    await kindOf(ask())
    expect(diary).toEqual(['call'])
  })
})

describe('a retried request', () => {
  const sendTwice: ResilienceParts['send'] = async (_request, _deadline, beforeRetry) => {
    await beforeRetry()
    return REPLY
  }

  it('is a separate call: the first stays spent, and the second is spent and waits for the rate limit', async () => {
    const trial = openTrial({
      send: sendTwice,
      hasBudget: true,
      hasRateLimit: true,
    })
    expect(await trial.ask()).toBe('hello')
    expect(trial.diary).toEqual(['consume', 'turn', 'call', 'consume', 'turn'])
  })

  it('is counted twice without a budget', async () => {
    const { ask, diary } = openTrial({ send: sendTwice })
    await ask()
    expect(diary).toEqual(['call', 'count', 'count'])
  })

  it('is not sent when the budget refuses; the first call stays spent', async () => {
    let left = 1
    const trial = openTrial({
      send: async (request, deadline, beforeRetry) => {
        await beforeRetry().catch(failWith('unreachable'))
        return await sendTwice(request, deadline, beforeRetry)
      },
      budget: {
        async consume() {
          if (left-- === 0) throw new UpstreamError('overBudget', 'spent')
          return () => undefined
        },
      },
    })
    expect(await trial.kindOf(trial.ask())).toBe('unreachable')
    expect(trial.diary).toEqual(['call'])
  })
})

describe('a health check of a protected provider', () => {
  it('is spent and waits for the rate limit, like any call', async () => {
    const trial = openTrial({ hasBudget: true, hasRateLimit: true })
    expect(await trial.provider.probe(REQUEST, trial.deadline, readBody)).toBe('hello')
    expect(trial.diary).toEqual(['consume', 'turn', 'call'])
  })

  it('passes an open circuit, and neither opens nor closes one', async () => {
    let works = false
    const { ask, kindOf, provider, deadline } = openTrial({
      send: async () => (works ? REPLY : await failWith('timeout')()),
    })
    for (let i = 0; i < 9; i++) expect(await kindOf(provider.probe(REQUEST, deadline, readBody))).toBe('timeout')
    for (let i = 0; i < 5; i++) expect(await kindOf(ask())).toBe('timeout')
    works = true
    expect(await kindOf(provider.probe(REQUEST, deadline, readBody))).toBe('ok')
    expect(await kindOf(ask())).toBe('open')
  })

  it('is not made when the budget is spent', async () => {
    const { provider, deadline, kindOf, diary } = openTrial({ budget: { consume: failWith('overBudget') } })
    expect(await kindOf(provider.probe(REQUEST, deadline, readBody))).toBe('overBudget')
    expect(diary).toEqual([])
  })
})

describe('a protected provider is not called', () => {
  it('when its circuit is open; our refusals do not open it and one trial is made in time', async () => {
    const { ask, kindOf, diary, time } = openTrial({ send: failWith('timeout') })
    for (let i = 0; i < 5; i++) expect(await kindOf(ask())).toBe('timeout')
    await expect(ask()).rejects.toMatchObject({ kind: 'open', retryAfterSeconds: 1 })
    expect(diary.filter((word) => word === 'call')).toHaveLength(5)
    time.now += 1_000
    expect(await Promise.all([kindOf(ask()), kindOf(ask()), kindOf(ask())])).toEqual(['timeout', 'open', 'open'])
  })

  it('when five replies were unreadable, but not when only the queries were wrong', async () => {
    const fail = (isQueryFault: boolean) => () => {
      throw new UpstreamError('rejected', 'refused', { isQueryFault })
    }
    const { ask, kindOf } = openTrial()
    for (let i = 0; i < 10; i++) expect(await kindOf(ask(fail(true)))).toBe('rejected')
    for (let i = 0; i < 5; i++) expect(await kindOf(ask(fail(false)))).toBe('rejected')
    expect(await kindOf(ask())).toBe('open')
  })

  it('before the Retry-After of its last reply is over', async () => {
    const { ask, kindOf, time } = openTrial()
    const throttled = () => {
      throw new UpstreamError('throttled', 'slow down', { retryAfterSeconds: 7 })
    }
    expect(await kindOf(ask(throttled))).toBe('throttled')
    await expect(ask()).rejects.toMatchObject({ kind: 'open', retryAfterSeconds: 7 })
    time.now += 7_000
    expect(await kindOf(ask())).toBe('ok')
  })

  it('when too many calls are in flight, including those waiting for the rate limit', async () => {
    const { promise, resolve } = Promise.withResolvers<ProviderReply>()
    const { ask, kindOf, diary } = openTrial({ send: () => promise, maxInFlight: 3 })
    const asked = [ask(), ask(), ask()].map(kindOf)
    expect(await kindOf(ask())).toBe('busy')
    resolve(REPLY)
    expect(await Promise.all(asked)).toEqual(['ok', 'ok', 'ok'])
    expect(await kindOf(ask())).toBe('ok')
    expect(diary.filter((word) => word === 'call')).toHaveLength(4)
  })

  it('when the budget refuses; the trial of an open circuit then passes to the next call', async () => {
    const overBudget = failWith('overBudget')
    let isQuotaUsedUp = false
    const consume = () => (isQuotaUsedUp ? overBudget() : Promise.resolve(() => undefined))
    let works = false
    const answer = async () => (works ? REPLY : await failWith('timeout')())
    const { ask, kindOf, time } = openTrial({ budget: { consume }, send: answer })
    for (let i = 0; i < 5; i++) await kindOf(ask())
    time.now += 1_000
    isQuotaUsedUp = true
    expect(await kindOf(ask())).toBe('overBudget')
    expect(await kindOf(ask())).toBe('overBudget')
    isQuotaUsedUp = false
    works = true
    expect(await kindOf(ask())).toBe('ok')
  })

  it('when the rate limit refuses; what was spent is refunded', async () => {
    const trial = openTrial({ rateLimit: { acquire: failWith('busy') }, hasBudget: true })
    expect(await trial.kindOf(trial.ask())).toBe('busy')
    expect(trial.diary).toEqual(['consume', 'refund'])
  })

  it('when the time is up already, or by the time everything else is ready', async () => {
    const trial = openTrial({
      budget: {
        async consume() {
          trial.deadline.cancel()
          return () => void trial.diary.push('refund')
        },
      },
    })
    expect(await trial.kindOf(trial.ask())).toBe('busy')
    expect(await trial.kindOf(trial.ask())).toBe('busy')
    expect(trial.diary).toEqual(['refund'])
  })
})
