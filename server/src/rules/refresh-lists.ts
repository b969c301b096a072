// Fetches the lists that people subscribe to: soon after they have subscribed, and then once a day. One node does it, the
// holder of the lease; a list is claimed before it is fetched, so that two nodes that both believe to hold it don't fetch
// twice. A list that can't be fetched or read keeps the rules that it had, and its subscribers are told why.
//
// A list does what its subscriber has chosen and nothing else, because its publisher may change it any day, and the
// subscriber doesn't see what has changed.
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { announceRulesChange } from '../keys/key-changes.ts'
import type { NodeLease } from '../redis/node-lease.ts'
import { repeat } from '../repeat.ts'
import type { PageFetch } from '../upstream/page-fetch.ts'
import { FetchRefusal } from '../upstream/untrusted-fetch.ts'
import { inSlices } from './in-slices.ts'
import { parseRules } from './parse-rules.ts'
import { lockRules, type RuleContext, raiseVersion, readRoom } from './rule-store.ts'
import type { ListAction, SiteRule } from './site-rules.ts'
import { storedForm } from './stored-rules.ts'

interface RefreshParts {
  context: RuleContext
  lease: NodeLease
  pages: Pick<PageFetch, 'fetch'>
  everyMs?: number
}

/** A subscription that is to be fetched now. */
interface DueList {
  id: string
  owner_id: string
  address: string
  action: string
  etag: string
  last_modified: string
  problem: string
}

const LOOK_EVERY_MS = 5_000
const LEASE_MS = 60_000
const MAX_BYTES = 10_000_000
const AGAIN_AFTER_FAILURE_MS = 3_600_000
const AGAIN_MS = 24 * 3_600_000
/** Of what a server says about its version. */
const MAX_LENGTH = 200

/** Returns a function that stops it. Close `pages` first: a fetch may take a minute. */
export function startListRefresh({ context, lease, pages, everyMs = LOOK_EVERY_MS }: RefreshParts) {
  const stopping = new AbortController()
  async function fetchDue(): Promise<void> {
    while (!stopping.signal.aborted && (await lease.hold(LEASE_MS))) {
      const due = await claimDue(context)
      if (!due) return
      await refresh(context, pages, due)
    }
  }
  const stop = repeat({
    everyMs,
    work: () =>
      fetchDue().catch((error: unknown) =>
        context.log.warn({ err: new Error('could not refresh lists of rules', { cause: error }) }),
      ),
  })
  return async () => {
    stopping.abort()
    await stop()
    await lease.release()
  }
}

/** The list that has waited longest. If this node dies, it is due again in an hour. */
async function claimDue({ db, clock }: RuleContext): Promise<DueList | undefined> {
  return await db
    .updateTable('rule_subscriptions')
    .set({ due_at: new Date(clock() + AGAIN_AFTER_FAILURE_MS) })
    .where('id', '=', (longest) =>
      longest
        .selectFrom('rule_subscriptions')
        .select('id')
        .where('due_at', '<=', new Date(clock()))
        .orderBy('due_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'owner_id', 'address', 'action', 'etag', 'last_modified', 'problem'])
    .executeTakeFirst()
}

async function refresh(context: RuleContext, pages: RefreshParts['pages'], due: DueList): Promise<void> {
  try {
    const known = { etag: due.etag, lastModified: due.last_modified }
    const { bytes, etag, lastModified } = await pages.fetch(due.address, {
      maxBytes: MAX_BYTES,
      beforeRequest: requireHttps,
      // Whether there still is a problem, only the list itself tells.
      ...(due.problem === '' && { known }),
    })
    await store(context, due, { text: bytes.toString(), etag, lastModified })
  } catch (error) {
    if (error instanceof FetchRefusal && error.status === 304)
      await note(context, due, { problem: '', isFetched: true })
    else if (error instanceof FetchRefusal || error instanceof UpstreamError || error instanceof ListProblem)
      await note(context, due, { problem: inWords(error), isFetched: false })
    else throw error
  }
}

/** A redirect may lead elsewhere than the address. */
async function requireHttps({ protocol }: URL): Promise<void> {
  if (protocol !== 'https:') throw new FetchRefusal('blocked')
}

/** The list arrived, but can't be used. */
class ListProblem extends Error {}

interface Fetched {
  text: string
  etag: string
  lastModified: string
}

async function store(context: RuleContext, due: DueList, { text, etag, lastModified }: Fetched): Promise<void> {
  // Only known actions are stored.
  const action = due.action as ListAction
  const { rules: all, problems, publisher, licence } = await parseRules(text, action)
  // A problem without a line is about the whole list.
  const whole = problems.find(({ line }) => line === 0)
  if (all.length === 0) throw new ListProblem(whole?.words ?? 'No rule in it can be read.')
  const rules: SiteRule[] = []
  await inSlices(all, (rule) => {
    if (rule.action === action) rules.push(rule)
  })
  if (rules.length === 0) throw new ListProblem(`All of its rules do something other than ${action}.`)
  const row = {
    rules: await storedForm(rules),
    rule_count: rules.length,
    publisher,
    licence,
    // A longer one couldn't be compared.
    etag: etag.length > MAX_LENGTH ? '' : etag,
    last_modified: lastModified.length > MAX_LENGTH ? '' : lastModified,
    fetched_at: new Date(context.clock()),
    due_at: new Date(context.clock() + AGAIN_MS),
    problem: leftOutInWords(all.length - rules.length, action),
  }
  await context.db.transaction().execute(async (transaction) => {
    await lockRules(transaction)
    const owner = await transaction
      .selectFrom('rule_owners')
      .select(['user_id', 'key_id'])
      .where('id', '=', due.owner_id)
      .executeTakeFirst()
    // Nobody subscribes any more.
    if (!owner) return
    // With another action meanwhile, it is due again.
    await transaction
      .updateTable('rule_subscriptions')
      .set(row)
      .where('id', '=', due.id)
      .where('action', '=', due.action)
      .execute()
    await raiseVersion(context, transaction, due.owner_id)
    const isInstance = owner.user_id === null && owner.key_id === null
    const room = await readRoom(transaction, due.owner_id, isInstance)
    if (room < 0) throw new ListProblem(`It has ${rules.length} rules, which is ${-room} more than there is room for.`)
  })
  announceRulesChange(context.changes)
}

function leftOutInWords(count: number, action: ListAction): string {
  if (count === 0) return ''
  return count === 1
    ? `1 rule does something other than ${action}, and was left out.`
    : `${count} rules do something other than ${action}, and were left out.`
}

const note = (
  { db, clock }: RuleContext,
  { id, action }: DueList,
  { problem, isFetched }: { problem: string; isFetched: boolean },
) =>
  db
    .updateTable('rule_subscriptions')
    .set({ problem, ...(isFetched && { fetched_at: new Date(clock()), due_at: new Date(clock() + AGAIN_MS) }) })
    .where('id', '=', id)
    .where('action', '=', action)
    .execute()

function inWords(error: FetchRefusal | UpstreamError | ListProblem): string {
  if (error instanceof ListProblem) return error.message
  if (error instanceof UpstreamError)
    return error.kind === 'timeout' ? 'The server did not answer in time.' : 'The server could not be reached.'
  return error.reason === 'status' ? `The server answered with status ${error.status}.` : REASONS[error.reason]
}

const REASONS: Record<Exclude<FetchRefusal['reason'], 'status'>, string> = {
  too_large: 'The list is longer than 10 MB.',
  not_text: 'What is there is not a text.',
  too_slow: 'The list arrived too slowly.',
  redirects: 'The server redirects too often.',
  blocked: 'This address may not be fetched.',
  robots: 'This address may not be fetched.',
}
