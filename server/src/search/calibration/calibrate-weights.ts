// How much each engine should count in the merge, from searches whose results people have graded.
//
// Least squares: a result's grade is explained by what each engine adds to its score at weight 1. Both are centred per
// search, so that only differences within a search count, and divided by its ideal gain, so that a search with many good
// results doesn't drown the others. On a few searches that alone would be mostly luck, so each engine's slope is pulled
// towards the slope they have in common (ridge). docs/decisions/0006-merge.md has the figures, and what was tried before.
import { additionAt } from '../merge.ts'
import { discountedGain } from './ndcg.ts'
import { solveLinear } from './solve-linear.ts'

export interface GradedResult {
  /** 0 for a bad result, more for a better one. */
  grade: number
  /** Where each engine that returned it ranked it, from 1. */
  ranks: Readonly<Record<string, number>>
}

export interface GradedSearch {
  results: readonly GradedResult[]
  /** The grades in the best possible order. */
  ideal: readonly number[]
}

/** How hard slopes are pulled together, as a share of what an engine's own results weigh on average. */
const PULL = 0.1
/** Even a useless engine keeps a voice: the searches may not have been its own. */
const FLOOR = 0.02

/** What one search says: the sums of the products of the engines' additions with each other, and with the grades. */
export interface Equations {
  products: readonly (readonly number[])[]
  targets: readonly number[]
}

export function equationsOf({ results, ideal }: GradedSearch, engines: readonly string[]): Equations {
  // If nothing was good, nothing was better than anything else.
  const best = discountedGain(ideal) || Number.POSITIVE_INFINITY
  const grades = centred(results.map(({ grade }) => grade / best))
  const additions = engines.map((engine) => centred(results.map(({ ranks }) => additionOf(ranks[engine]))))
  const counts = best < Number.POSITIVE_INFINITY
  return {
    products: additions.map((own) => additions.map((others) => (counts ? dot(own, others) : 0))),
    targets: additions.map((own) => dot(own, grades)),
  }
}

/** Weights by engine, 1 on average, from what each search says. All are 1 if the grades tell nothing about the engines. */
export function calibrateWeights(searches: readonly Equations[], engines: readonly string[]): Map<string, number> {
  const products = engines.map((_, one) =>
    engines.map((__, other) => sumOf(searches.map((search) => search.products[one]?.[other] ?? 0))),
  )
  const targets = engines.map((_, at) => sumOf(searches.map((search) => search.targets[at] ?? 0)))
  const total = sumOf(products.map(sumOf))
  const common = total > 0 ? Math.max(0, sumOf(targets) / total) : 0
  const pull = (PULL * sumOf(products.map((row, at) => row[at] ?? 0))) / Math.max(1, engines.length)
  const pulled = products.map((row, at) => row.map((value, other) => (other === at ? value + pull : value)))
  const slopes = solveLinear(
    pulled,
    targets.map((target) => target + pull * common),
  )
  return new Map(withMeanOne(slopes).map((weight, at) => [engines[at] ?? '', weight]))
}

const additionOf = (rank: number | undefined): number => (rank === undefined ? 0 : additionAt(rank, 1))

function centred(values: readonly number[]): number[] {
  const middle = sumOf(values) / Math.max(1, values.length)
  return values.map((value) => value - middle)
}

function withMeanOne(slopes: readonly number[]): number[] {
  const positive = slopes.map((slope) => Math.max(0, slope))
  const mean = sumOf(positive) / Math.max(1, positive.length)
  if (!(mean > 0)) return slopes.map(() => 1)
  const floored = positive.map((slope) => Math.max(FLOOR, slope / mean))
  const level = sumOf(floored) / floored.length
  return floored.map((weight) => weight / level)
}

const dot = (some: readonly number[], others: readonly number[]): number => {
  let sum = 0
  for (let at = 0; at < some.length; at += 1) sum += (some[at] ?? 0) * (others[at] ?? 0)
  return sum
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
