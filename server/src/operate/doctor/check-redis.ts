// Checks Redis as a single server, behind Sentinels or as a cluster. The one for limits must not evict anything; the
// one for cached responses must, when it's full.
import type { Finding } from '../../cli/cli-host.ts'
import { inspectRedis, type RedisFacts, type RedisInspection } from '../../redis/inspect-redis.ts'
import type { Configuration } from '../../settings/configuration.ts'
import { broken, fine, judgeClock, warning } from './finding.ts'

type RedisUse = 'limits' | 'cache'

const NAMES = { limits: 'Redis', cache: 'Redis for cached responses' }
const SETTINGS = { limits: 'REDIS_URL', cache: 'REDIS_CACHE_URL' }

export async function checkRedis({ redisUrl, redisCacheUrl, databaseUrl }: Configuration): Promise<Finding[]> {
  const [limits = withoutRedis(databaseUrl), cache = []] = await Promise.all([
    redisUrl === undefined ? Promise.resolve(undefined) : check(redisUrl, 'limits'),
    redisCacheUrl === undefined ? Promise.resolve(undefined) : check(redisCacheUrl, 'cache'),
  ])
  return [...limits, ...cache]
}

const withoutRedis = (databaseUrl: string | undefined): Finding[] =>
  databaseUrl === undefined
    ? [fine(NAMES.limits, 'Not used: limits and cache are in the process.')]
    : [
        warning(
          NAMES.limits,
          'REDIS_URL is not set, so each process has its own limits.',
          'Set it, or run only one process.',
        ),
      ]

async function check(url: string, use: RedisUse): Promise<Finding[]> {
  try {
    const inspection = await inspectRedis(url)
    return [...judgeDeployment(inspection, use), ...judgeServers(inspection, use)]
  } catch (error) {
    return [unreachable(NAMES[use], error, use)]
  }
}

const unreachable = (about: string, error: unknown, use: RedisUse): Finding =>
  broken(
    about,
    `It does not let us in (${reasonOf(error)}).`,
    `Check ${SETTINGS[use]}, and that this machine can reach it.`,
  )

/** The first word of Redis' error (`WRONGPASS`, `NOAUTH`), or the connection error's code. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown'
  if ('code' in error && typeof error.code === 'string') return error.code
  return /^[A-Z]{3,}\b/.exec(error.message)?.[0] ?? error.name
}

/** Judges the deployment as a whole. */
function judgeDeployment({ kind, servers, slotsWithoutMaster }: RedisInspection, use: RedisUse): Finding[] {
  const about = NAMES[use]
  const findings: Finding[] = []
  if (kind === 'cluster') findings.push(fine(about, `A cluster of ${servers.length} masters.`))
  if (slotsWithoutMaster > 0) {
    const detail = `${slotsWithoutMaster} of its slots have no master.`
    findings.push(broken(about, detail, 'Run redis-cli --cluster check, and fix what it names.'))
  }
  return findings
}

function judgeServers({ kind, servers }: RedisInspection, use: RedisUse): Finding[] {
  return servers.flatMap((server, at) => {
    const about = kind === 'cluster' ? `${NAMES[use]}, master ${at + 1}` : NAMES[use]
    if (server instanceof Error) return [unreachable(about, server, use)]
    // Losing cached responses along with their server is fine.
    const isAlone = kind !== 'single' && use === 'limits' && server.replicas === 0
    const advice = 'Add a replica: without one, nothing takes over when this server fails.'
    return [
      fine(about, `Version ${server.version}.`),
      ...(isAlone ? [warning(about, 'It has no replica.', advice)] : []),
      ...judgeServer(about, server, use),
    ]
  })
}

function judgeServer(about: string, facts: RedisFacts, use: RedisUse): Finding[] {
  const findings: Finding[] = []
  if (!facts.isWritable) {
    const advice = 'Use the primary, make room in it, or grant write commands on bb:*.'
    findings.push(broken(about, 'It takes no writes from us.', advice))
  }
  findings.push(...(use === 'limits' ? judgeLimitsMemory(about, facts) : judgeCacheMemory(about, facts)))
  return [...findings, judgeClock(`Clock of ${about}`, facts.clockAheadMs)]
}

/** Limits must not be evicted to make room. */
function judgeLimitsMemory(about: string, { evictionPolicy, usedBytes, maxBytes }: RedisFacts): Finding[] {
  const findings: Finding[] = []
  if (evictionPolicy !== 'noeviction') {
    const detail = `Its eviction policy is ${evictionPolicy}, so it may drop rate limits, which then start over.`
    findings.push(warning(about, detail, 'Set maxmemory-policy noeviction, and give it enough memory.'))
  }
  if (maxBytes > 0 && usedBytes > 0.8 * maxBytes) {
    const share = Math.round((100 * usedBytes) / maxBytes)
    findings.push(warning(about, `${share} % of its memory is used.`, 'Raise maxmemory.'))
  }
  return findings
}

/** The cache must evict when it's full. */
function judgeCacheMemory(about: string, { evictionPolicy, maxBytes }: RedisFacts): Finding[] {
  if (maxBytes > 0 && evictionPolicy !== 'noeviction') return []
  return [
    warning(
      about,
      maxBytes === 0 ? 'Nothing bounds its memory.' : 'It refuses writes when it is full.',
      'Set maxmemory and maxmemory-policy allkeys-lru.',
    ),
  ]
}
