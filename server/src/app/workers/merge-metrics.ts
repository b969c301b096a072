// Adds up the metrics of several workers, as text in Prometheus' format, so that a node is scraped as one whatever the
// number of its processes. Counters and histograms are sums, and never fall: what a worker had counted when it ended
// is kept here. A gauge is a sum if it counts things, the least if it says that something is up, and otherwise the most.

type Type = 'counter' | 'gauge' | 'histogram' | 'untyped'

interface Family {
  /** Its HELP and TYPE lines. */
  head: string[]
  type: Type
  /** By name and labels, as written. */
  samples: Map<string, number>
}

type Families = Map<string, Family>

const SUMMED_GAUGE = /_bytes$|_active_|_open_fds$|_max_fds$|_in_flight$|_connections$|_waiting$/
const LEAST_GAUGE = /_up$/

export class MetricsTotals {
  /** Counters and histograms of workers that have ended. */
  readonly #ended: Families = new Map()

  /** The last that a worker said before it ended. */
  addEnded(text: string): void {
    const ended = parseFamilies(text)
    for (const [name, { type }] of ended) if (type === 'gauge' || type === 'untyped') ended.delete(name)
    mergeInto(this.#ended, ended)
  }

  /** Of the workers that there are, whose own words these are. */
  render(texts: readonly string[]): string {
    const total: Families = new Map()
    for (const text of texts) mergeInto(total, parseFamilies(text))
    mergeInto(total, this.#ended)
    return [...total.values()].map(renderFamily).join('\n')
  }
}

function renderFamily({ head, samples }: Family): string {
  const lines = [...samples].map(([sample, value]) => `${sample} ${renderValue(value)}`)
  return `${[...head, ...lines].join('\n')}\n`
}

const renderValue = (value: number): string =>
  Math.abs(value) === Number.POSITIVE_INFINITY ? (value > 0 ? '+Inf' : '-Inf') : String(value)

const readValue = (text: string): number =>
  /^[+-]?Inf$/.test(text) ? (text.startsWith('-') ? -1 : 1) * Number.POSITIVE_INFINITY : Number(text)

function mergeInto(total: Families, more: Families): void {
  for (const [name, { head, type, samples }] of more) {
    let known = total.get(name)
    if (!known) {
      known = { head, type, samples: new Map() }
      total.set(name, known)
    }
    const combine = type === 'gauge' ? gaugeRule(name) : add
    for (const [sample, value] of samples) {
      const before = known.samples.get(sample)
      // Not a number: nothing was measured yet.
      if (before === undefined || Number.isNaN(before)) known.samples.set(sample, value)
      else if (!Number.isNaN(value)) known.samples.set(sample, combine(before, value))
    }
  }
}

const add = (one: number, other: number): number => one + other

function gaugeRule(name: string): (one: number, other: number) => number {
  if (SUMMED_GAUGE.test(name)) return add
  return LEAST_GAUGE.test(name) ? Math.min : Math.max
}

const HEAD = /^# (HELP|TYPE) (\S+) ?(.*)$/
const TYPES = new Set<string>(['counter', 'gauge', 'histogram'])

/** What it cannot read is left out: it comes from our own processes. */
function parseFamilies(text: string): Families {
  const families: Families = new Map()
  let family: Family | undefined
  for (const line of text.split('\n')) {
    const [, kind, name = '', rest = ''] = HEAD.exec(line) ?? []
    if (kind !== undefined) {
      family = families.get(name) ?? { head: [], type: 'untyped', samples: new Map() }
      family.head.push(line)
      // One of ours, which the set has just confirmed.
      if (kind === 'TYPE' && TYPES.has(rest)) family.type = rest as Type
      families.set(name, family)
      continue
    }
    // A label's value may contain a space, the number never does.
    const at = line.lastIndexOf(' ')
    if (at > 0 && !line.startsWith('#')) family?.samples.set(line.slice(0, at), readValue(line.slice(at + 1)))
  }
  return families
}
