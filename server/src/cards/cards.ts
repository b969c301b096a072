// Queries every kind of card in parallel, under one deadline, and reports the outcome of each.
//
// A kind whose source failed is `null`, like one without evidence, so the reply says which is which: it is `partial` if
// some failed, and the request is refused if every source that was queried failed. A bug in one kind costs only that
// kind: it is logged and counts as a failure.

import type { Deadline } from '@bowerbird/engines/deadline.ts'
import type { GeoPlace } from '@bowerbird/engines/parsing/geo-place.ts'
import { type FindSource, findFor } from '@bowerbird/engines/source.ts'
import type { Article } from '@bowerbird/engines/sources/wikipedia-articles.ts'
import { UpstreamError, type UpstreamErrorKind } from '@bowerbird/engines/upstream-error.ts'
import { Refusal, retrySeconds } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Caller } from '../search/caller.ts'
import { guardText } from '../search/query-guard.ts'
import type { Card, CardContext, CardQuery, Geocode } from './card.ts'
import { listAddresses, withoutBlockedSites } from './ruled-cards.ts'
import { findArticle } from './wikipedia-card.ts'

/** `skipped`: ruled out without calling a source. */
type CardOutcome = 'ok' | 'none' | 'skipped' | 'off' | UpstreamErrorKind

export interface CardReport {
  kind: string
  outcome: CardOutcome
  ms: number
  /** There is a card, but part of it could not be fetched. */
  isLacking: boolean
  isStale: boolean
}

export interface CardsAnswer {
  /** By kind; every kind has an entry. */
  cards: Record<string, unknown>
  reports: CardReport[]
  status: 'complete' | 'partial' | 'stale'
}

export interface Cards {
  /** Every kind, including those that are turned off. */
  list: readonly Card[]
  /** The names of all providers a query may be sent to. */
  providerNames: readonly string[]
  cards: (caller: Caller, query: CardQuery) => Promise<CardsAnswer>
}

interface CardsParts {
  cards: readonly Card[]
  /** Kinds that are turned off. */
  off: readonly string[]
  find: FindSource
  geocode: ((caller: Caller, text: string, lang: string) => ReturnType<Geocode>) | undefined
  startDeadline: () => Deadline
  clock: () => number
  log: Log
}

/** Collected while a kind is being queried. */
interface Notes {
  wasAsked: boolean
  isStale: boolean
  isLacking: boolean
}

interface KindResult {
  report: CardReport
  card: unknown
  error: UpstreamError | undefined
}

export function createCards(parts: CardsParts): Cards {
  const { cards: list, off, find, clock, log } = parts
  const on = list.filter(({ kind }) => !off.includes(kind))
  const sources = on.flatMap((card) => card.sources).filter((source) => find(source))
  const quietUntil = new Map<string, number>()

  async function askKind(card: Card, context: CardContext, notes: Notes): Promise<KindResult> {
    const started = clock()
    const result = (outcome: CardOutcome, body: unknown, error?: UpstreamError): KindResult => {
      const { isLacking, isStale } = notes
      return { report: { kind: card.kind, outcome, ms: clock() - started, isLacking, isStale }, card: body, error }
    }
    try {
      const body = await card.ask(context)
      return result(body ? 'ok' : notes.wasAsked ? 'none' : 'skipped', body)
    } catch (error) {
      if (error instanceof UpstreamError) {
        // The provider rejected the query text itself, so there is nothing to find.
        return error.isQueryFault ? result('none', null) : result(error.kind, null, error)
      }
      log.error({ err: error, card: card.kind })
      return result('malformed', null, new UpstreamError('malformed', 'The card failed.'))
    }
  }

  return {
    list,
    providerNames: [...new Set(sources.map(({ name }) => name))],
    async cards(caller, asked) {
      const query = { ...asked, text: guardText(caller, asked.text).trim().replace(/\s+/g, ' ') }
      if (on.length === 0) throw new Refusal('cards_not_configured', 'Cards are turned off on this deployment.')
      const rules = await caller.findRules()
      const deadline = parts.startDeadline()
      const contextOf = createContexts(parts, { caller, query, deadline, quietUntil })
      try {
        const kinds = list.map(async (card) => {
          if (!on.includes(card)) return turnedOff(card)
          const { context, notes } = contextOf()
          return await askKind(card, context, notes)
        })
        const answer = withoutBlockedSites(answerOf(await Promise.all(kinds)), rules)
        caller.onFound?.(listAddresses(answer.cards))
        return answer
      } finally {
        deadline.cancel()
      }
    },
  }
}

interface Asking {
  caller: Caller
  query: CardQuery
  deadline: Deadline
  quietUntil: Map<string, number>
}

/** Creates one context per kind. They share the article; each has its own notes. */
function createContexts({ find, geocode, clock }: CardsParts, { caller, query, deadline, quietUntil }: Asking) {
  const findSource = findFor(find, caller.isVisitor)
  let article: Promise<Article | undefined> | undefined
  const articleNotes: Notes = { wasAsked: false, isStale: false, isLacking: false }

  const createAsk =
    (notes: Notes): CardContext['ask'] =>
    async (source, call, asked) => {
      const bound = findSource(source)
      if (!bound) return undefined
      notes.wasAsked = true
      const { found, isStale } = await bound.ask(call, asked, deadline)
      if (isStale) notes.isStale = true
      return found
    }

  return (): { context: CardContext; notes: Notes } => {
    const notes: Notes = { wasAsked: false, isStale: false, isLacking: false }
    const context: CardContext = {
      ...query,
      now: clock(),
      ask: createAsk(notes),
      async article() {
        article ??= findArticle(query, createAsk(articleNotes))
        const found = await article.finally(() => {
          notes.wasAsked ||= articleNotes.wasAsked
        })
        notes.isStale ||= articleNotes.isStale
        return found
      },
      geocode: geocode && ((text, lang) => geocodeNoting(geocode(caller, text, lang), deadline, notes)),
      markIncomplete: () => {
        notes.isLacking = true
      },
      quietUntil,
    }
    return { context, notes }
  }
}

/** The geocoder has its own deadline, and throws a Refusal where others throw an UpstreamError. */
async function geocodeNoting(geocoding: Promise<GeoPlace | undefined>, deadline: Deadline, notes: Notes) {
  notes.wasAsked = true
  const { promise: expired, reject } = Promise.withResolvers<never>()
  const stopWatchingDeadline = deadline.onExpire(() =>
    reject(new UpstreamError('timeout', 'The geocoder did not respond in time.')),
  )
  try {
    return await Promise.race([geocoding, expired])
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const seconds = Number(error.headers['Retry-After'] ?? Number.NaN)
    const retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined
    throw new UpstreamError('unreachable', 'No geocoder responded.', { retryAfterSeconds })
  } finally {
    stopWatchingDeadline()
  }
}

const turnedOff = ({ kind }: Card): KindResult => ({
  report: { kind, outcome: 'off', ms: 0, isLacking: false, isStale: false },
  card: null,
  error: undefined,
})

function answerOf(asked: readonly KindResult[]): CardsAnswer {
  const reports = asked.map(({ report }) => report)
  const errors = asked.map(({ error }) => error).filter((error) => error !== undefined)
  const hasAnswer = reports.some(({ outcome }) => outcome === 'ok' || outcome === 'none')
  if (errors.length > 0 && !hasAnswer) throw noneAnswered(errors, reports)
  const isPartial = errors.length > 0 || reports.some(({ isLacking }) => isLacking)
  const isStale = reports.some((report) => report.isStale)
  return {
    cards: Object.fromEntries(asked.map(({ report, card }) => [report.kind, card])),
    reports,
    status: isPartial ? 'partial' : isStale ? 'stale' : 'complete',
  }
}

function noneAnswered(errors: readonly UpstreamError[], reports: readonly CardReport[]): Refusal {
  const seconds = retrySeconds(errors.map(({ retryAfterSeconds }) => retryAfterSeconds))
  return new Refusal('cards_failed', `No card provider responded. Try again in ${seconds} seconds.`, {
    'Retry-After': String(seconds),
    'Card-Status': cardStatusHeader(reports),
  })
}

/** `wikipedia;ok;ms=112, dictionary;none;ms=40, book;skipped, map;timeout;ms=2000`. */
export const cardStatusHeader = (reports: readonly CardReport[]): string => reports.map(describe).join(', ')

function describe({ kind, outcome, ms, isLacking, isStale }: CardReport): string {
  if (outcome === 'off' || outcome === 'skipped') return `${kind};${outcome}`
  const word = outcome === 'overBudget' ? 'budget' : outcome
  return `${kind};${word};ms=${ms}${isLacking ? ';lacking' : ''}${isStale ? ';stale' : ''}`
}
