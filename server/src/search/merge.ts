// Several engines' rankings become one. Same page = same canonical address. The score is weighted reciprocal-rank
// fusion: each ranking that holds a page adds weight / (K + rank), so agreement counts, and so does how high each engine
// puts it, without ever comparing scores that different engines do not share. K is measured: docs/decisions/0006-merge.md.
//
// Everything is decided by rule, never by which engine answered first: rankings are taken in slot order, additions are
// summed in that order (so that those shown add up to the score to the last bit), and ties go to the better best rank,
// then to the earlier slot. What is shown comes from the engine that ranked the page best; what it omits, from the next.
import { canonicalAddress } from '../text/canonical-address.ts'

/** How much the first rank is worth against the second: (K + 2) / (K + 1). */
const K = 12

export interface Ranking<Hit> {
  /** Two providers of one slot come as two rankings that name the same slot. */
  slot: string
  /** How much this slot is trusted against the others; only the proportions count. */
  weight: number
  /** Best first. */
  hits: readonly Hit[]
}

/** What one ranking said for a page. */
export interface Vote {
  slot: string
  /** From 1. */
  rank: number
  weight: number
  /** What it added to the score. */
  addition: number
  /** The address as this engine wrote it. */
  url: string
}

export interface MergedHit<Hit> {
  hit: Hit
  /** The sum of the additions, in the order of the votes. */
  score: number
  /** The slots that returned it, each once, in slot order. */
  slots: string[]
  /** In slot order. */
  votes: Vote[]
}

interface Ballot<Hit> extends Vote {
  hit: Hit
  /** Which ranking it came from: the slot does not tell, two providers may share one. */
  from: number
}

/**
 * `completed` gives the better ranked hit, with what it omits taken from the other. `isPart` says of a second hit with the
 * same address in one ranking that it is another thing on that page, as a second picture is, and not the same again.
 */
export function mergeRankings<Hit extends { url: string }>(
  rankings: readonly Ranking<Hit>[],
  completed: (best: Hit, other: Hit) => Hit,
  isPart: (one: Hit, other: Hit) => boolean = () => false,
): MergedHit<Hit>[] {
  const merged: MergedHit<Hit>[] = []
  for (const ballots of ballotsByAddress(inSlotOrder(rankings), isPart).values()) merged.push(count(ballots, completed))
  // They stand by first slot, then by its rank, and the sort is stable: what is still tied stays so.
  return merged.sort((one, other) => other.score - one.score || bestRank(one.votes) - bestRank(other.votes))
}

/** Slot names sort as the operator lists them, from `engine_a` to `engine_z`; providers of one slot keep their order. */
const inSlotOrder = <Hit>(rankings: readonly Ranking<Hit>[]): Ranking<Hit>[] =>
  [...rankings].sort((one, other) => (one.slot < other.slot ? -1 : one.slot > other.slot ? 1 : 0))

function ballotsByAddress<Hit extends { url: string }>(
  rankings: readonly Ranking<Hit>[],
  isPart: (one: Hit, other: Hit) => boolean,
): Map<string, Ballot<Hit>[]> {
  const byAddress = new Map<string, Ballot<Hit>[]>()
  for (const [from, { slot, weight, hits }] of rankings.entries()) {
    let rank = 0
    for (const hit of hits) {
      rank += 1
      let address = canonicalAddress(hit.url)
      let ballots = byAddress.get(address)
      // The second picture of a page at one engine is taken for the second at another.
      for (let last = ballots?.at(-1); last?.from === from && isPart(last.hit, hit); last = ballots?.at(-1)) {
        address += ' '
        ballots = byAddress.get(address)
      }
      // A page that one ranking holds twice counts once, where it stands first: an engine does not agree with itself.
      if (ballots?.at(-1)?.from === from) continue
      const ballot = { slot, rank, weight, addition: weight / (K + rank), url: hit.url, hit, from }
      if (ballots) ballots.push(ballot)
      else byAddress.set(address, [ballot])
    }
  }
  return byAddress
}

function count<Hit>(ballots: Ballot<Hit>[], completed: (best: Hit, other: Hit) => Hit): MergedHit<Hit> {
  const slots: string[] = []
  let score = 0
  for (const { slot, addition } of ballots) {
    score += addition
    if (slots.at(-1) !== slot) slots.push(slot)
  }
  return { hit: shownHit(ballots, completed), score, slots, votes: ballots }
}

function shownHit<Hit>(ballots: readonly Ballot<Hit>[], completed: (best: Hit, other: Hit) => Hit): Hit {
  const [first] = ballots
  if (first && ballots.length === 1) return first.hit
  return ballots
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ hit }) => hit)
    .reduce((best, other) => completed(best, other))
}

const bestRank = (votes: readonly Vote[]): number =>
  votes.reduce((best, { rank }) => Math.min(best, rank), Number.POSITIVE_INFINITY)
