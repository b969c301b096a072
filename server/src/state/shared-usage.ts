// The usage counters in Redis as the roll-up sees them: which have changed, what they hold, and who rolls up now.
//
// A sorted set names each caller and day that may have changed, scored by Redis' time. A node announces a caller before
// it spends for it, both over the wire and so in this order, at most once a second: an announcement stands for all
// changes of the following second. It brings its script along, because one that the server has forgotten would be sent
// again, and then after the spending. An entry is forgotten only when it was read, its last announcement was then more
// than a minute old, and it has not been announced since. No count can be lost by that: a change that came after the
// reading would be more than a minute younger than the announcement it stands under, while a node sends both within a
// second. (A command that is stuck in a dead connection for longer was answered by the twin, and counted there.) The
// entries outlive every node, so a node may be killed at any moment.
//
// Reading takes the wire as well: a node sees what it has just spent and refunded. The rest of the roll-up needs no order.
import type { Redis } from 'ioredis'
import type { UsageCount } from './meter.ts'
import type { RedisLink } from './redis-link.ts'
import { bulk, command, defineScript } from './resp-command.ts'
import { USAGE_LIFE_MS } from '../limits/consume-script.ts'
import { dayOf } from '../limits/usage-reading.ts'

interface DirtyUsage {
  member: string
  caller: string
  day: string
  score: number
}

export interface SharedUsage {
  announce: (caller: string) => void
  /** The names of an endpoint's counted and refunded counters. */
  fieldsOf: (endpoint: string) => [counted: string, refunded: string]
  read: (caller: string, day: string) => Promise<UsageCount[]>
  isAway: () => boolean
  /** Redis' time, the unit of scores. */
  now: () => Promise<number>
  /** At most PAGE entries by rising score, from one score to another, both inclusive. */
  dirty: (from: number, to: number) => Promise<DirtyUsage[]>
  /** Forgets entries unless they were announced again. */
  forget: (entries: DirtyUsage[]) => Promise<void>
  /** Up to which score everything was rolled up at least once. */
  rolledThrough: () => Promise<number>
  setRolledThrough: (score: number) => Promise<void>
  /** True for one node at a time, for as long. */
  takeTurn: (ms: number) => Promise<boolean>
}

export const DIRTY_PAGE = 500
const DAY_MS = 86_400_000
const ANNOUNCE_EVERY_MS = 1_000

/** Close to midnight, a change that an announcement stands for may fall on the next day. */
const announceScript = (clock: string): string => `
local now = ${clock}
local day, soon = math.floor(now / 86400000000), math.floor((now + 10000000) / 86400000000)
redis.call('ZADD', KEYS[1], now, ARGV[1] .. '|' .. day)
if soon ~= day then redis.call('ZADD', KEYS[1], now, ARGV[1] .. '|' .. soon) end
redis.call('PEXPIRE', KEYS[1], ${USAGE_LIFE_MS})
`

const FORGET_SCRIPT = `
for i = 1, #ARGV, 2 do
  if tonumber(redis.call('ZSCORE', KEYS[1], ARGV[i])) == tonumber(ARGV[i + 1]) then redis.call('ZREM', KEYS[1], ARGV[i]) end
end
`

interface Scripts {
  bowerbirdNow: () => Promise<number>
}

interface SharedUsageParts {
  link: RedisLink
  clock: () => number
  luaClock: string
  prefix: string
}

export function createSharedUsage({ link, clock, luaClock, prefix }: SharedUsageParts): SharedUsage {
  link.client.defineCommand('bowerbirdNow', { lua: `return ${luaClock}`, numberOfKeys: 0, readOnly: true })
  // `defineCommand` adds the methods at run time, which the client's type cannot know.
  const client = link.client as Redis & Scripts
  const dirtyKey = `${prefix}usage:dirty`
  const rolledKey = `${prefix}usage:rolled`
  const leaseKey = `${prefix}usage:lease`
  const announcement = defineScript(announceScript(luaClock), { keys: 1, values: 1 }).byText + bulk(dirtyKey)
  const fieldsOf = rememberFields(link)
  const announced = new Set<string>()
  let announcedSince = 0

  return {
    announce(caller) {
      const now = clock()
      if (Math.abs(now - announcedSince) >= ANNOUNCE_EVERY_MS) {
        announced.clear()
        announcedSince = now
      }
      if (announced.has(caller)) return
      announced.add(caller)
      void link.send(announcement + bulk(caller)).then((reply) => {
        if (reply === undefined) announced.delete(caller)
      })
    },
    fieldsOf,
    async read(caller, day) {
      const hash = await link.send(command('HGETALL', `${prefix}{${caller}}:usage:${Date.parse(day) / DAY_MS}`))
      if (!Array.isArray(hash)) throw new Error('the usage in Redis could not be read')
      return countsOf(hash.map(String), caller, day)
    },
    isAway: link.isAway,
    now: () => client.bowerbirdNow(),
    async dirty(from, to) {
      const flat = await client.zrangebyscore(
        dirtyKey,
        scoreText(from),
        scoreText(to),
        'WITHSCORES',
        'LIMIT',
        0,
        DIRTY_PAGE,
      )
      return entriesOf(flat)
    },
    async forget(entries) {
      if (entries.length === 0) return
      const membersAndScores = entries.flatMap(({ member, score }) => [member, `${score}`])
      await link.send(command('EVAL', FORGET_SCRIPT, '1', dirtyKey, ...membersAndScores))
    },
    rolledThrough: async () => Number((await client.get(rolledKey)) ?? Number.NEGATIVE_INFINITY),
    async setRolledThrough(score) {
      await client.set(rolledKey, score, 'PX', USAGE_LIFE_MS)
    },
    takeTurn: async (ms) => (await client.set(leaseKey, '1', 'PX', ms, 'NX')) === 'OK',
  }
}

/**
 * The names are the same for every request to an endpoint, until the server is another run. A server never changes its
 * run without breaking the connection, so that the wire's run is that of the server that will count.
 */
function rememberFields(link: RedisLink): SharedUsage['fieldsOf'] {
  const names = new Map<string, [counted: string, refunded: string]>()
  link.onReady(() => names.clear())
  return (endpoint) => {
    const known = names.get(endpoint)
    if (known) return known
    const made: [string, string] = [`counted:${link.run()}:${endpoint}`, `refunded:${link.run()}:${endpoint}`]
    names.set(endpoint, made)
    return made
  }
}

function countsOf(flat: string[], caller: string, day: string): UsageCount[] {
  const fields = new Map<string, string>()
  for (let i = 0; i < flat.length; i += 2) fields.set(flat[i] ?? '', flat[i + 1] ?? '')
  const born = fields.get('born') ?? ''
  return [...fields].flatMap(([field, counted]) => {
    const [kind, epoch = '', endpoint = ''] = field.split(':')
    if (kind !== 'counted') return []
    const refunded = Number(fields.get(`refunded:${epoch}:${endpoint}`) ?? 0)
    return [{ caller, day, endpoint, source: `redis:${epoch}:${born}`, counted: Number(counted), refunded }]
  })
}

function entriesOf(flat: string[]): DirtyUsage[] {
  const entries: DirtyUsage[] = []
  for (let i = 0; i < flat.length; i += 2) {
    const member = flat[i] ?? ''
    const [caller = '', day = ''] = member.split('|')
    entries.push({ member, caller, day: dayOf(Number(day) * DAY_MS), score: Number(flat[i + 1]) })
  }
  return entries
}

function scoreText(score: number): string | number {
  if (Number.isFinite(score)) return score
  return score > 0 ? '+inf' : '-inf'
}
