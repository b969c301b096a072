// How a page that is not in memory comes to be there: one flight for each page and process, whoever wants it. A flight
// looks into Redis first (`state/shared-pages.ts`), where it finds the page, or the turn to ask the provider, or that
// another node is asking. Then it follows: it looks again every few milliseconds, until there is a page or a failure,
// or until the other node's lease has lapsed and the turn is its own. Without Redis it simply asks.
//
// A flight belongs to the search that began it and ends by that search's deadline; who joined it gets what it got. A
// refresh belongs to nobody: it follows without hurting anyone, and its failure leaves the old page where it is.
import { UpstreamError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { FoundPage, PageLease, SharedPages } from '../state/shared-pages.ts'
import { failureMark, isOfAsking, readFailureMark } from '../cache/serialized-failure.ts'
import type { MemoryPages } from './memory-pages.ts'
import type { PageAsk, PageOutcome } from '../cache/response-loader.ts'
import type { RecentFailures } from '../cache/recent-failures.ts'

interface FlightParts {
  memory: MemoryPages
  failures: RecentFailures
  shared: SharedPages | undefined
  clock: () => number
  random: () => number
  log: Log
}

/** A page to be got, and the life it will have. */
interface Wanted {
  key: string
  base: string
  ask: PageAsk<unknown>
  lifeMs: number
}

export interface Flight extends Wanted {
  purpose: 'search' | 'refresh'
  outcome: Promise<PageOutcome<unknown>>
  resolve: (outcome: PageOutcome<unknown>) => void
  lease: PageLease | undefined
  isAsking: boolean
  isOver: boolean
}

const POLL_MS = 20
const POLL_JITTER_MS = 5
const FAILURE_MS = 1_000
/** How long a page that must stay in memory is handed over to other nodes. */
const HANDOVER_MS = 10_000
/** A page larger than this is a provider's oddity, and is not worth the others' room. */
const LARGEST_SHARED = 200_000

const timedOut = () => new UpstreamError('timeout', 'no page by the deadline')

export class PageFlights {
  readonly #parts: FlightParts
  readonly #flights = new Map<string, Flight>()

  constructor(parts: FlightParts) {
    this.#parts = parts
  }

  get(key: string): Flight | undefined {
    return this.#flights.get(key)
  }

  /** From now on others may join it. It is to take off, together with those of the same search, by `takeOff`. */
  open(wanted: Wanted, purpose: Flight['purpose']): Flight {
    const { promise: outcome, resolve } = Promise.withResolvers<PageOutcome<unknown>>()
    const { key, base, ask, lifeMs } = wanted
    const state = { lease: undefined, isAsking: false, isOver: false }
    const flight: Flight = { key, base, ask, lifeMs, purpose, outcome, resolve, ...state }
    this.#flights.set(key, flight)
    return flight
  }

  /** Flights of one base. One round trip for all. */
  takeOff(flights: readonly Flight[]): void {
    if (flights.length > 0) void this.#fly(flights)
  }

  /** The search that began it has no more time. */
  expire(flight: Flight): void {
    this.#fail(flight, timedOut())
  }

  /** For a page that may not be kept. */
  async askAlone(ask: PageAsk<unknown>): Promise<PageOutcome<unknown>> {
    try {
      return { page: await ask.fetch('search'), from: 'provider', isStale: false, ageMs: 0 }
    } catch (thrown) {
      return { error: this.#upstreamError(thrown, ask) }
    }
  }

  async #fly(flights: readonly Flight[]): Promise<void> {
    const { shared, random } = this.#parts
    const base = flights[0]?.base ?? ''
    let following = flights
    while (following.length > 0) {
      const asked = following
      const found = await shared?.find(
        base,
        asked.map(({ ask, lifeMs }) => ({ slug: ask.slug, lifeMs, softMs: lifeMs / 2 })),
      )
      following = asked.filter((flight, at) => this.#mustFollow(flight, found?.[at]))
      if (following.length === 0) return
      await new Promise((resolve) => setTimeout(resolve, POLL_MS + POLL_JITTER_MS * random()))
      following = following.filter((flight) => !flight.isOver)
    }
  }

  /** Does what is to be done about what was found; true when that is to look again. */
  #mustFollow(flight: Flight, found: FoundPage | undefined): boolean {
    const turn = found?.turn ?? 'none'
    const lease = typeof turn === 'object' && 'store' in turn ? turn : undefined
    if (flight.isOver) {
      lease?.release()
      return false
    }
    const isWelcome = turn === 'none' || flight.purpose === 'search'
    const page = found && isWelcome ? readPage(found.text, flight.ask) : undefined
    if (found && page !== undefined) this.#landShared(flight, page, found)
    else if (turn === 'theirs') return true
    else if (typeof turn === 'object' && 'failure' in turn) this.#landFailed(flight, turn.failure)
    else void this.#ask(flight, lease)
    return false
  }

  #landShared(flight: Flight, page: unknown, { text = '', ageMs, turn }: FoundPage): void {
    const { memory, clock } = this.#parts
    const now = clock()
    const { key, lifeMs } = flight
    memory.keep(key, { page, text, bornAt: now - ageMs, lifeMs, isWantedAgain: true })
    const isStale = typeof turn === 'object' && 'failure' in turn
    if (isStale) memory.postponeRefresh(key, now + FAILURE_MS)
    this.#land(flight, { page, from: 'shared', isStale, ageMs })
    if (typeof turn === 'object' && 'store' in turn) void this.#ask(this.open(flight, 'refresh'), turn)
  }

  #landFailed(flight: Flight, mark: string): void {
    const { memory, failures, clock } = this.#parts
    const error = readFailureMark(mark)
    const until = clock() + FAILURE_MS
    failures.note(flight.key, error, until)
    memory.postponeRefresh(flight.key, until)
    this.#land(flight, { error })
  }

  async #ask(flight: Flight, lease: PageLease | undefined): Promise<void> {
    flight.lease = lease
    flight.isAsking = true
    try {
      const page = await flight.ask.fetch(flight.purpose)
      this.#keep(flight, page)
      this.#land(flight, { page, from: 'provider', isStale: false, ageMs: 0 })
    } catch (thrown) {
      this.#fail(flight, this.#upstreamError(thrown, flight.ask))
    }
  }

  /** Also a page that comes after the flight is over is welcome: it was paid for. */
  #keep({ key, base, ask, lifeMs, lease, isOver }: Flight, page: unknown): void {
    const { memory, shared, clock } = this.#parts
    const text = JSON.stringify(page)
    memory.keep(key, { page, text, bornAt: clock(), lifeMs, isWantedAgain: false })
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
    if (isWorthTelling) flight.lease?.fail(failureMark(error))
    else flight.lease?.release()
    this.#land(flight, { error })
  }

  #land(flight: Flight, outcome: PageOutcome<unknown>): void {
    if (flight.isOver) return
    flight.isOver = true
    this.#flights.delete(flight.key)
    flight.resolve(outcome)
  }

  #upstreamError(thrown: unknown, { slug }: PageAsk<unknown>): UpstreamError {
    if (thrown instanceof UpstreamError) return thrown
    this.#parts.log.error({ err: thrown, engine: slug })
    return new UpstreamError('malformed', 'the adapter failed')
  }
}

/** Undefined for anything that is not a page: then there is none. */
function readPage(text: string | undefined, { isPage }: PageAsk<unknown>): unknown {
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isPage(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
