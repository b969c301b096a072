// The masters of a Redis Cluster: one connection each, and the map that says which of them has a key. The map is read
// from any server that answers, again every few seconds, several times a second while a master is away, and when a server
// says that a key is elsewhere.
//
// ioredis has a client for clusters. It is not used because it does not tell which server has run a command, which a
// script that must run once has to know: a replica that was promoted counts in counters of its own.
import type { RedisOptions } from 'ioredis'
import { atHost, type RedisHost, redisOptionsOf } from './redis-address.ts'
import type { Redirect, Reply } from './redis-answer.ts'
import { RedisConnection } from './redis-connection.ts'
import { openRedisServer, type RedisServer } from './redis-server.ts'
import { PROBE_KEY, type RedisServers, type RedisServersParts } from './redis-servers.ts'
import { SLOTS, slotOf } from './redis-slot.ts'

const REFRESH_MS = 5_000
const REFRESH_AWAY_MS = 250
const MOST_PROBE_KEYS = 50_000

interface SlotRange {
  from: number
  to: number
  master: RedisHost
  replicas: RedisHost[]
}

const nameOf = ({ host, port }: RedisHost): string => `${host}:${port}`

export function openRedisCluster(parts: RedisServersParts): RedisServers {
  const map = new ClusterMap(parts)
  return {
    opened: map.watch(),
    of: (key) => map.slots[slotOf(key)],
    all: () => [...map.servers.values()],
    redirected: (key, redirect) => map.redirected(key, redirect),
    failure: () => [...map.servers.values()].map((server) => server.failure()).find(Boolean) ?? map.failure,
    anyOptions: () => map.anyOptions(),
    close: () => map.close(),
  }
}

class ClusterMap {
  readonly #parts: RedisServersParts
  readonly #options: RedisOptions
  readonly servers = new Map<string, RedisServer>()
  slots: (RedisServer | undefined)[] = []
  failure: Error | undefined
  /** The servers of the last map, replicas too, and those that the operator has named. */
  #known: RedisHost[]
  #refreshing: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  #turn = 0

  constructor(parts: RedisServersParts) {
    this.#parts = parts
    this.#options = redisOptionsOf(parts.address)
    this.#known = parts.address.hosts
  }

  /** Reads the map, and again from time to time. */
  async watch(): Promise<void> {
    await this.#refresh()
    const servers = [...this.servers.values()]
    if (servers.length === 0 && this.failure) this.#parts.onFailure(this.failure)
    const isWhole = servers.length > 0 && servers.every((server) => server.isReady())
    if (this.#isClosed) return
    this.#timer = setTimeout(() => void this.watch(), isWhole ? REFRESH_MS : REFRESH_AWAY_MS).unref()
  }

  async redirected(key: string, { address, isForGood }: Redirect): Promise<RedisServer | undefined> {
    const host = hostOf(address, this.#known[0]?.host ?? '')
    if (!host || this.#isClosed) return undefined
    const server = this.#serverAt(host)
    if (isForGood) {
      this.slots[slotOf(key)] = server
      void this.#refresh()
    }
    await server.opened
    return server
  }

  anyOptions(): RedisOptions {
    return atHost(this.#options, this.#rotated(this.#known)[0] ?? { host: 'localhost', port: 6379 })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#refreshing
    await Promise.all([...this.servers.values()].map((server) => server.close()))
  }

  /** So that not always the same server is asked. */
  #rotated<Item>(items: Item[]): Item[] {
    const from = this.#turn++ % Math.max(1, items.length)
    return [...items.slice(from), ...items.slice(0, from)]
  }

  #serverAt(host: RedisHost): RedisServer {
    const name = nameOf(host)
    const open = this.servers.get(name)
    if (open) return open
    const { onReady, onFailure } = this.#parts
    const probeKey = () => probeKeyOf((slot) => this.slots[slot] === server)
    const options = atHost(this.#options, host)
    const server: RedisServer = openRedisServer({ options, isOfCluster: true, probeKey, onReady, onFailure })
    this.servers.set(name, server)
    return server
  }

  #refresh(): Promise<void> {
    this.#refreshing ??= this.#readMap()
      .then((ranges) => (ranges && !this.#isClosed ? this.#apply(ranges) : undefined))
      .finally(() => {
        this.#refreshing = undefined
      })
    return this.#refreshing
  }

  async #readMap(): Promise<SlotRange[] | undefined> {
    for (const [name, server] of this.#rotated([...this.servers])) {
      if (!server.isReady()) continue
      const ranges = rangesOf(await server.send('CLUSTER', 'SLOTS'), name.slice(0, name.lastIndexOf(':')))
      if (ranges) return ranges
    }
    const asked = await Promise.all(this.#known.map((host) => askOnce(this.#options, host)))
    this.failure = asked.find(({ error }) => error)?.error
    return asked.find(({ ranges }) => ranges)?.ranges
  }

  async #apply(ranges: SlotRange[]): Promise<void> {
    const slots: (RedisServer | undefined)[] = Array.from({ length: SLOTS }, () => undefined)
    for (const { from, to, master } of ranges) slots.fill(this.#serverAt(master), from, to + 1)
    this.slots = slots
    const hosts = ranges.flatMap(({ master, replicas }) => [master, ...replicas])
    this.#known = [...new Map([...this.#parts.address.hosts, ...hosts].map((host) => [nameOf(host), host])).values()]
    const masters = new Set(ranges.map(({ master }) => nameOf(master)))
    for (const [name, server] of this.servers) {
      if (masters.has(name)) continue
      this.servers.delete(name)
      void server.close()
    }
    await Promise.all([...this.servers.values()].map((server) => server.opened))
  }
}

/** Over a connection of its own: no server is ready. */
async function askOnce(
  options: RedisOptions,
  host: RedisHost,
): Promise<{ ranges?: SlotRange[] | undefined; error?: Error }> {
  let error: Error | undefined
  const note = (failure: Error) => {
    error ??= failure
  }
  const connection = new RedisConnection({
    options: atHost(options, host),
    isOfCluster: true,
    onEnd: note,
    onRefusal: note,
  })
  const ranges = (await connection.open()) ? rangesOf(await connection.send('CLUSTER', 'SLOTS'), host.host) : undefined
  await connection.close()
  return { ranges, ...(!ranges && error && { error }) }
}

/** A server that does not know its own name leaves it out. */
function rangesOf(reply: Reply | Redirect | undefined, askedHost: string): SlotRange[] | undefined {
  if (!Array.isArray(reply) || reply.length === 0) return undefined
  return reply.flatMap((range): SlotRange[] => {
    const [from, to, ...nodes] = Array.isArray(range) ? range : []
    const hosts = nodes.flatMap((node) => {
      const [host, port] = Array.isArray(node) ? node : []
      return typeof port === 'number'
        ? [{ host: typeof host === 'string' && host !== '' ? host : askedHost, port }]
        : []
    })
    const [master, ...replicas] = hosts
    return master ? [{ from: Number(from), to: Number(to), master, replicas }] : []
  })
}

function hostOf(address: string, askedHost: string): RedisHost | undefined {
  const at = address.lastIndexOf(':')
  const port = Number(address.slice(at + 1))
  return at < 0 || !Number.isInteger(port) ? undefined : { host: address.slice(0, at) || askedHost, port }
}

function probeKeyOf(isOurs: (slot: number) => boolean): string {
  for (let number = 0; number < MOST_PROBE_KEYS; number++) {
    const key = `${PROBE_KEY}:{${number}}`
    if (isOurs(slotOf(key))) return key
  }
  return PROBE_KEY
}
