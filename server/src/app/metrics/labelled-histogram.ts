// A histogram with two labels, for what happens with every request: an observation adds to a few plain numbers, and the
// text is made when somebody asks for it. The histogram of prom-client takes twenty times as long, most of it to find out
// which series the labels name. To its registry this is a metric like any other.
import type { Metric, MetricValueWithName, Registry } from 'prom-client'

interface Described {
  name: string
  help: string
  labels: readonly [first: string, second: string]
  /** The upper ends of the buckets, in order. */
  buckets: readonly number[]
}

interface Series {
  first: string
  second: string | number
  /** How many fell into each bucket, and beyond the last. */
  counts: number[]
  sum: number
}

export class LabelledHistogram {
  readonly name: string
  readonly #described: Described
  readonly #series = new Map<string, Map<string | number, Series>>()

  constructor(described: Described, register: Registry) {
    this.name = described.name
    this.#described = described
    // The registry uses `name`, `get` and `reset`, and nothing else of a metric.
    register.registerMetric(this as unknown as Metric)
  }

  observe(first: string, second: string | number, value: number): void {
    const series = this.#series.get(first)?.get(second) ?? this.#add(first, second)
    const { buckets } = this.#described
    let at = 0
    while (at < buckets.length && value > (buckets[at] ?? 0)) at++
    series.counts[at] = (series.counts[at] ?? 0) + 1
    series.sum += value
  }

  /** How often each pair of labels was observed. */
  totals(): { labels: Record<string, string | number>; total: number }[] {
    return this.#all().map((series) => ({ labels: this.#labelsOf(series), total: totalOf(series) }))
  }

  async get() {
    const { name, help } = this.#described
    return {
      name,
      help,
      type: 'histogram',
      values: this.#all().flatMap((series) => this.#valuesOf(series)),
      aggregator: 'sum',
    }
  }

  reset(): void {
    this.#series.clear()
  }

  #add(first: string, second: string | number): Series {
    const series = { first, second, counts: [...this.#described.buckets.map(() => 0), 0], sum: 0 }
    const alike = this.#series.get(first) ?? new Map<string | number, Series>()
    this.#series.set(first, alike.set(second, series))
    return series
  }

  #all(): Series[] {
    return [...this.#series.values()].flatMap((alike) => [...alike.values()])
  }

  #labelsOf({ first, second }: Series): Record<string, string | number> {
    const [one, other] = this.#described.labels
    return { [one]: first, [other]: second }
  }

  /** Buckets are cumulative: each holds all that the smaller ones hold. */
  #valuesOf(series: Series): MetricValueWithName<string>[] {
    const { name, buckets } = this.#described
    const labels = this.#labelsOf(series)
    let total = 0
    const cumulative = series.counts.map((count, at) => {
      total += count
      return { metricName: `${name}_bucket`, labels: { le: buckets[at] ?? '+Inf', ...labels }, value: total }
    })
    return [
      ...cumulative,
      { metricName: `${name}_sum`, labels, value: series.sum },
      { metricName: `${name}_count`, labels, value: total },
    ]
  }
}

const totalOf = ({ counts }: Series): number => counts.reduce((sum, count) => sum + count, 0)
