// Single flight (request coalescing): however many searches of this process want the same response of a provider at the
// same time, it is fetched once. A flight first looks in Redis (`redis-store.ts`), where another node may have stored
// it, and otherwise calls the `fetch` of the search that opened it, stores the response, and ends the wait of every
// search that has joined. Two nodes that need a response within the time of one call both make it.
//
// A flight has one deadline, that of the search that opened it, and every search that joins extends it to its own (at
// most twice the time of one search). Each search waits until its own deadline and then leaves; when none is left, the
// flight is aborted. That says nothing about the provider, so it isn't remembered as a failure. A refresh is a flight
// that is opened without a search to wait for it.
import { createDeadline, type Deadline } from '@bowerbird/engines/deadline.ts'
import { parseJson } from '@bowerbird/engines/parsing/parse-json.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { LRUCache } from 'lru-cache'
import type { Log } from '../log.ts'
import { type MemoryStore, toSoftLifeMs } from './memory-store.ts'
import type { FoundResponse, RedisStore } from './redis-store.ts'

export interface WantedResponse<Response> {
  /** The slug of the engine or of the data source. */
  slug: string
  /** The provider's terms set it. With 0, the response isn't cached and every search calls the provider. */
  cacheSeconds: number
  cacheIn: 'memory' | 'shared'
  /** Validates a value that comes from Redis. */
  isResponse: (value: unknown) => value is Response
}

export type ResponseOutcome<Response> =
  | {
      response: Response
      from: 'provider' | 'memory' | 'shared'
      /** True if it is due for a refresh, and refreshing it failed. */
      isStale: boolean
      ageMs: number
    }
  | { error: UpstreamError }

/** Calls a provider. The deadline is that of the call, which outlives the search if others wait for the response. */
export type Fetch<Wanted, Response> = (wanted: Wanted, deadline: Deadline) => Promise<Response>
export type AnyFetch = Fetch<WantedResponse<unknown>, unknown>

interface FlightParts {
  memory: MemoryStore
  shared: RedisStore | undefined
  clock: () => number
  log: Log
}

/** `fetch` is called only if Redis lacks the response. `lifeMs` is its life in the cache. */
interface FlightRequest {
  keyPrefix: string
  key: string
  wanted: WantedResponse<unknown>
  lifeMs: number
  fetch: AnyFetch
}

export interface Flight extends FlightRequest {
  isRefresh: boolean
  deadline: Deadline
  waitingSearches: number
  outcome: PromiseWithResolvers<ResponseOutcome<unknown>>
  isOver: boolean
}

const MAX_REFRESH_MS = 10_000
const REMEMBER_FAILURE_MS = 1_000
/** Beyond that, the oldest are forgotten. */
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
    const perf = { now: parts.clock }
    this.#parts = parts
    this.#failures = new LRUCache({ max: MAX_FAILURES, ttl: REMEMBER_FAILURE_MS, ttlResolution: 0, perf })
  }

  find(key: string): Flight | undefined {
    return this.#flights.get(key)
  }

  findFailure(key: string): UpstreamError | undefined {
    return this.#failures.get(key)
  }

  /** Opens a flight that other searches can join. It runs once `start` is called with all flights of the search. */
  openFlight(request: FlightRequest, deadline: Deadline): Flight {
    return this.#open(request, { isRefresh: false, ms: deadline.remainingMs() })
  }

  /** Like `openFlight`, but no search has to join it. */
  openRefresh(request: FlightRequest): Flight {
    return this.#open(request, { isRefresh: true, ms: MAX_REFRESH_MS })
  }

  #open(request: FlightRequest, { isRefresh, ms }: { isRefresh: boolean; ms: number }): Flight {
    const flight: Flight = {
      ...request,
      isRefresh,
      deadline: createDeadline(ms),
      waitingSearches: 0,
      outcome: Promise.withResolvers(),
      isOver: false,
    }
    flight.deadline.onExpire(() => this.#giveUp(flight))
    this.#flights.set(flight.key, flight)
    return flight
  }

  /** Starts the flights of one search, which share a key prefix, with one round trip for all. */
  start(flights: readonly Flight[]): void {
    const [first] = flights
    if (first) void this.#run(flights, first.keyPrefix)
  }

  /** Waits for the flight, at most until the search's own deadline. */
  join(flight: Flight, deadline: Deadline): Promise<ResponseOutcome<unknown>> {
    flight.waitingSearches++
    flight.deadline.extend(deadline.remainingMs())
    return waitUntil(deadline, flight.outcome.promise, () => {
      flight.waitingSearches--
      if (flight.waitingSearches > 0 || flight.isRefresh) return
      if (deadline.isCalledOff) flight.deadline.callOff()
      else flight.deadline.cancel()
    })
  }

  /** Fetches a response that must not be cached. */
  fetchUncached(request: FlightRequest, deadline: Deadline): Promise<ResponseOutcome<unknown>> {
    return waitUntil(deadline, this.#fetch(request, deadline))
  }

  async #fetch({ wanted, fetch }: FlightRequest, deadline: Deadline): Promise<ResponseOutcome<unknown>> {
    try {
      return { response: await fetch(wanted, deadline), from: 'provider', isStale: false, ageMs: 0 }
    } catch (thrown) {
      if (thrown instanceof UpstreamError) return { error: thrown }
      this.#parts.log.error({ err: thrown, engine: wanted.slug }, 'a response could not be fetched, because of a bug')
      return { error: new UpstreamError('malformed', 'the adapter failed') }
    }
  }

  async #run(flights: readonly Flight[], keyPrefix: string): Promise<void> {
    const slugs = flights.map(({ wanted }) => wanted.slug)
    const sharedResponses = await this.#parts.shared?.find(keyPrefix, slugs)
    for (const [index, flight] of flights.entries()) {
      if (!flight.isOver) this.#proceed(flight, sharedResponses?.[index])
    }
  }

  /** Settles the flight with what Redis had, or fetches the response. */
  #proceed(flight: Flight, found: FoundResponse | undefined): void {
    const { lifeMs, isRefresh, wanted } = flight
    // A refresh can't use the old response it is meant to replace.
    const maxAgeMs = isRefresh ? toSoftLifeMs(lifeMs) : lifeMs
    if (found && found.ageMs < maxAgeMs) {
      const response = readResponse(found.text, wanted.isResponse)
      if (response !== undefined) {
        this.#settleFromShared(flight, response, found)
        return
      }
    }
    void this.#fetchAndSettle(flight)
  }

  #settleFromShared(flight: Flight, response: unknown, { text, ageMs }: FoundResponse): void {
    const { memory, clock } = this.#parts
    const { key, lifeMs } = flight
    memory.keep(key, { text, bornAt: clock() - ageMs, lifeMs })
    this.#settle(flight, { response, from: 'shared', isStale: false, ageMs })
    if (ageMs >= toSoftLifeMs(lifeMs)) void this.#fetchAndSettle(this.openRefresh(flight))
  }

  async #fetchAndSettle(flight: Flight): Promise<void> {
    const outcome = await this.#fetch(flight, flight.deadline)
    if ('response' in outcome) this.#keep(flight, outcome.response)
    else if (!flight.isOver) this.#rememberFailure(flight, outcome.error)
    this.#settle(flight, outcome)
  }

  /** A response that arrives after the flight was given up is still cached: it was paid for. */
  #keep({ keyPrefix, key, wanted, lifeMs }: Flight, response: unknown): void {
    const { memory, shared, clock } = this.#parts
    const text = JSON.stringify(response)
    memory.keep(key, { text, bornAt: clock(), lifeMs })
    const isHandedOver = wanted.cacheIn === 'memory' || text.length > MAX_SHARED_LENGTH
    const sharedMs = isHandedOver ? Math.min(lifeMs, HANDOVER_MS) : lifeMs
    shared?.store(keyPrefix, wanted.slug, { text, lifeMs: sharedMs })
  }

  #rememberFailure({ key }: Flight, error: UpstreamError): void {
    // A call that this node declined to make may be made a moment later.
    if (!error.wasDeclined) this.#failures.set(key, error)
    this.#postponeRefresh(key)
  }

  /** The deadline has passed, or all searches left. Others may have more time, so only the refresh is postponed. */
  #giveUp(flight: Flight): void {
    if (flight.isOver) return
    this.#postponeRefresh(flight.key)
    this.#settle(flight, { error: createDeadlineError(flight.deadline) })
  }

  #postponeRefresh(key: string): void {
    const { memory, clock } = this.#parts
    memory.postponeRefresh(key, clock() + REMEMBER_FAILURE_MS)
  }

  #settle(flight: Flight, outcome: ResponseOutcome<unknown>): void {
    if (flight.isOver) return
    flight.isOver = true
    if (this.#flights.get(flight.key) === flight) this.#flights.delete(flight.key)
    flight.deadline.cancel()
    flight.outcome.resolve(outcome)
  }
}

/** Resolves to the outcome; at the deadline, calls `leave` and resolves to an error instead. */
async function waitUntil(
  deadline: Deadline,
  outcome: Promise<ResponseOutcome<unknown>>,
  leave?: () => void,
): Promise<ResponseOutcome<unknown>> {
  const { promise: expired, resolve } = Promise.withResolvers<ResponseOutcome<unknown>>()
  const stopWatchingDeadline = deadline.onExpire(() => {
    leave?.()
    resolve({ error: createDeadlineError(deadline) })
  })
  try {
    return await Promise.race([outcome, expired])
  } finally {
    stopWatchingDeadline()
  }
}

/** The error for a search whose deadline ended without a response. */
export const createDeadlineError = ({ isCalledOff }: Deadline): UpstreamError =>
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
