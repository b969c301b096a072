// Single flight: however many searches want the same page of a provider at once, it is fetched once (also known as
// request coalescing). There is one flight per page and process. A flight first looks in Redis (`cache/redis-store.ts`)
// and finds the page, or the lease to fetch it, or that another node is fetching it. In that last case it looks again when
// it hears that the other node is done, and now and then in case it does not hear, until there is a page or a failure, or
// until the other node's lease has lapsed and it can take it over.
// Without Redis it simply fetches the page.
//
// A flight is led by the search that started it, whose deadline bounds the call to the provider; searches that join it
// share its outcome. When the leader's time is up, that says nothing about the provider, so it is no failure that anyone
// remembers: the caller with the most time left leads from then on and asks again. A refresh is led by no search: it can
// follow another node without delaying anyone, and if it fails the old page stays.
import { UpstreamError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { MemoryStore } from './memory-store.ts'
import type { RecentFailures } from './recent-failures.ts'
import type { FoundResponse, RedisStore, ResponseLease } from './redis-store.ts'
import type { ResponseLoader, ResponseOutcome, Until } from './response-loader.ts'
import { isOfAsking, parseFailure, serializeFailure } from './serialized-failure.ts'

interface FlightParts {
  memory: MemoryStore
  failures: RecentFailures
  shared: RedisStore | undefined
  clock: () => number
  log: Log
}

/** A page to fetch, and the life it will have. */
interface Wanted {
  key: string
  base: string
  ask: ResponseLoader<unknown>
  lifeMs: number
}

/** A search that waits for a page. */
export interface Caller {
  ask: ResponseLoader<unknown>
  until: Until
}

export interface Flight extends Wanted {
  /** Undefined for a refresh. */
  leader: Caller | undefined
  callers: Set<Caller>
  outcome: Promise<ResponseOutcome<unknown>>
  resolve: (outcome: ResponseOutcome<unknown>) => void
  lease: ResponseLease | undefined
  isAsking: boolean
  isOver: boolean
}

const FAILURE_MS = 1_000
/** How long a page that must stay in memory is handed over to other nodes. */
const HANDOVER_MS = 10_000
/** With less time than this left, asking again would only cost a call. */
const LEAST_TIME_MS = 50
/** A larger page is a provider's quirk, and not worth evicting others for. */
const LARGEST_SHARED = 200_000

const timedOut = () => new UpstreamError('timeout', 'no response by the deadline')

export class SingleFlight {
  readonly #parts: FlightParts
  readonly #flights = new Map<string, Flight>()

  constructor(parts: FlightParts) {
    this.#parts = parts
  }

  get(key: string): Flight | undefined {
    return this.#flights.get(key)
  }

  /** From now on others can join it. It runs once `start` is called with all flights of the same search. */
  open({ key, base, ask, lifeMs }: Wanted, leader: Caller | undefined): Flight {
    const { promise: outcome, resolve } = Promise.withResolvers<ResponseOutcome<unknown>>()
    const state = { lease: undefined, isAsking: false, isOver: false }
    const callers = new Set(leader && [leader])
    const flight: Flight = { key, base, ask, lifeMs, leader, callers, outcome, resolve, ...state }
    this.#flights.set(key, flight)
    return flight
  }

  /** Starts flights that share a base, as those of one search do: one round trip for all. */
  start(flights: readonly Flight[]): void {
    if (flights.length > 0) void this.#run(flights)
  }

  /** The caller has run out of time. */
  leave(flight: Flight, caller: Caller): void {
    flight.callers.delete(caller)
    if (flight.isOver || flight.leader !== caller || this.#handOver(flight, LEAST_TIME_MS)) return
    flight.lease?.release()
    this.#settle(flight, { error: timedOut() })
  }

  /** The caller may not want it any more before its time is up. */
  watch(flight: Flight, caller: Caller): void {
    caller.ask.watch?.onWait(() => this.#callOff(flight, caller))
  }

  /** If nobody else wants it either, the provider is not kept busy with it. */
  #callOff(flight: Flight, caller: Caller): void {
    flight.callers.delete(caller)
    if (flight.isOver || flight.callers.size > 0 || !flight.leader) return
    flight.lease?.release()
    this.#settle(flight, { error: new UpstreamError('busy', 'nobody waits for the response any more') })
    flight.ask.watch?.stop()
  }

  /** For a page that must not be cached. */
  async fetchUncached(ask: ResponseLoader<unknown>): Promise<ResponseOutcome<unknown>> {
    ask.watch?.onWait(() => ask.watch?.stop())
    try {
      return { page: await ask.fetch('search'), from: 'provider', isStale: false, ageMs: 0 }
    } catch (thrown) {
      return { error: this.#upstreamError(thrown, ask) }
    }
  }

  async #run(flights: readonly Flight[]): Promise<void> {
    const { shared } = this.#parts
    const base = flights[0]?.base ?? ''
    let waiting = flights
    while (waiting.length > 0) {
      const asked = waiting
      const found = await shared?.find(
        base,
        asked.map(({ ask, lifeMs }) => ({ slug: ask.slug, lifeMs, softMs: lifeMs / 2 })),
      )
      waiting = asked.filter((flight, at) => this.#mustWait(flight, found?.[at]))
      if (waiting.length === 0) return
      await Promise.race((found ?? []).flatMap(({ ended }) => ended ?? []))
      waiting = waiting.filter((flight) => !flight.isOver)
    }
  }

  /** Acts on what was found; true if it should look again. */
  #mustWait(flight: Flight, found: FoundResponse | undefined): boolean {
    const turn = found?.turn ?? 'none'
    const lease = typeof turn === 'object' && 'store' in turn ? turn : undefined
    if (flight.isOver) {
      lease?.release()
      return false
    }
    const isWelcome = turn === 'none' || flight.leader !== undefined
    const page = found?.text !== undefined && isWelcome ? readResponse(found.text, flight.ask.isResponse) : undefined
    if (found && page !== undefined) this.#settleFromRedis(flight, page, found)
    else if (turn === 'theirs') return true
    else if (typeof turn === 'object' && 'failure' in turn) this.#settleFailed(flight, turn.failure)
    else void this.#ask(flight, lease)
    return false
  }

  #settleFromRedis(flight: Flight, page: unknown, { text = '', ageMs, turn }: FoundResponse): void {
    const { memory, clock } = this.#parts
    const now = clock()
    const { key, lifeMs } = flight
    memory.keep(key, { text, bornAt: now - ageMs, lifeMs })
    const isStale = typeof turn === 'object' && 'failure' in turn
    if (isStale) memory.postponeRefresh(key, now + FAILURE_MS)
    this.#settle(flight, { page, from: 'shared', isStale, ageMs })
    if (typeof turn === 'object' && 'store' in turn) void this.#ask(this.open(flight, undefined), turn)
  }

  #settleFailed(flight: Flight, mark: string): void {
    const { memory, failures, clock } = this.#parts
    const error = parseFailure(mark)
    const until = clock() + FAILURE_MS
    failures.note(flight.key, error, until)
    memory.postponeRefresh(flight.key, until)
    this.#settle(flight, { error })
  }

  async #ask(flight: Flight, lease: ResponseLease | undefined): Promise<void> {
    const { ask, leader } = flight
    flight.lease = lease
    flight.isAsking = true
    try {
      const page = await ask.fetch(leader ? 'search' : 'refresh')
      this.#keep(flight, page)
      this.#settle(flight, { page, from: 'provider', isStale: false, ageMs: 0 })
    } catch (thrown) {
      const error = this.#upstreamError(thrown, ask)
      // It was given up, or someone else is asking by now.
      if (flight.isOver || flight.leader !== leader) return
      if (!this.#isForWantOfTime(flight, error)) this.#fail(flight, error)
    }
  }

  /** True if another caller, who has more time, has taken over. */
  #isForWantOfTime(flight: Flight, { kind }: UpstreamError): boolean {
    const isShort = kind === 'busy' || (kind === 'timeout' && !flight.leader)
    return isShort && this.#handOver(flight, (flight.leader?.until.remainingMs() ?? 0) + LEAST_TIME_MS)
  }

  /** To the caller with the most time left; false if nobody has that much. */
  #handOver(flight: Flight, leastMs: number): boolean {
    let heir: Caller | undefined
    let mostMs = leastMs
    for (const caller of flight.callers) {
      const leftMs = caller.until.remainingMs()
      if (leftMs < mostMs) continue
      heir = caller
      mostMs = leftMs
    }
    if (!heir) return false
    flight.leader = heir
    flight.ask = heir.ask
    if (flight.isAsking) void this.#ask(flight, flight.lease)
    return true
  }

  /** A page that arrives after the flight is over is still cached: it was paid for. */
  #keep({ key, base, ask, lifeMs, lease, isOver }: Flight, page: unknown): void {
    const { memory, shared, clock } = this.#parts
    const text = JSON.stringify(page)
    memory.keep(key, { text, bornAt: clock(), lifeMs })
    const isHandedOver = ask.cacheIn === 'memory' || text.length > LARGEST_SHARED
    const sharedMs = isHandedOver ? Math.min(lifeMs, HANDOVER_MS) : lifeMs
    if (lease && !isOver) lease.store(text, sharedMs)
    else shared?.store(base, ask.slug, { text, lifeMs: sharedMs })
  }

  #fail(flight: Flight, error: UpstreamError): void {
    if (flight.isOver) return
    const { memory, failures, clock } = this.#parts
    const until = clock() + FAILURE_MS
    const isWorthTelling = flight.isAsking && isOfAsking(error)
    if (isWorthTelling) failures.note(flight.key, error, until)
    if (flight.isAsking) memory.postponeRefresh(flight.key, until)
    if (isWorthTelling) flight.lease?.fail(serializeFailure(error))
    else flight.lease?.release()
    this.#settle(flight, { error })
  }

  #settle(flight: Flight, outcome: ResponseOutcome<unknown>): void {
    if (flight.isOver) return
    flight.isOver = true
    this.#flights.delete(flight.key)
    flight.resolve(outcome)
  }

  #upstreamError(thrown: unknown, { slug }: ResponseLoader<unknown>): UpstreamError {
    if (thrown instanceof UpstreamError) return thrown
    this.#parts.log.error({ err: thrown, engine: slug })
    return new UpstreamError('malformed', 'the adapter failed')
  }
}

/** Undefined for anything that is not a page: then there is none. */
export function readResponse<Page>(text: string, isResponse: (value: unknown) => value is Page): Page | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isResponse(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
