// One pass of the roll-up over the usage in Redis. It looks at what was announced since the last complete pass, and a
// little before, because an announcement covers the second after it. Entries that have been quiet for a minute are read
// one last time and then removed. All shards whose turn is ours are read side by side, a page of each at a time, and
// written together; one that cannot be read, because a server of a cluster is away, does not keep the others waiting.
import type { UsageCount } from '../rate-limiter.ts'
import type { SharedUsage } from '../redis-usage.ts'
import { DIRTY_PAGE, type DirtyUsage, shardOf, type UsageShard, type UsageTurn } from './usage-shard.ts'

type WriteCounts = (counts: UsageCount[]) => Promise<void>

/** The entries of one shard from one score to another. */
interface Walk {
  set: Pick<UsageShard, 'dirty' | 'forget'>
  from: number
  to: number
  isLast: boolean
  /** Undefined for what was left of the time before there were shards. */
  turn: Turn | undefined
}

interface Turn extends UsageTurn {
  shard: UsageShard
  /** By this process' clock. */
  askedAt: number
  isFailed: boolean
}

/** The nodes together make one pass in each of these; a little less than a node waits between two. */
const INTERVAL_MS = 900
/** In microseconds, like scores. */
const LOOK_BACK = 2_000_000
const QUIET = 60_000_000
/** In a cluster, an announcement may arrive that much after what it announces. */
const LATE_ANNOUNCEMENT_MS = 1_000

/** False: some of it could not be read, and stays where it is. A rejection: it could not be written. */
export async function passSharedUsage(shared: SharedUsage, write: WriteCounts, isForced: boolean): Promise<boolean> {
  shared.announceFailed()
  const turns = await Promise.all(shared.shards.map((shard) => takeTurn(shard, isForced)))
  const ours = turns.filter((turn) => turn?.isOurs).filter((turn) => turn !== undefined)
  const former = await orUndefined(shared.former.now())
  const walks = ours.flatMap((turn) => walksOf(turn))
  if (former !== undefined)
    walks.push({ set: shared.former, from: -Infinity, to: former - QUIET, isLast: true, turn: undefined })
  const isRead = await writeWalks(shared, walks, write)
  await Promise.all(ours.map(endTurn))
  const heardBy = turns.map((turn) => heardByOf(turn))
  shared.unrolled.forget((caller) => heardBy[shardOf(caller)] ?? -Infinity)
  return isRead && former !== undefined && !turns.includes(undefined)
}

async function takeTurn(shard: UsageShard, isForced: boolean): Promise<Turn | undefined> {
  const askedAt = performance.now()
  const turn = await orUndefined(shard.takeTurn(isForced))
  return turn && { ...turn, shard, askedAt, isFailed: false }
}

const walksOf = (turn: Turn): Walk[] => [
  { set: turn.shard, from: turn.rolledThrough - LOOK_BACK, to: Infinity, isLast: false, turn },
  { set: turn.shard, from: -Infinity, to: turn.now - QUIET, isLast: true, turn },
]

async function endTurn(turn: Turn): Promise<void> {
  if (turn.isFailed) return
  const restMs = INTERVAL_MS - (performance.now() - turn.askedAt)
  // Otherwise it is simply rolled up again.
  if (await orUndefined(turn.shard.endTurn(turn.now, restMs))) turn.rolledThrough = turn.now
}

/** What this process has heard of by then was rolled up. */
function heardByOf(turn: Turn | undefined): number {
  if (!turn || turn.rolledThrough > turn.now) return -Infinity
  return turn.askedAt - (turn.now - turn.rolledThrough) / 1_000 - LATE_ANNOUNCEMENT_MS
}

async function writeWalks(shared: SharedUsage, walks: Walk[], write: WriteCounts): Promise<boolean> {
  let isRead = true
  let open = walks
  while (open.length > 0) {
    const pages = await Promise.all(open.map(({ set, from, to }) => orUndefined(set.dirty(from, to))))
    const counts: UsageCount[] = []
    for (const [at, entries] of pages.entries()) {
      // One page after another: requests wait behind these commands.
      const read = entries && (await orUndefined(readEntries(shared, entries)))
      if (read) counts.push(...read)
      else pages[at] = undefined
    }
    await write(latestOf(counts))
    const next = await Promise.all(open.map((walk, at) => advance(walk, pages[at])))
    if (next.some(({ isFailed }) => isFailed)) isRead = false
    open = open.filter((_, at) => next[at]?.hasMore)
  }
  return isRead
}

/** Two walks may meet the same caller, and a statement can write a row only once. */
function latestOf(counts: UsageCount[]): UsageCount[] {
  const latest = new Map<string, UsageCount>()
  for (const count of counts) {
    const key = `${count.caller} ${count.day} ${count.endpoint} ${count.source}`
    const known = latest.get(key)
    if (!known || known.counted + known.refunded < count.counted + count.refunded) latest.set(key, count)
  }
  return [...latest.values()]
}

const readEntries = async (shared: SharedUsage, entries: DirtyUsage[]): Promise<UsageCount[]> =>
  (await Promise.all(entries.map(({ name, day }) => shared.read(name, day)))).flat()

/** An entry that is announced in the meantime moves to a later page, and is seen there. */
async function advance(
  walk: Walk,
  entries: DirtyUsage[] | undefined,
): Promise<{ hasMore: boolean; isFailed: boolean }> {
  const isForgotten = entries && walk.isLast ? (await orUndefined(walk.set.forget(entries))) === true : true
  if (!entries || !isForgotten) {
    if (walk.turn) walk.turn.isFailed = true
    return { hasMore: false, isFailed: true }
  }
  if (entries.length < DIRTY_PAGE) return { hasMore: false, isFailed: false }
  // Inclusive, because entries may share a score; seeing a few of them twice does no harm.
  walk.from = entries.at(-1)?.score ?? walk.to
  walk.turn?.shard.renewTurn()
  return { hasMore: true, isFailed: false }
}

/** A server is away, and the client has said why. */
const orUndefined = <Value>(work: Promise<Value>): Promise<Value | undefined> => work.catch(() => undefined)
