// What stands between a search and a provider, once for all providers: circuit breaker → bulkhead → budget → pace →
// call → settle. A call that is refused on the way was never made, costs nothing and says nothing about the provider:
// UpstreamError `open`, `busy` or `overBudget`.
//
// Whether a call went well is known only when its reply has been read: a page that asks for a human arrives with status
// 200. So the caller gives its reader along and gets what it reads, and every call is judged once, here, without anyone
// having to remember to report it. What the reader throws is thrown on.
//
// A call is billed when a reply came, whatever it says, and when nobody can know (no reply in time, a broken
// connection). It is released only when it certainly never reached the provider. With neither pace nor budget nothing
// here is waited for but the call.
import { UpstreamError } from '../errors.ts'
import { createBulkhead } from './bulkhead.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import type { Deadline } from './deadline.ts'
import type { ProviderReply } from './http-request.ts'
import type { ProviderRequest } from './provider-client.ts'
import { type Pace, type PacePlace, waitForTurn } from './wait-for-turn.ts'

/** One call's share of the budget. One of the two is called, once; neither is waited for. */
interface Reservation {
  bill: () => void
  release: () => void
}

interface Budget {
  /** Throws UpstreamError `overBudget` when the call must not be made. */
  reserve: () => Promise<Reservation>
}

export interface ProtectionParts {
  ask: (request: ProviderRequest, deadline: Deadline) => Promise<ProviderReply>
  /** Counts a call in the ledger; called for each that is billed without a budget, which counts its own. */
  countCall: () => void
  budget?: Budget | undefined
  pace?: Pace | undefined
  /** How long a call may wait for its turn. */
  maxWaitMs?: number
  maxInFlight?: number
  /** Milliseconds of a clock that only runs forward. */
  clock?: () => number
  random?: () => number
}

export interface ProtectedProvider {
  /** Gives what `read` makes of the reply. `read` throws UpstreamError for a reply that is not an answer. */
  ask: <T>(request: ProviderRequest, deadline: Deadline, read: (reply: ProviderReply) => T) => Promise<T>
}

const DEFAULT_MAX_WAIT_MS = 1_500
const DEFAULT_MAX_IN_FLIGHT = 200

/** How Node and undici name a connection that never opened. */
const NEVER_OPENED = new Set<unknown>([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
])

export function protectProvider(parts: ProtectionParts): ProtectedProvider {
  const { ask, countCall, budget, pace, maxWaitMs = DEFAULT_MAX_WAIT_MS } = parts
  const { clock = () => performance.now(), random = Math.random, maxInFlight = DEFAULT_MAX_IN_FLIGHT } = parts
  const breaker = createCircuitBreaker({ clock, random })
  const bulkhead = createBulkhead(maxInFlight)
  const mustWait = budget !== undefined || pace !== undefined

  /** What a call must have before it is made, beyond a place inside. */
  async function admit(deadline: Deadline): Promise<Admission> {
    const reservation = await budget?.reserve()
    try {
      const place = pace && (await waitForTurn({ pace, deadline, maxWaitMs, clock }))
      if (!place && deadline.signalled) throw busy(TIME_IS_UP)
      return { reservation, place }
    } catch (error) {
      reservation?.release()
      throw error
    }
  }

  function bill(reservation: Reservation | undefined): void {
    if (reservation) reservation.bill()
    else countCall()
  }

  return {
    async ask(request, deadline, read) {
      if (deadline.signalled) throw busy(TIME_IS_UP)
      const ticket = breaker.enter()
      if (ticket === undefined) throw isOpen(breaker.retryAfterSeconds())
      let stage: Stage = 'admission'
      let { reservation, place } = NOT_NEEDED
      let isInside = false
      try {
        isInside = bulkhead.enter()
        if (!isInside) throw busy('too many calls to the provider are under way')
        if (mustWait) ({ reservation, place } = await admit(deadline))
        stage = 'call'
        const reply = await ask(request, deadline)
        stage = 'reading'
        bill(reservation)
        const answer = read(reply)
        breaker.succeed(ticket)
        return answer
      } catch (error) {
        if (stage === 'call') {
          if (neverReached(error)) reservation?.release()
          else bill(reservation)
        }
        if (isFailure(error, stage)) breaker.fail(ticket, error instanceof UpstreamError ? error : UNREADABLE)
        else breaker.abandon(ticket)
        throw error
      } finally {
        place?.leave()
        if (isInside) bulkhead.leave()
      }
    },
  }
}

interface Admission {
  reservation: Reservation | undefined
  place: PacePlace | undefined
}

const NOT_NEEDED: Admission = { reservation: undefined, place: undefined }

type Stage = 'admission' | 'call' | 'reading'

/** A reader that breaks has met a reply it did not expect. */
const UNREADABLE = { kind: 'malformed', retryAfterSeconds: undefined } as const

const OUR_OWN_REFUSALS = new Set<string>(['busy', 'open', 'overBudget'])

/** A searcher's mistake is not the provider's; what was not asked has nothing to say; a bug of ours before the reply neither. */
const isFailure = (error: unknown, stage: Stage): boolean =>
  error instanceof UpstreamError ? !error.isQueryFault && !OUR_OWN_REFUSALS.has(error.kind) : stage === 'reading'

/** Before a reply only the address guard says `blocked`. */
function neverReached(error: unknown): boolean {
  if (!(error instanceof UpstreamError)) return false
  if (error.kind === 'blocked') return true
  const { cause } = error
  return error.kind === 'unreachable' && cause instanceof Error && 'code' in cause && NEVER_OPENED.has(cause.code)
}

const TIME_IS_UP = 'the time was up before the provider was asked'

const busy = (message: string): UpstreamError => new UpstreamError('busy', message, { retryAfterSeconds: 1 })

const isOpen = (retryAfterSeconds: number): UpstreamError =>
  new UpstreamError('open', 'the provider has just failed repeatedly', { retryAfterSeconds })
