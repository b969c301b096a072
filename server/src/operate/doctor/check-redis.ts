// Checks Redis as a single server, behind Sentinels or as a cluster. The one for limits must not evict anything; the
// one for cached responses must, when it's full.
import type { Finding } from '../../cli/cli-host.ts'
import { inspectRedis, type RedisFacts, type RedisInspection } from '../../redis/inspect-redis.ts'
import { lastingRefusalOf, reasonOf } from '../../redis/redis-availability.ts'
import type { Configuration } from '../../settings/configuration.ts'
import { describeConnectionFailure, explainRedisRefusal } from '../start-failure.ts'
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
    return [...judgeDeployment(inspection, use), ...judgeServers(inspection, { use, url })]
  } catch (error) {
    return [unreachable(NAMES[use], error, { use, url })]
  }
}

function unreachable(about: string, error: unknown, { use, url }: { use: RedisUse; url: string }): Finding {
  const setting = SETTINGS[use]
  const refusal = lastingRefusalOf(error instanceof Error ? error : undefined)
  if (refusal !== undefined) return broken(about, 'It does not let us in.', explainRedisRefusal(setting, refusal))
  const protocol = url.startsWith('rediss')
    ? `${setting} asks for TLS: does that port offer it?`
    : `If it expects TLS, write rediss instead of redis in ${setting}.`
  const reason = describeConnectionFailure(reasonOf(error))
  const advice = `Check ${setting}, and that this machine can reach it.`
  return broken(about, `It cannot be reached (${reason}).`, WRONG_PROTOCOL.test(reason) ? protocol : advice)
}

/** What a server and a client do that disagree on TLS. */
const WRONG_PROTOCOL = /^(?:no answer|the connection was closed)$/

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

function judgeServers({ kind, servers }: RedisInspection, redis: { use: RedisUse; url: string }): Finding[] {
  const { use } = redis
  return servers.flatMap((server, at) => {
    const about = kind === 'cluster' ? `${NAMES[use]}, master ${at + 1}` : NAMES[use]
    if (server instanceof Error) return [unreachable(about, server, redis)]
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

const WRITE_REFUSALS: Record<string, [string, string]> = {
  OOM: ['It is full and takes no writes.', 'Raise maxmemory, or set REDIS_CACHE_URL to a second Redis for the cache.'],
  READONLY: ['It is a replica and takes no writes.', 'Use the address of its master.'],
  NOPERM: ['Its user may not write.', 'Grant write commands on bb:*, as in docs/operate/security.md.'],
  MISCONF: ['It cannot save to its disk and takes no writes.', 'Make room on its disk, and see its log.'],
  NOREPLICAS: ['It has too few replicas to take writes.', 'Start them, or lower min-replicas-to-write.'],
}

function judgeServer(about: string, facts: RedisFacts, use: RedisUse): Finding[] {
  const findings: Finding[] = []
  const { writeRefusal } = facts
  if (writeRefusal !== undefined) {
    const [detail, advice] = WRITE_REFUSALS[writeRefusal] ?? [`It takes no writes (${writeRefusal}).`, 'See its log.']
    findings.push(broken(about, detail, advice))
  }
  findings.push(...(use === 'limits' ? judgeLimitsMemory(about, facts) : judgeCacheMemory(about, facts)))
  return [...findings, judgeClock(`Clock of ${about}`, facts.clockAheadMs)]
}

/** Limits must not be evicted to make room. */
function judgeLimitsMemory(
  about: string,
  { evictionPolicy, usedBytes, maxBytes, writeRefusal }: RedisFacts,
): Finding[] {
  const findings: Finding[] = []
  if (evictionPolicy !== 'noeviction') {
    const detail = `Its eviction policy is ${evictionPolicy}, so it may drop rate limits, which then start over.`
    findings.push(warning(about, detail, 'Set maxmemory-policy noeviction, and give it enough memory.'))
  }
  if (writeRefusal === undefined && maxBytes > 0 && usedBytes > 0.8 * maxBytes) {
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
