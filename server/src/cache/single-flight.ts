// Single flight (request coalescing): however many searches want the same response of a provider at the same time, it is
// fetched once. There is one flight per response and process. A flight first looks in Redis (`redis-store.ts`) and finds
// the response, or gets the lease to fetch it, or learns that another node is fetching it. In that case it looks again
// every 50 ms, until there is a response or a failure, or the other node's lease has lapsed and it can take over.
// Without Redis it simply orders the fetch.
//
// The cache never calls a provider. A flight whose response must be fetched gives the search that opened it a
// FetchOrder; that search makes the call and settles the order, which stores the response and ends the wait of every
// search that has joined.
//
// A flight has one deadline, that of the search that opened it, and every search that joins extends it to its own. Each
// search waits until its own deadline and then leaves; when none is left, the flight is aborted. That says nothing about
// the provider, so it isn't remembered as a failure. A refresh is a flight that no search waits for.
import { setTimeout as sleep } from 'node:timers/promises'
import { createDeadline, type Deadline } from '@bowerbird/engines/deadline.ts'
import { parseJson } from '@bowerbird/engines/parsing/parse-json.ts'
import { UpstreamError, type UpstreamErrorKind } from '@bowerbird/engines/upstream-error.ts'
import { LRUCache } from 'lru-cache'
import type { Log } from '../log.ts'
import type { MemoryStore } from './memory-store.ts'
import type { FoundResponse, RedisStore, ResponseLease } from './redis-store.ts'

export interface WantedResponse<Response> {
  /** The engine's slug. */
  slug: string
  /** From the provider's terms; 0: the response isn't cached, and every search calls the provider. */
  cacheSeconds: number
  cacheIn: 'memory' | 'shared'
  /** Validates a value from Redis. */
  isResponse: (value: unknown) => value is Response
}

export type ResponseOutcome<Response> =
  | {
      response: Response
      from: 'provider' | 'memory' | 'shared'
      /** It is due for a refresh, and refreshing it failed. */
      isStale: boolean
      ageMs: number
    }
  | { error: UpstreamError }

/** A provider call that the search must make, even if it no longer waits for the response itself. */
export interface FetchOrder<Response> {
  /** Ends the call. It may outlive the search, if others wait for the response. */
  deadline: Deadline
  /** Stores the response or the failure, and hands it to everyone who waits for it. */
  settle: (response: Promise<Response>) => Promise<void>
}

interface FlightParts {
  memory: MemoryStore
  shared: RedisStore | undefined
  clock: () => number
  log: Log
}

/** A response to fetch, and its life in the cache. */
interface Wanted {
  key: string
  base: string
  wanted: WantedResponse<unknown>
  lifeMs: number
}

export interface Flight extends Wanted {
  isRefresh: boolean
  deadline: Deadline
  /** How many searches are waiting for it. */
  waiting: number
  outcome: PromiseWithResolvers<ResponseOutcome<unknown>>
  /** Resolves to undefined if the flight ends without a call. */
  order: PromiseWithResolvers<FetchOrder<unknown> | undefined>
  lease: ResponseLease | undefined
  isOver: boolean
}

const POLL_MS = 50
/** How long a refresh may take. */
const REFRESH_MS = 10_000
const FAILURE_MS = 1_000
/** When more calls fail than this, the circuit breaker takes over. */
const MAX_FAILURES = 1_000
/** How long Redis keeps a response that may not be stored there, only handed over to other nodes. */
const HANDOVER_MS = 10_000
/** Larger responses are only handed over: they're a provider's quirk, and not worth evicting others for. */
const MAX_SHARED_LENGTH = 200_000

export class SingleFlight {
  readonly #parts: FlightParts
  readonly #flights = new Map<string, Flight>()
  /** Recent failures by response, so that a failing query isn't sent again for every search. */
  readonly #failures: LRUCache<string, UpstreamError>

  constructor(parts: FlightParts) {
    this.#parts = parts
    this.#failures = new LRUCache({ max: MAX_FAILURES, ttl: FAILURE_MS, ttlResolution: 0, perf: { now: parts.clock } })
  }

  get(key: string): Flight | undefined {
    return this.#flights.get(key)
  }

  failureOf(key: string): UpstreamError | undefined {
    return this.#failures.get(key)
  }

  /** Opens a flight that other searches can join. It runs once `start` is called with all flights of the search. */
  open({ key, base, wanted, lifeMs }: Wanted, until: Deadline | 'refresh'): Flight {
    const isRefresh = until === 'refresh'
    const flight: Flight = {
      key,
      base,
      wanted,
      lifeMs,
      isRefresh,
      deadline: createDeadline(isRefresh ? REFRESH_MS : until.remainingMs()),
      waiting: 0,
      outcome: Promise.withResolvers(),
      order: Promise.withResolvers(),
      lease: undefined,
      isOver: false,
    }
    flight.deadline.onExpire(() => this.#giveUp(flight))
    this.#flights.set(key, flight)
    return flight
  }

  /** Starts flights that share a base, such as those of one search, with one round trip for all. */
  start(flights: readonly Flight[]): void {
    if (flights.length > 0) void this.#run(flights)
  }

  /** Waits for the flight, at most until the search's own deadline. */
  join(flight: Flight, until: Deadline): Promise<ResponseOutcome<unknown>> {
    flight.waiting++
    flight.deadline.extend(until.remainingMs())
    return untilDeadline(flight.outcome.promise, until, () => {
      flight.waiting--
      if (flight.waiting > 0 || flight.isRefresh) return
      if (until.isCalledOff) flight.deadline.callOff()
      else flight.deadline.cancel()
    })
  }

  /** Orders a response that must not be cached. */
  orderUncached(wanted: WantedResponse<unknown>, until: Deadline) {
    const { promise, resolve } = Promise.withResolvers<ResponseOutcome<unknown>>()
    const settle = (fetching: Promise<unknown>) =>
      fetching.then(
        (response) => resolve({ response, from: 'provider', isStale: false, ageMs: 0 }),
        (thrown) => resolve({ error: this.#upstreamError(thrown, wanted) }),
      )
    return { outcome: untilDeadline(promise, until), order: Promise.resolve({ deadline: until, settle }) }
  }

  async #run(flights: readonly Flight[]): Promise<void> {
    const { shared } = this.#parts
    const base = flights[0]?.base ?? ''
    let waiting = flights
    while (waiting.length > 0) {
      const polled = waiting
      const found = await shared?.find(
        base,
        polled.map(({ wanted, lifeMs }) => ({ slug: wanted.slug, lifeMs, softMs: lifeMs / 2 })),
      )
      waiting = polled.filter((flight, at) => this.#mustWait(flight, found?.[at]))
      if (waiting.length > 0) await sleep(POLL_MS)
      waiting = waiting.filter((flight) => !flight.isOver)
    }
  }

  /** Acts on what Redis returned; true if the flight should look again. */
  #mustWait(flight: Flight, found: FoundResponse | undefined): boolean {
    if (flight.isOver) {
      found?.lease?.release()
      return false
    }
    // A refresh can't use the old response it is meant to replace.
    const isUseful = found && !(flight.isRefresh && found.ageMs >= flight.lifeMs / 2)
    const response = isUseful && readResponse(found.text, flight.wanted.isResponse)
    if (isUseful && response !== undefined) this.#settleFromRedis(flight, response, found)
    else if (found?.isBeingFetched) return true
    else if (found?.failure !== undefined) this.#fail(flight, parseFailure(found.failure))
    else flight.order.resolve(this.#orderFor(flight, found?.lease))
    return false
  }

  #settleFromRedis(flight: Flight, response: unknown, { text = '', ageMs, lease, failure }: FoundResponse): void {
    const { memory, clock } = this.#parts
    const now = clock()
    const { key, lifeMs } = flight
    memory.keep(key, { text, bornAt: now - ageMs, lifeMs })
    const isStale = failure !== undefined
    if (isStale) memory.postponeRefresh(key, now + FAILURE_MS)
    // It is due for a refresh, which is up to this node.
    if (lease) flight.order.resolve(this.#orderFor(this.open(flight, 'refresh'), lease))
    this.#settle(flight, { response, from: 'shared', isStale, ageMs })
  }

  #orderFor(flight: Flight, lease: ResponseLease | undefined): FetchOrder<unknown> {
    flight.lease = lease
    return { deadline: flight.deadline, settle: (response) => this.#receive(flight, response) }
  }

  async #receive(flight: Flight, fetching: Promise<unknown>): Promise<void> {
    try {
      const response = await fetching
      this.#keep(flight, response)
      this.#settle(flight, { response, from: 'provider', isStale: false, ageMs: 0 })
    } catch (thrown) {
      const error = this.#upstreamError(thrown, flight.wanted)
      // The flight was given up.
      if (flight.isOver) return
      if (isFromCall(error)) flight.lease?.fail(serializeFailure(error))
      else flight.lease?.release()
      this.#fail(flight, error)
    }
  }

  /** A response that arrives after the flight was given up is still cached: it was paid for. */
  #keep({ key, base, wanted, lifeMs, lease }: Flight, response: unknown): void {
    const { memory, shared, clock } = this.#parts
    const text = JSON.stringify(response)
    memory.keep(key, { text, bornAt: clock(), lifeMs })
    const isHandedOver = wanted.cacheIn === 'memory' || text.length > MAX_SHARED_LENGTH
    const sharedMs = isHandedOver ? Math.min(lifeMs, HANDOVER_MS) : lifeMs
    if (lease) lease.store(text, sharedMs)
    else shared?.store(base, wanted.slug, { text, lifeMs: sharedMs })
  }

  #fail(flight: Flight, error: UpstreamError): void {
    const { memory, clock } = this.#parts
    if (isFromCall(error)) this.#failures.set(flight.key, error)
    memory.postponeRefresh(flight.key, clock() + FAILURE_MS)
    this.#settle(flight, { error })
  }

  /** The deadline has passed, or all searches have left. Others may have more time, so no failure is stored. */
  #giveUp(flight: Flight): void {
    if (flight.isOver) return
    const { memory, clock } = this.#parts
    flight.lease?.release()
    memory.postponeRefresh(flight.key, clock() + FAILURE_MS)
    this.#settle(flight, { error: errorOf(flight.deadline) })
  }

  #settle(flight: Flight, outcome: ResponseOutcome<unknown>): void {
    if (flight.isOver) return
    flight.isOver = true
    if (this.#flights.get(flight.key) === flight) this.#flights.delete(flight.key)
    flight.deadline.cancel()
    flight.outcome.resolve(outcome)
    flight.order.resolve(undefined)
  }

  #upstreamError(thrown: unknown, { slug }: WantedResponse<unknown>): UpstreamError {
    if (thrown instanceof UpstreamError) return thrown
    this.#parts.log.error({ err: thrown, engine: slug })
    return new UpstreamError('malformed', 'the adapter failed')
  }
}

/** Resolves to the outcome; at the deadline, calls `leave` and resolves to an error instead. */
async function untilDeadline(
  outcome: Promise<ResponseOutcome<unknown>>,
  until: Deadline,
  leave?: () => void,
): Promise<ResponseOutcome<unknown>> {
  const { promise: expired, resolve } = Promise.withResolvers<ResponseOutcome<unknown>>()
  const stopWatchingDeadline = until.onExpire(() => {
    leave?.()
    resolve({ error: errorOf(until) })
  })
  try {
    return await Promise.race([outcome, expired])
  } finally {
    stopWatchingDeadline()
  }
}

/** The error for a search whose deadline ended without a response. */
export const errorOf = ({ isCalledOff }: Deadline): UpstreamError =>
  isCalledOff
    ? new UpstreamError('busy', 'the client has left')
    : new UpstreamError('timeout', 'no response by the deadline')

/** Parses a cached response; undefined if it isn't valid. */
export function readResponse<Response>(
  text: string | undefined,
  isResponse: (value: unknown) => value is Response,
): Response | undefined {
  if (text === undefined) return undefined
  try {
    const value = parseJson(text)
    return isResponse(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** True if an error of this kind came from calling the provider; false if this node didn't call it. */
const IS_FROM_CALL: Record<UpstreamErrorKind, boolean> = {
  timeout: true,
  unreachable: true,
  throttled: true,
  blocked: true,
  rejected: true,
  malformed: true,
  overBudget: false,
  open: false,
  busy: false,
}

const isKind = (text: string): text is UpstreamErrorKind => Object.hasOwn(IS_FROM_CALL, text)

/**
 * Only a failed call is worth remembering. If this node declined to make a call, another node may still make it, or
 * this one a moment later.
 */
const isFromCall = ({ kind }: UpstreamError): boolean => IS_FROM_CALL[kind]

export const serializeFailure = ({ kind, retryAfterSeconds, isQueryFault }: UpstreamError): string =>
  `${kind} ${retryAfterSeconds === undefined ? '' : Math.ceil(retryAfterSeconds)} ${isQueryFault}`

export function parseFailure(text: string): UpstreamError {
  const [kind = '', seconds = '', isQueryFault] = text.split(' ')
  return new UpstreamError(isKind(kind) ? kind : 'unreachable', 'the same call has just failed on another node', {
    retryAfterSeconds: /^\d{1,9}$/.test(seconds) ? Number(seconds) : undefined,
    isQueryFault: isQueryFault === 'true',
  })
}
