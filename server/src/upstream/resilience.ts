// The path of every call to a provider: circuit breaker → bulkhead → budget → rate limit → call. A call that is refused
// on the way was never made, costs nothing and says nothing about the provider: UpstreamError `open`, `busy` or
// `overBudget`.
//
// Whether a call succeeded is only known once its reply has been read: a CAPTCHA page arrives with status 200. So the
// caller passes in its reader and gets back what it read. Every call is judged once, here, so no caller can forget to
// report it. Errors thrown by the reader are rethrown.
//
// A call is charged if a reply came, whatever it says, and if that can't be known (no reply in time, a broken
// connection). With a budget it is spent before it is made, and refunded only if it certainly never reached the
// provider; without one it is counted afterwards. A retried request is a second call: it is spent and rate-limited
// again. Without a rate limit and a budget, nothing here waits except for the call itself.
import type { Deadline } from '@bowerbird/engines/deadline.ts'
import type { ProviderReply, ProviderRequest } from '@bowerbird/engines/engine.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import type { ProviderBudget, Refund } from '../budget/provider-budget.ts'
import { createBulkhead } from './bulkhead.ts'
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts'
import type { ProviderClient } from './provider-client.ts'
import type { UpstreamRateLimit } from './upstream-rate-limit.ts'

export interface ResilienceParts {
  ask: ProviderClient['ask']
  /** Counts a call in the ledger. Not called with a budget, which counts its own calls. */
  countCall: (priceFactor: number) => void
  budget?: ProviderBudget | undefined
  rateLimit?: Pick<UpstreamRateLimit, 'acquire'> | undefined
  /** How long a call may wait for the rate limit. */
  maxWaitMs?: number
  maxInFlight?: number
  /** How long to stop calling a provider that throttles us without saying for how long; 0: like other failures. */
  restSeconds?: number
  /** Milliseconds of a monotonic clock. */
  clock?: () => number
  random?: () => number
}

type Ask = <T>(request: ProviderRequest, deadline: Deadline, read: (reply: ProviderReply) => T) => Promise<T>

/** For the metrics. */
export interface ResilienceState {
  isOpen: boolean
  inFlight: number
  /** How long all calls together have waited for the rate limit. */
  waitedMs: number
}

export interface ResilientProvider {
  state: () => ResilienceState
  /** Resolves to the result of `read`, which throws UpstreamError if the reply isn't an answer. */
  ask: Ask
  /** Like `ask`, but without the circuit breaker: a health check runs even while it's open, and is never its trial. */
  probe: Ask
}

const DEFAULT_MAX_WAIT_MS = 1_500
const DEFAULT_MAX_IN_FLIGHT = 200

/** Node's and undici's codes for a connection that was never established. */
const NEVER_OPENED = new Set<unknown>([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
])

export function createResilience(parts: ResilienceParts): ResilientProvider {
  const { ask, countCall, budget, rateLimit, maxWaitMs = DEFAULT_MAX_WAIT_MS, restSeconds = 0 } = parts
  const { clock = () => performance.now(), random = Math.random, maxInFlight = DEFAULT_MAX_IN_FLIGHT } = parts
  const breaker = createCircuitBreaker({ clock, random, restSeconds })
  const bulkhead = createBulkhead(maxInFlight)
  let waitedMs = 0
  const mustWait = budget !== undefined || rateLimit !== undefined

  /** Spends the budget and waits for the rate limit. */
  async function admit(attempt: Attempt, deadline: Deadline): Promise<void> {
    const refund = await budget?.consume(attempt, Math.min(maxWaitMs, deadline.remainingMs()))
    try {
      const askedAt = clock()
      await rateLimit?.acquire(deadline, maxWaitMs)
      waitedMs += clock() - askedAt
      if (deadline.signalled) throw busy(DEADLINE_PASSED)
      attempt.refund = refund
    } catch (error) {
      refund?.()
      throw error
    }
  }

  function count({ priceFactor }: Attempt): void {
    if (!budget) countCall(priceFactor)
  }

  async function admitAgain(attempt: Attempt, deadline: Deadline): Promise<void> {
    count(attempt)
    attempt.stage = 'admission'
    if (mustWait) await admit(attempt, deadline)
    attempt.stage = 'call'
  }

  async function makeCall<T>({ request, deadline, read }: Call<T>, attempt: Attempt): Promise<T> {
    if (!bulkhead.enter()) throw busy('too many calls to the provider are under way')
    try {
      if (mustWait) await admit(attempt, deadline)
      attempt.stage = 'call'
      const reply = await ask(request, deadline, () => admitAgain(attempt, deadline))
      attempt.stage = 'reading'
      count(attempt)
      return read(reply)
    } catch (error) {
      if (attempt.stage === 'call') {
        if (neverReachedProvider(error)) attempt.refund?.()
        else count(attempt)
      }
      throw error
    } finally {
      bulkhead.leave()
    }
  }

  return {
    state: () => ({ isOpen: breaker.isOpen(), inFlight: bulkhead.inside(), waitedMs }),
    ask: withBreaker(breaker, makeCall),
    probe: (request, deadline, read) => makeCall({ request, deadline, read }, newAttempt(request)),
  }
}

type MakeCall = <T>(call: Call<T>, attempt: Attempt) => Promise<T>

/** Wraps calls in the circuit breaker, which judges them by their outcome. */
function withBreaker(breaker: CircuitBreaker, makeCall: MakeCall): Ask {
  return async (request, deadline, read) => {
    if (deadline.signalled) throw busy(DEADLINE_PASSED)
    const ticket = breaker.enter()
    if (ticket === undefined) throw circuitOpen(breaker.retryAfterSeconds())
    const attempt = newAttempt(request)
    try {
      const answer = await makeCall({ request, deadline, read }, attempt)
      breaker.succeed(ticket)
      return answer
    } catch (error) {
      if (isFailure(error, attempt.stage)) breaker.fail(ticket, error instanceof UpstreamError ? error : UNREADABLE)
      else breaker.abandon(ticket)
      throw error
    }
  }
}

interface Call<T> {
  request: ProviderRequest
  deadline: Deadline
  read: (reply: ProviderReply) => T
}

/** The progress of a call. */
interface Attempt {
  stage: Stage
  priceFactor: number
  isForVisitor: boolean
  refund: Refund | undefined
}

const newAttempt = ({ priceFactor = 1, isForVisitor = false }: ProviderRequest): Attempt => ({
  stage: 'admission',
  priceFactor,
  isForVisitor,
  refund: undefined,
})

type Stage = 'admission' | 'call' | 'reading'

/** Used if a reader throws anything but an UpstreamError: the reply was unexpected. */
const UNREADABLE = { kind: 'malformed', retryAfterSeconds: undefined } as const

/** False for a bad query, a call never made and a bug of ours before the reply: they say nothing about the provider. */
const isFailure = (error: unknown, stage: Stage): boolean =>
  error instanceof UpstreamError ? !error.isQueryFault && !error.wasDeclined : stage === 'reading'

function neverReachedProvider(error: unknown): boolean {
  if (!(error instanceof UpstreamError)) return false
  if (error.kind === 'guarded' || error.isProxyFault) return true
  const { cause } = error
  return error.kind === 'unreachable' && cause instanceof Error && 'code' in cause && NEVER_OPENED.has(cause.code)
}

const DEADLINE_PASSED = 'the deadline passed before the provider was called'

const busy = (message: string): UpstreamError => new UpstreamError('busy', message, { retryAfterSeconds: 1 })

const circuitOpen = (retryAfterSeconds: number): UpstreamError =>
  new UpstreamError('open', 'the provider keeps failing', { retryAfterSeconds })
