// The path of every call to a provider: circuit breaker → bulkhead → budget → rate limit → call. A call that is refused
// on the way was never made, costs nothing and says nothing about the provider: UpstreamError `open`, `busy` or
// `overBudget`.
//
// Whether a call succeeded is only known once its reply has been read: a CAPTCHA page arrives with status 200. So the
// caller passes in its reader and gets back what it read. Every call but a health check is judged once, here, so no
// caller can forget to report it. Errors thrown by the reader are rethrown.
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
import { createCircuitBreaker } from './circuit-breaker.ts'
import type { ProviderClient } from './provider-client.ts'
import type { UpstreamRateLimit } from './upstream-rate-limit.ts'

export interface ResilienceParts {
  send: ProviderClient['send']
  /** Counts a call in the ledger. A provider with a budget doesn't need it: the budget counts its own calls. */
  countCall: (priceFactor: number) => void
  budget?: ProviderBudget | undefined
  rateLimit?: Pick<UpstreamRateLimit, 'acquire'> | undefined
  /** How long a call may wait for the budget, and again for the rate limit. */
  maxWaitMs?: number
  maxInFlight?: number
  /** The rest after a provider throttles us without saying for how long. With 0, that is a failure like any other. */
  restSeconds?: number
  /** Milliseconds of a monotonic clock. */
  clock?: () => number
  random?: () => number
}

/** The metrics show it. */
export interface ResilienceState {
  isOpen: boolean
  inFlight: number
  /** The time that all calls together have waited for the rate limit, without waits that ended in a refusal. */
  waitedMs: number
}

export interface ResilientProvider {
  state: () => ResilienceState
  /** Resolves to the result of `read`, which throws UpstreamError if the reply isn't an answer. */
  ask: ProviderCall
  /** Like `ask`, but without the circuit breaker: a health check runs even while it's open, and is never its trial. */
  probe: ProviderCall
}

type ProviderCall = <T>(request: ProviderRequest, deadline: Deadline, read: (reply: ProviderReply) => T) => Promise<T>

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
  const { send, countCall, budget, rateLimit, maxWaitMs = DEFAULT_MAX_WAIT_MS, restSeconds = 0 } = parts
  const { clock = () => performance.now(), random = Math.random, maxInFlight = DEFAULT_MAX_IN_FLIGHT } = parts
  const breaker = createCircuitBreaker({ clock, random, restSeconds })
  const bulkhead = createBulkhead(maxInFlight)
  const hasAdmission = budget !== undefined || rateLimit !== undefined
  let waitedMs = 0

  /** Spends the budget and waits for the rate limit. */
  async function admit(attempt: Attempt, deadline: Deadline): Promise<void> {
    const refund = await budget?.consume(attempt, Math.min(maxWaitMs, deadline.remainingMs()))
    try {
      const waitStartedAt = clock()
      await rateLimit?.acquire(deadline, maxWaitMs)
      waitedMs += clock() - waitStartedAt
      if (deadline.signalled) throw createBusyError(DEADLINE_PASSED)
      attempt.refund = refund
    } catch (error) {
      refund?.()
      throw error
    }
  }

  function countUnbudgeted({ priceFactor }: Attempt): void {
    if (!budget) countCall(priceFactor)
  }

  async function admitAgain(attempt: Attempt, deadline: Deadline): Promise<void> {
    countUnbudgeted(attempt)
    attempt.stage = 'admission'
    if (hasAdmission) await admit(attempt, deadline)
    attempt.stage = 'call'
  }

  async function makeCall<T>({ request, deadline, read }: Call<T>, attempt: Attempt): Promise<T> {
    if (!bulkhead.enter()) throw createBusyError('too many calls to the provider are under way')
    try {
      if (hasAdmission) await admit(attempt, deadline)
      attempt.stage = 'call'
      const reply = await send(request, deadline, () => admitAgain(attempt, deadline))
      attempt.stage = 'reading'
      countUnbudgeted(attempt)
      return read(reply)
    } catch (error) {
      if (attempt.stage === 'call') {
        if (neverReachedProvider(error)) attempt.refund?.()
        else countUnbudgeted(attempt)
      }
      throw error
    } finally {
      bulkhead.leave()
    }
  }

  return {
    state: () => ({ isOpen: breaker.isOpen(), inFlight: bulkhead.inside(), waitedMs }),
    async ask(request, deadline, read) {
      if (deadline.signalled) throw createBusyError(DEADLINE_PASSED)
      const ticket = breaker.enter()
      if (ticket === undefined) throw createOpenError(breaker.retryAfterSeconds())
      const attempt = createAttempt(request)
      try {
        const answer = await makeCall({ request, deadline, read }, attempt)
        breaker.succeed(ticket)
        return answer
      } catch (error) {
        if (isProviderFault(error, attempt)) breaker.fail(ticket, error instanceof UpstreamError ? error : UNREADABLE)
        else breaker.abandon(ticket)
        throw error
      }
    },
    probe: (request, deadline, read) => makeCall({ request, deadline, read }, createAttempt(request)),
  }
}

interface Call<T> {
  request: ProviderRequest
  deadline: Deadline
  read: (reply: ProviderReply) => T
}

/** A call, and how far it has got. */
interface Attempt {
  stage: 'admission' | 'call' | 'reading'
  priceFactor: number
  isForVisitor: boolean
  refund: Refund | undefined
}

const createAttempt = ({ priceFactor = 1, isForVisitor = false }: ProviderRequest): Attempt => ({
  stage: 'admission',
  priceFactor,
  isForVisitor,
  refund: undefined,
})

/** Stands for anything but an UpstreamError that a reader throws: the reply was unexpected. */
const UNREADABLE = { kind: 'malformed', retryAfterSeconds: undefined } as const

/** True if the error is the provider's fault. */
function isProviderFault(error: unknown, { stage }: Attempt): boolean {
  if (error instanceof UpstreamError) return !error.isQueryFault && !error.wasDeclined
  // Any other error is a bug of ours, unless the reader met a reply that it didn't expect.
  return stage === 'reading'
}

function neverReachedProvider(error: unknown): boolean {
  if (!(error instanceof UpstreamError)) return false
  if (error.kind === 'guarded' || error.isProxyFault) return true
  const { cause } = error
  return error.kind === 'unreachable' && cause instanceof Error && 'code' in cause && NEVER_OPENED.has(cause.code)
}

const DEADLINE_PASSED = 'the deadline passed before the provider was called'

const createBusyError = (message: string): UpstreamError => new UpstreamError('busy', message, { retryAfterSeconds: 1 })

const createOpenError = (retryAfterSeconds: number): UpstreamError =>
  new UpstreamError('open', 'the provider keeps failing', { retryAfterSeconds })
