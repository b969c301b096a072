// Normalised discounted cumulative gain of the first ten results: how much relevance a reader meets, and how early,
// relative to the best possible order. The gain of a result is its grade.
const DEPTH = 10

const DISCOUNTS = Array.from({ length: DEPTH }, (_, index) => 1 / Math.log2(index + 2))

/** Grades in the order shown; `ideal` are those in the best possible order. */
export function ndcg(grades: readonly number[], ideal: readonly number[]): number {
  const best = discountedGain(ideal)
  return best === 0 ? 0 : discountedGain(grades) / best
}

export function discountedGain(grades: readonly number[]): number {
  let gain = 0
  for (let rank = 0; rank < DEPTH; rank += 1) gain += (grades[rank] ?? 0) * (DISCOUNTS[rank] ?? 0)
  return gain
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
