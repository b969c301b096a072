// Extrapolates the measured cost of one request and one key to larger installations.

/** Means over many requests. */
export interface PerRequest {
  nodeMicros: number
  redisMicros: number
  redisCommands: number
  redisBytes: number
  postgresRows: number
}

export interface Measured {
  cached: PerRequest
  uncached: PerRequest
  redisBytesOfKey: number
  redisBytesOfResponse: number
  /** How many are called per search. */
  engines: number
}

/** The share of searches that are not cached: between that of a site with similar queries and that of agents. */
const UNCACHED_SHARE = 0.3
const KEPT_SECONDS = 3_600
const RATES = [1_000, 10_000, 100_000]
const KEYS = [1e6, 1e7, 1e8]
/** Bytes of a usage row with its index, one per key, day and endpoint. */
const USAGE_ROW_BYTES = 200

const GIGABYTE = 1e9

export function largerInstallations(measured: Measured, many: number): string {
  return [
    ...costTable(measured),
    '',
    `Redis keeps ${measured.redisBytesOfKey.toFixed(0)} bytes for a key with one request in its windows, and`,
    `${measured.redisBytesOfResponse.toFixed(0)} bytes for each engine of an uncached search (measured with ${many} of each).`,
    '',
    ...rateTable(measured),
    '',
    ...keyTable(measured),
    '',
  ].join('\n')
}

function costTable({ cached, uncached }: Measured): string[] {
  const row = (name: string, of: (cost: PerRequest) => number, digits = 0) =>
    `| ${name} | ${of(cached).toFixed(digits)} | ${of(uncached).toFixed(digits)} |`
  return [
    '| of one request | cached | uncached |',
    '|---|---|---|',
    row('CPU of the node, µs', ({ nodeMicros }) => nodeMicros),
    row('requests per second per core', ({ nodeMicros }) => 1e6 / nodeMicros),
    row('CPU of Redis, µs', ({ redisMicros }) => redisMicros),
    row('commands in Redis', ({ redisCommands }) => redisCommands, 1),
    row('bytes to and from Redis', ({ redisBytes }) => redisBytes),
    row('rows written to PostgreSQL', ({ postgresRows }) => postgresRows, 3),
  ]
}

function rateTable({ cached, uncached, redisBytesOfResponse, engines }: Measured): string[] {
  const mean = (of: (cost: PerRequest) => number) => (1 - UNCACHED_SHARE) * of(cached) + UNCACHED_SHARE * of(uncached)
  const rows = RATES.map((rate) => {
    const nodeCores = (rate * mean(({ nodeMicros }) => nodeMicros)) / 1e6
    const redisCores = (rate * mean(({ redisMicros }) => redisMicros)) / 1e6
    const network = (rate * mean(({ redisBytes }) => redisBytes)) / 1e6
    const cacheBytes = rate * UNCACHED_SHARE * engines * redisBytesOfResponse * KEPT_SECONDS
    return `| ${rate} | ${nodeCores.toFixed(1)} | ${redisCores.toFixed(2)} | ${network.toFixed(0)} | ${(cacheBytes / GIGABYTE).toFixed(0)} |`
  })
  return [
    `With ${UNCACHED_SHARE * 100} % uncached, every one of them different, and responses kept for an hour:`,
    '',
    '| requests per second | cores for nodes | cores for Redis | MB/s to Redis | GB of cached responses |',
    '|---|---|---|---|---|',
    ...rows,
  ]
}

function keyTable({ redisBytesOfKey }: Measured): string[] {
  const rows = KEYS.map((keys) => {
    const redis = (keys * redisBytesOfKey) / GIGABYTE
    const aDay = (keys * USAGE_ROW_BYTES) / GIGABYTE
    return `| ${keys / 1e6} million | ${redis.toFixed(1)} | ${aDay.toFixed(1)} |`
  })
  return [
    'If every key is used on a day, for one endpoint:',
    '',
    '| keys | GB in Redis | GB of usage in PostgreSQL a day |',
    '|---|---|---|',
    ...rows,
  ]
}
