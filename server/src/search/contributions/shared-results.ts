// How many results engines share, two by two, in a sample of the searches since this process started: only numbers, never a
// query or a URL. Where that contradicts what they declare about their index, the operator should know: whoever is said to
// be independent and returns the same pages confirms nothing.
import { UNKNOWN_INDEX } from '@bowerbird/engines/engine.ts'
import type { CountedSearch } from './contribution-counts.ts'

/** Two engines that answered the same searches. */
export interface SharedResults {
  /** Slugs, in alphabetical order. */
  engines: readonly [string, string]
  /** Results that both returned. */
  common: number
  /** The most that they could have shared: in each search, as many as the shorter list has. */
  possible: number
}

/** Two engines whose results contradict their declarations. */
interface IndexDoubt {
  engines: readonly [string, string]
  /** Of what they could have shared. */
  share: number
  /** `alike`: declared independent, but nearly the same. `different`: declared the same index, but hardly alike. */
  kind: 'alike' | 'different'
}

const ALIKE_SHARE = 0.7
const DIFFERENT_SHARE = 0.2
/** About twenty searches: fewer say little. */
const FEWEST_POSSIBLE = 200

export function createSharedResults(slugOf: (name: string) => string | undefined) {
  const pairs = new Map<string, SharedResults>()

  function pairOf(one: string, other: string): SharedResults {
    const engines: [string, string] = one < other ? [one, other] : [other, one]
    const key = `${engines[0]} ${engines[1]}`
    const known = pairs.get(key) ?? { engines, common: 0, possible: 0 }
    pairs.set(key, known)
    return known
  }

  return {
    /** Runs in every search that called a provider. Most results come from one engine, and then cost next to nothing. */
    countSearch({ engines, results }: CountedSearch): void {
      const answered = new Set(engines)
      if (answered.size < 2) return
      const returned = new Map<string, number>()
      for (const { contributions } of results) {
        const slugs: string[] = []
        for (const { name } of contributions) {
          const slug = slugOf(name)
          if (slug === undefined || slugs.includes(slug)) continue
          for (const other of slugs) pairOf(slug, other).common++
          slugs.push(slug)
          returned.set(slug, (returned.get(slug) ?? 0) + 1)
        }
      }
      const all = [...answered]
      for (const [at, one] of all.entries())
        for (const other of all.slice(at + 1))
          pairOf(one, other).possible += Math.min(returned.get(one) ?? 0, returned.get(other) ?? 0)
    },
    all: (): SharedResults[] => [...pairs.values()].map((count) => ({ ...count })),
  }
}

/** `indexBySlug` has what the engines declare. */
export const doubtsIn = (counts: readonly SharedResults[], indexBySlug: ReadonlyMap<string, string>): IndexDoubt[] =>
  counts.flatMap(({ engines, common, possible }): IndexDoubt[] => {
    const [one, other] = engines.map((slug) => indexBySlug.get(slug) ?? UNKNOWN_INDEX)
    if (one === UNKNOWN_INDEX || other === UNKNOWN_INDEX || possible < FEWEST_POSSIBLE) return []
    const share = common / possible
    if (one === other) return share < DIFFERENT_SHARE ? [{ engines, share, kind: 'different' }] : []
    return share > ALIKE_SHARE ? [{ engines, share, kind: 'alike' }] : []
  })
