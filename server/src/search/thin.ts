// Engines that are asked only when they are needed: `ENGINE_A_WHEN=thin`. The others are asked first. If they find too
// little, or agree too little, this one is asked as well, within the same deadline: as soon as all others have answered,
// and after half of the time at the latest. Otherwise its call is saved, and Engine-Status says `skipped;for=enough`.
//
// It is asked like any other if a search names it, if no other engine can answer the search, and if the others fail. What
// it has in memory is used in any case, because that costs nothing. Several such engines decide by the same results, so the
// answer doesn't depend on which of them is faster. What was measured: docs/set-up/spend-less.md.
import type { Deadline } from '@bowerbird/engines/deadline.ts'
import type { Tab } from '@bowerbird/engines/engine.ts'
import { countIndexes } from './indexes.ts'
import type { MergedHit } from './merge.ts'
import type { Outcome } from './outcome.ts'
import type { Plan, PlannedAsk, SearchRequest, ThinRule } from './plan.ts'

const FIRST_RESULTS = 10
const DEFAULT_RULE: ThinRule = { results: 5, agreement: 0.2 }
const RULE = /^thin(?::(\d{1,2})(?::(0|1|0?\.\d{1,2}))?)?$/

/** Reads `always`, `thin`, `thin:8` or `thin:8:0.3`. */
export function readWhen(text: string): ThinRule | 'always' | undefined {
  const written = text.trim().toLowerCase()
  if (written === 'always') return 'always'
  const match = RULE.exec(written)
  if (!match) return undefined
  const [, results = DEFAULT_RULE.results, agreement = DEFAULT_RULE.agreement] = match
  const rule = { results: Number(results), agreement: Number(agreement) }
  return rule.results >= 1 && rule.results <= 50 ? rule : undefined
}

/** The engines that wait for the others; undefined if none does. */
export function laterAsks<Name extends Tab>({ asks }: Plan<Name>, { engines }: SearchRequest) {
  const later = asks.filter(({ slot }) => slot.when && !engines.includes(slot.name))
  return later.length > 0 && later.length < asks.length ? later : undefined
}

/** What a search has found so far. */
export interface Found {
  results: readonly Pick<MergedHit<unknown>, 'contributions'>[]
  /** The most that the search wants. */
  limit: number | undefined
}

export function isThin({ results: wanted, agreement }: ThinRule, { results, limit = wanted }: Found): boolean {
  if (results.length < Math.min(wanted, limit)) return true
  if (agreement === 0) return false
  // One index can't agree with anybody, so asking would never be saved.
  if (countIndexes(results.flatMap(({ contributions }) => contributions)) < 2) return false
  const first = results.slice(0, FIRST_RESULTS)
  const confirmed = first.filter(({ contributions }) => countIndexes(contributions) > 1)
  return confirmed.length / first.length < agreement
}

export const neededOf = <Name extends Tab>(later: readonly PlannedAsk<Name>[], found: Found): PlannedAsk<Name>[] =>
  later.filter(({ slot }) => slot.when && isThin(slot.when, found))

interface AskingInTurn<Name extends Tab> {
  plan: Plan<Name>
  later: readonly PlannedAsk<Name>[]
  /** Of those, what is in memory. */
  free: readonly Outcome<Name>[]
  deadline: Deadline
  ask: (asks: readonly PlannedAsk<Name>[]) => Promise<Outcome<Name>>[]
  /** What these outcomes would show. */
  find: (outcomes: readonly Outcome<Name>[]) => Found
}

/** Asks the engines, and the later ones if they are needed. Those that aren't have no outcome. */
export async function askInTurn<Name extends Tab>(asking: AskingInTurn<Name>): Promise<Outcome<Name>[]> {
  const { plan, later, free, deadline, ask, find } = asking
  const known = [...free]
  const waiting = later.filter((one) => !free.some((outcome) => outcome.ask === one))
  const first = ask(withoutLater(plan, later).asks).map(async (outcome) => {
    known.push(await outcome)
  })
  await withinMs(deadline.remainingMs() / 2, Promise.all(first))
  // Once the client has left, nobody waits for another answer.
  const needed = deadline.isCalledOff ? [] : neededOf(waiting, find(known))
  const second = ask(needed).map(async (outcome) => {
    known.push(await outcome)
  })
  await Promise.all([...first, ...second])
  return plan.asks.flatMap((one) => known.find((outcome) => outcome.ask === one) ?? [])
}

async function withinMs(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise: timeUp, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  try {
    await Promise.race([work, timeUp])
  } finally {
    clearTimeout(timer)
  }
}

/** The plan without the engines that wait. */
export const withoutLater = <Name extends Tab>(
  { asks, skips }: Plan<Name>,
  later: readonly PlannedAsk<Name>[],
): Plan<Name> => ({ asks: asks.filter((one) => !later.includes(one)), skips })

/** The plan, in which the engines that weren't needed are skipped. */
export const withUnneeded = <Name extends Tab>(
  plan: Plan<Name>,
  later: readonly PlannedAsk<Name>[],
  outcomes: readonly Outcome<Name>[],
): Plan<Name> => {
  const unneeded = later.filter((one) => !outcomes.some(({ ask }) => ask === one))
  const skips = unneeded.map(({ slot, bound }) => {
    return { slot: slot.name, name: bound.engine.name, reason: 'enough' as const }
  })
  return { asks: plan.asks, skips: [...plan.skips, ...skips] }
}
