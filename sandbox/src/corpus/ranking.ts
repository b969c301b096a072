// Ranks a universe for an engine. Each engine knows its own part of it and orders it with its own noise, so that about
// four in ten of the results on three first pages are found by more than one engine.
import type { Entry } from './entry.ts'
import { fraction, mix } from './random.ts'

const MS_AN_HOUR = 3_600_000

/** The chance that an engine has an entry at all, and how many ranks it may differ from the universe's order. */
const KNOWN_SHARE = 0.65
const NOISE_RANKS = 40

export interface CorpusSearch {
  /** The provider's slug, which selects the index. */
  engine: string
  text: string
  /** 0 for the first result. */
  start: number
  count: number
  now: number
  hidesAdult: boolean
  /** Milliseconds since 1970. With either of them, entries without a date are left out. */
  after?: number | undefined
  before?: number | undefined
  /** The most results of one host. */
  perHost?: number
  /** Best first by default. */
  order?: 'best' | 'newest' | 'oldest'
}

export interface Ranked<Kind extends Entry> {
  entry: Kind
  /** A hash of this entry at this engine, for fields that must vary but be reproducible. */
  mark: number
}

export function rank<Kind extends Entry>(
  universe: readonly Kind[],
  search: CorpusSearch,
  state: number,
): Ranked<Kind>[] {
  const ranked: (Ranked<Kind> & { score: number })[] = []
  for (const [index, entry] of universe.entries()) {
    const mark = mix(state, index)
    const isKnown = entry.isAdult ? !search.hidesAdult : fraction(mark, 0) < KNOWN_SHARE
    if (!isKnown || !isInTime(entry, search)) continue
    ranked.push({ entry, mark, score: scoreOf(entry, search.order, mark) })
  }
  return keepPerHost(
    ranked.sort((left, right) => left.score - right.score),
    search.perHost,
  )
}

/** Entries without a date count as old. */
function scoreOf(entry: Entry, order: CorpusSearch['order'], mark: number): number {
  if (order === 'newest') return entry.ageHours ?? Number.MAX_VALUE
  if (order === 'oldest') return -(entry.ageHours ?? Number.MAX_VALUE)
  return entry.place + fraction(mark, 1) * NOISE_RANKS
}

function isInTime(entry: Entry, { after, before, now }: CorpusSearch): boolean {
  if (after === undefined && before === undefined) return true
  if (entry.ageHours === undefined) return false
  const publishedAt = now - entry.ageHours * MS_AN_HOUR
  return publishedAt >= (after ?? Number.NEGATIVE_INFINITY) && publishedAt < (before ?? Number.POSITIVE_INFINITY)
}

function keepPerHost<Kind extends Entry>(ranked: Ranked<Kind>[], most: number | undefined): Ranked<Kind>[] {
  if (most === undefined) return ranked
  const seen = new Map<string, number>()
  return ranked.filter(({ entry }) => {
    const count = (seen.get(entry.host) ?? 0) + 1
    seen.set(entry.host, count)
    return count <= most
  })
}
