// Ages of entries. None is near a day, a week, a month or a year, so that what an engine found within the last day is
// still within it when the reply is read an hour later.

/** Shares of all entries and their age in hours. The rest has no date. */
export type Ages = readonly (readonly [share: number, from: number, to: number])[]

export function ageIn(ages: Ages, chance: number): number | undefined {
  let passed = 0
  for (const [share, from, to] of ages) {
    if (chance < passed + share) return Math.round(from + ((chance - passed) / share) * (to - from))
    passed += share
  }
  return undefined
}

/** For entries that always have a date: the shares add up to 1, rounding aside. */
export const knownAgeIn = (ages: Ages, chance: number): number => ageIn(ages, chance) ?? ages.at(-1)?.[2] ?? 0
