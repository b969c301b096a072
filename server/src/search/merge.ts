// Several engines' rankings become one. Same page = same canonical address. The score is weighted reciprocal-rank
// fusion: each engine that returned a page adds weight / (K + rank), so agreement counts, and so does how high each
// engine puts it, without ever comparing scores that different engines do not share.
//
// Everything is decided by rule, never by which engine answered first: ties go to the page with the better best
// rank, then to the earlier slot, then by address. Title, address and text of a merged result come from the engine
// that ranked it best; what that engine omits comes from the next best.
import { canonicalAddress } from '../text/canonical-address.ts'

/** The usual constant of the method: large enough that the first rank alone does not decide. */
const K = 60

export interface Ranking<Hit> {
  slot: string
  weight: number
  hits: readonly Hit[]
}

export interface MergedHit<Hit> {
  hit: Hit
  score: number
  /** The slots that returned it, in slot order. */
  slots: string[]
}

interface Candidate<Hit> extends MergedHit<Hit> {
  bestRank: number
}

/** `rankings` come in slot order. */
export function mergeRankings<Hit extends { url: string }>(
  rankings: readonly Ranking<Hit>[],
  completed: (best: Hit, other: Hit) => Hit,
): MergedHit<Hit>[] {
  const candidates = new Map<string, Candidate<Hit>>()
  for (const { slot, weight, hits } of rankings) {
    for (let index = 0; index < hits.length; index += 1) {
      const hit = hits[index]
      if (!hit) continue
      const address = canonicalAddress(hit.url)
      const addition = weight / (K + index + 1)
      const known = candidates.get(address)
      if (!known) candidates.set(address, { hit, score: addition, slots: [slot], bestRank: index })
      // The same engine returning a page twice agrees with nobody.
      else if (!known.slots.includes(slot)) {
        known.score += addition
        known.slots.push(slot)
        known.hit = index < known.bestRank ? completed(hit, known.hit) : completed(known.hit, hit)
        known.bestRank = Math.min(index, known.bestRank)
      }
    }
  }
  // The map keeps slot order, then rank, and the sort is stable: what is still tied stays so.
  return [...candidates.values()].sort((one, other) => other.score - one.score || one.bestRank - other.bestRank)
}
