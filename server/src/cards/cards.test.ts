import { Writable } from 'node:stream'
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import type { FindSource } from '@bowerbird/engines/source.ts'
import { wiktionary, wiktionaryDefinitions } from '@bowerbird/engines/sources/wiktionary.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { passUntilDone, simulateTime } from '../../../engines/test/simulated-time.ts'
import { Refusal } from '../errors.ts'
import { OPERATOR } from '../search/caller.ts'
import { type Card, type CardContext, defineCard, type Geocode } from './card.ts'
import { cardStatusHeader, createCards } from './cards.ts'

const reply = z.object({ text: z.string() })
const card = (kind: string, ask: (context: CardContext) => Promise<{ text: string } | null>): Card =>
  defineCard({ kind, summary: '', sources: [wiktionary], reply, ask })

/** A source that says this, or fails with it. */
const sourceSaying =
  (said: unknown, isStale = false): FindSource =>
  (source) => ({
    source,
    async ask() {
      if (said instanceof Error) throw said
      // The test says what the call would find.
      return { found: said as never, isStale, ageMs: 0 }
    },
  })

const define = (context: CardContext) => context.ask(wiktionary, wiktionaryDefinitions, { word: 'x' })
const asking = (kind: string, body: { text: string } | null = null) =>
  card(kind, async (context) => {
    await define(context)
    return body
  })
const silent = card('silent', async () => null)
const failing = (kind: string, error: Error) => card(kind, () => Promise.reject(error))

interface Setup {
  cards: readonly Card[]
  off?: string[]
  find?: FindSource
  geocode?: Geocode
  deadlineMs?: number
}

simulateTime()

const logged: string[] = []
const log = pino(new Writable({ write: (line, _encoding, done) => done(void logged.push(String(line))) }))
afterEach(() => {
  logged.length = 0
})

function ask({ cards, off = [], find = sourceSaying([]), geocode, deadlineMs = 5_000 }: Setup, text = 'x') {
  const service = createCards({
    cards,
    off,
    find,
    geocode: geocode && ((_caller, place, lang) => geocode(place, lang)),
    startDeadline: () => createDeadline(deadlineMs),
    clock: () => 0,
    log,
  })
  return service.cards(OPERATOR, { text, lang: '', safe: true })
}

const timeout = new UpstreamError('timeout', 'late')

describe('createCards', () => {
  it('lists all providers that a query may be sent to: configured sources of the kinds that are on', () => {
    const parts = {
      find: sourceSaying([]),
      geocode: undefined,
      startDeadline: () => createDeadline(1),
      clock: () => 0,
      log,
    }
    const namesOf = (own: Partial<Parameters<typeof createCards>[0]>) =>
      createCards({ cards: [silent, asking('one')], off: [], ...parts, ...own }).providerNames
    expect(namesOf({})).toEqual(['Wiktionary'])
    expect(namesOf({ off: ['silent', 'one'] })).toEqual([])
    expect(namesOf({ find: () => undefined })).toEqual([])
  })

  it('has an entry and a report for every kind', async () => {
    const given = await ask({
      cards: [asking('one', { text: 'a' }), asking('two'), silent, asking('four')],
      off: ['four'],
    })
    expect(given.cards).toEqual({ one: { text: 'a' }, two: null, silent: null, four: null })
    expect(given.status).toBe('complete')
    expect(cardStatusHeader(given.reports)).toBe('one;ok;ms=0, two;none;ms=0, silent;skipped, four;off')
  })

  it('a kind that fails is null, and the reply is partial', async () => {
    const given = await ask({ cards: [asking('one', { text: 'a' }), failing('two', timeout)] })
    expect([given.status, given.cards['two']]).toEqual(['partial', null])
    expect(cardStatusHeader(given.reports)).toBe('one;ok;ms=0, two;timeout;ms=0')
  })

  it('a source that finds nothing counts as an answer; a kind that is ruled out doesn’t', async () => {
    await expect(ask({ cards: [asking('one'), failing('two', timeout)] })).resolves.toMatchObject({ status: 'partial' })
    await expect(ask({ cards: [silent, failing('two', timeout)] })).rejects.toThrow(Refusal)
  })

  it('503: all sources failed, with the shortest wait', async () => {
    const throttled = new UpstreamError('throttled', 'slow', { retryAfterSeconds: 7 })
    const late = new UpstreamError('throttled', 'slower', { retryAfterSeconds: 90_000 })
    await expect(ask({ cards: [failing('one', late), failing('two', throttled)] })).rejects.toMatchObject({
      status: 503,
      body: { detail: 'No card provider responded. Try again in 7 seconds.' },
      headers: { 'Retry-After': '7', 'Card-Status': 'one;throttled;ms=0, two;throttled;ms=0' },
    })
    await expect(ask({ cards: [failing('one', late)] })).rejects.toMatchObject({ headers: { 'Retry-After': '3600' } })
  })

  it('a query that a source rejects is not a failure', async () => {
    const fault = new UpstreamError('rejected', 'no', { isQueryFault: true })
    await expect(ask({ cards: [failing('one', fault)] })).resolves.toMatchObject({ status: 'complete' })
  })

  it('a bug affects only its own kind, and is logged', async () => {
    const given = await ask({ cards: [asking('one', { text: 'a' }), failing('two', new TypeError('a bug'))] })
    expect([given.status, given.cards['one']]).toEqual(['partial', { text: 'a' }])
    expect(logged).toEqual([expect.stringMatching(/TypeError.*"card":"two"/)])
  })

  it('a card that lacks something makes the reply partial', async () => {
    const lacking = card('one', async (context) => {
      context.markIncomplete()
      return { text: 'a' }
    })
    const given = await ask({ cards: [lacking] })
    expect([given.status, cardStatusHeader(given.reports)]).toEqual(['partial', 'one;ok;ms=0;lacking'])
  })

  it('stale: a source gave a stale response', async () => {
    const given = await ask({ cards: [asking('one', { text: 'a' })], find: sourceSaying([], true) })
    expect([given.status, cardStatusHeader(given.reports)]).toEqual(['stale', 'one;ok;ms=0;stale'])
  })

  it('a source that is not configured is not called', async () => {
    const given = await ask({ cards: [asking('one')], find: () => undefined })
    expect(cardStatusHeader(given.reports)).toBe('one;skipped')
  })

  it('the article is looked up once for all kinds, and its failure fails each kind that needs it', async () => {
    let calls = 0
    const find: FindSource = (source) => ({
      source,
      ask: () => {
        calls += 1
        return Promise.reject(timeout)
      },
    })
    const curious = (kind: string) => card(kind, async (context) => ((await context.article()) ? { text: 'a' } : null))
    await expect(ask({ cards: [curious('one'), curious('two')], find })).rejects.toMatchObject({
      headers: { 'Card-Status': 'one;timeout;ms=0, two;timeout;ms=0' },
    })
    expect(calls).toBe(1)
  })

  it.each([
    ['hangs', () => new Promise<never>(() => undefined), 'timeout'],
    ['refuses', () => Promise.reject(new Refusal('maps_failed', 'no', { 'Retry-After': '9' })), 'unreachable'],
  ] as const)('a geocoder that %s is a failure', async (_what, geocode, kind) => {
    const mapped = card('map', async (context) => ((await context.geocode?.('x', '')) ? { text: 'a' } : null))
    await expect(passUntilDone(ask({ cards: [mapped], geocode, deadlineMs: 20 }))).rejects.toMatchObject({
      headers: { 'Card-Status': `map;${kind};ms=0` },
    })
  })

  it('collapses white space in the query', async () => {
    const echo = card('one', async ({ text }) => ({ text }))
    expect((await ask({ cards: [echo] }, '  a \t b ')).cards).toEqual({ one: { text: 'a b' } })
  })

  it('503: all kinds are turned off', async () => {
    await expect(ask({ cards: [silent], off: ['silent'] })).rejects.toMatchObject({ status: 503 })
  })
})
