// Single flight (request coalescing): however many searches of this process want the same response of a provider at the
// same time, it is fetched once. A flight first looks in Redis (`redis-store.ts`), where another node may have stored it,
// and otherwise calls the `fetch` of the search that opened it, stores the response, and ends the wait of every search that
// has joined. Two nodes that need a response within the time of one call both make it.
//
// A flight has one deadline, that of the search that opened it, and every search that joins extends it to its own. Each
// search waits until its own deadline and then leaves; when none is left, the flight is aborted. That says nothing about
// the provider, so it isn't remembered as a failure. A refresh is a flight that no search waits for.
import { createDeadline, type Deadline } from '@bowerbird/engines/deadline.ts'
import { parseJson } from '@bowerbird/engines/parsing/parse-json.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { LRUCache } from 'lru-cache'
import type { Log } from '../log.ts'
import type { MemoryStore } from './memory-store.ts'
import type { FoundResponse, RedisStore } from './redis-store.ts'

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

/** Calls a provider. The deadline is that of the call, which outlives the search if others wait for the response. */
export type Fetch<Wanted, Response> = (wanted: Wanted, deadline: Deadline) => Promise<Response>
export type AnyFetch = Fetch<WantedResponse<unknown>, unknown>

interface FlightParts {
  memory: MemoryStore
  shared: RedisStore | undefined
  clock: () => number
  log: Log
}

/** A response to fetch, and its life in the cache. */
interface FlightRequest {
  key: string
  base: string
  wanted: WantedResponse<unknown>
  lifeMs: number
  fetch: AnyFetch
}

export interface Flight extends FlightRequest {
  isRefresh: boolean
  deadline: Deadline
  /** How many searches are waiting for it. */
  waiting: number
  outcome: PromiseWithResolvers<ResponseOutcome<unknown>>
  isOver: boolean
}

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

  findFailure(key: string): UpstreamError | undefined {
    return this.#failures.get(key)
  }

  /** Opens a flight that other searches can join. It runs once `start` is called with all flights of the search. */
  open({ key, base, wanted, lifeMs, fetch }: FlightRequest, until: Deadline | 'refresh'): Flight {
    const isRefresh = until === 'refresh'
    const flight: Flight = {
      key,
      base,
      wanted,
      lifeMs,
      fetch,
      isRefresh,
      deadline: createDeadline(isRefresh ? REFRESH_MS : until.remainingMs()),
      waiting: 0,
      outcome: Promise.withResolvers(),
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

  /** Fetches a response that must not be cached. */
  fetchUncached(wanted: WantedResponse<unknown>, until: Deadline, fetch: AnyFetch) {
    return untilDeadline(this.#fetch(wanted, until, fetch), until)
  }

  async #fetch(
    wanted: WantedResponse<unknown>,
    deadline: Deadline,
    fetch: AnyFetch,
  ): Promise<ResponseOutcome<unknown>> {
    try {
      return { response: await fetch(wanted, deadline), from: 'provider', isStale: false, ageMs: 0 }
    } catch (thrown) {
      if (thrown instanceof UpstreamError) return { error: thrown }
      this.#parts.log.error({ err: thrown, engine: wanted.slug })
      return { error: new UpstreamError('malformed', 'the adapter failed') }
    }
  }

  async #run(flights: readonly Flight[]): Promise<void> {
    const base = flights[0]?.base ?? ''
    const slugs = flights.map(({ wanted }) => wanted.slug)
    const found = await this.#parts.shared?.find(base, slugs)
    for (const [at, flight] of flights.entries()) if (!flight.isOver) this.#proceed(flight, found?.[at])
  }

  /** Settles the flight with what Redis had, or fetches the response. */
  #proceed(flight: Flight, found: FoundResponse | undefined): void {
    const { lifeMs, isRefresh, wanted } = flight
    // A refresh can't use the old response it is meant to replace.
    const isUseful = found !== undefined && found.ageMs < (isRefresh ? lifeMs / 2 : lifeMs)
    const response = isUseful ? readResponse(found.text, wanted.isResponse) : undefined
    if (isUseful && response !== undefined) this.#settleFromRedis(flight, response, found)
    else void this.#receive(flight)
  }

  #settleFromRedis(flight: Flight, response: unknown, { text, ageMs }: FoundResponse): void {
    const { memory, clock } = this.#parts
    const { key, lifeMs } = flight
    memory.keep(key, { text, bornAt: clock() - ageMs, lifeMs })
    this.#settle(flight, { response, from: 'shared', isStale: false, ageMs })
    if (ageMs >= lifeMs / 2) void this.#receive(this.open(flight, 'refresh'))
  }

  async #receive(flight: Flight): Promise<void> {
    const outcome = await this.#fetch(flight.wanted, flight.deadline, flight.fetch)
    if ('response' in outcome) this.#keep(flight, outcome.response)
    else if (!flight.isOver) this.#rememberFailure(flight, outcome.error)
    this.#settle(flight, outcome)
  }

  /** A response that arrives after the flight was given up is still cached: it was paid for. */
  #keep({ key, base, wanted, lifeMs }: Flight, response: unknown): void {
    const { memory, shared, clock } = this.#parts
    const text = JSON.stringify(response)
    memory.keep(key, { text, bornAt: clock(), lifeMs })
    const isHandedOver = wanted.cacheIn === 'memory' || text.length > MAX_SHARED_LENGTH
    const sharedMs = isHandedOver ? Math.min(lifeMs, HANDOVER_MS) : lifeMs
    shared?.store(base, wanted.slug, { text, lifeMs: sharedMs })
  }

  #rememberFailure({ key }: Flight, error: UpstreamError): void {
    const { memory, clock } = this.#parts
    // A call that this node declined to make may be made a moment later.
    if (!error.wasDeclined) this.#failures.set(key, error)
    memory.postponeRefresh(key, clock() + FAILURE_MS)
  }

  /** The deadline has passed, or all searches have left. Others may have more time, so no failure is stored. */
  #giveUp(flight: Flight): void {
    if (flight.isOver) return
    const { memory, clock } = this.#parts
    memory.postponeRefresh(flight.key, clock() + FAILURE_MS)
    this.#settle(flight, { error: createDeadlineError(flight.deadline) })
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
async function untilDeadline(
  outcome: Promise<ResponseOutcome<unknown>>,
  until: Deadline,
  leave?: () => void,
): Promise<ResponseOutcome<unknown>> {
  const { promise: expired, resolve } = Promise.withResolvers<ResponseOutcome<unknown>>()
  const stopWatchingDeadline = until.onExpire(() => {
    leave?.()
    resolve({ error: createDeadlineError(until) })
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
