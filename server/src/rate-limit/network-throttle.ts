// Limits clients without a valid key or account by network, in this process alone: no IP address leaves the node, and
// no round trip is needed. An address has the limits of its network, of the wider networks around it, and of all
// clients together. Each level has its own LRU cache, so a client with many addresses can't evict the wider networks
// that limit it.
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { atMost } from '../lru-bounds.ts'
import type { Rate } from './rate-limiter.ts'
import { SlidingWindow } from './sliding-window.ts'

interface NetworkLimits {
  /** From the narrowest network to the widest; see `networksOf`. Several rates apply together. */
  networks: readonly (readonly Rate[])[]
  everyone: readonly Rate[]
}

interface LimitedNetwork {
  rates: readonly Rate[]
  windows: SlidingWindow[]
}

const MAX_NETWORKS = 20_000
const EXACT = 0
const BUCKETS = 1_440
/** Windows with a higher limit are divided into buckets, to save memory. */
const MAX_EXACT_COUNT = 100

const open = (rates: readonly Rate[]): LimitedNetwork => ({
  rates,
  windows: rates.map(({ count }) => new SlidingWindow(count > MAX_EXACT_COUNT ? BUCKETS : EXACT)),
})

/** `clock` is monotonic, in milliseconds. */
export function createNetworkThrottle({ networks, everyone }: NetworkLimits, clock: () => number) {
  const caches = networks.map(() => new LRUCache<string, LimitedNetwork>(atMost(MAX_NETWORKS)))
  const all = open(everyone)

  const find = (address: string): LimitedNetwork[] => [
    all,
    ...networksOf(address).flatMap((name, level) => caches[level]?.get(name) ?? []),
  ]

  return {
    /** Whole seconds until the address may try again; 0 if it may now. */
    waitOf(address: string): number {
      const now = clock()
      const waits = find(address).flatMap(({ rates, windows }) =>
        rates.map((rate, i) => windows[i]?.peek(rate, now).waitMs ?? 0),
      )
      return Math.ceil(Math.max(0, ...waits) / 1_000)
    },
    record(address: string): void {
      const now = clock()
      for (const [level, name] of networksOf(address).entries()) {
        const rates = networks[level] ?? []
        if (rates.length > 0 && !caches[level]?.has(name)) caches[level]?.set(name, open(rates))
      }
      for (const { rates, windows } of find(address)) {
        for (const [i, rate] of rates.entries()) windows[i]?.record(rate, now)
      }
    },
  }
}

const IPV6_NETWORKS = [
  { bytes: 8, suffix: '' },
  { bytes: 7, suffix: '/56' },
  { bytes: 6, suffix: '/48' },
]

/**
 * The networks that an IP address belongs to, narrowest first: an IPv4 address is its own network; an IPv6 address has
 * its /64, /56 and /48. A client with one IPv6 address usually has the whole /64, many have a /56, and anyone who asks
 * gets a /48: limits per address, or per /64 alone, wouldn't stop them.
 */
export function networksOf(address: string): [narrowest: string, ...wider: string[]] {
  if (!ipaddr.isValid(address)) return ['unknown']
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return [parsed.toString()]
  const bytes = Buffer.from(parsed.toByteArray())
  const [narrowest = '', ...wider] = IPV6_NETWORKS.map(
    (network) => bytes.toString('hex', 0, network.bytes) + network.suffix,
  )
  return [narrowest, ...wider]
}
