import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deleteUser } from '../accounts/delete-user.ts'
import { createUser } from '../accounts/users.ts'
import { readEvents } from '../audit/audit-log.ts'
import { createAdminContext, DATABASE_KINDS, emptyTables, useTestDatabase } from '../keys/access.test-database.ts'
import type { AdminContext } from '../keys/admin-context.ts'
import { createLocalChangeBus } from '../keys/key-changes.ts'
import { createKey } from '../keys/keys.ts'
import { createNodeLease } from '../redis/node-lease.ts'
import { createPageFetch, type PageFetch, type PageTerms } from '../upstream/page-fetch.ts'
import { startListRefresh } from './refresh-lists.ts'
import { openRuleBook } from './rule-book.ts'
import { MAX_OWN_RULES, MAX_SUBSCRIPTIONS } from './rule-store.ts'
import type { RuleOwner, RuleSet } from './site-rules.ts'

const INSTANCE: RuleOwner = { kind: 'instance' }
const QUICK_MS = 20
const actionOf = (set: RuleSet | undefined, host: string) => set?.verdictOf(`https://${host}/`)?.action

describe.each(DATABASE_KINDS)('rules about sites on %s', (kind) => {
  const used = useTestDatabase(kind)
  let context: AdminContext
  let ada: RuleOwner & { kind: 'person' }
  let key: RuleOwner & { kind: 'key' }
  let statements = 0
  let isAway = false
  const open: (() => Promise<void>)[] = []

  beforeAll(async () => {
    const db = used.db.withPlugin({
      transformQuery({ node }) {
        statements += 1
        if (isAway) throw new Error('the database is away')
        return node
      },
      transformResult: async ({ result }) => result,
    })
    context = createAdminContext(db)
    const { id } = await createUser(context, { username: 'ada', password: 'correct horse battery' })
    const issued = await createKey(context, { owner: { username: 'ada' } })
    ada = { kind: 'person', userId: id }
    key = { kind: 'key', keyId: issued.key.id }
  })
  afterEach(async () => {
    isAway = false
    for (const stop of open.splice(0)) await stop()
    await emptyTables(used.db, 'rule_owners', 'audit_events')
  })

  /** A node, with a bus of its own: what others announce never arrives. */
  async function openNode(everyMs = 3_600_000, changes = createLocalChangeBus()) {
    const book = await openRuleBook({ ...context, changes }, everyMs)
    open.push(book.stop)
    return book
  }

  it('are listed newest first, in their canonical form, and one replaces another for the same pattern', async () => {
    const book = await openNode()
    await book.set(ada, { pattern: 'https://www.Example.org/', action: 'block' })
    await book.set(ada, { pattern: 'example.net/shop/*', action: 'raise' })
    await book.set(ada, { pattern: 'example.org', action: 'rewrite', to: 'front.example' })
    await book.set(ada, { pattern: 'example.org', action: 'lower' })
    expect((await book.list(ada)).own).toEqual([
      { pattern: 'example.org', action: 'lower' },
      { pattern: 'example.org', action: 'rewrite', to: 'front.example' },
      { pattern: 'example.net/shop/*', action: 'raise' },
    ])
    expect((await book.list(INSTANCE)).own).toEqual([])
    await book.remove(ada, 'WWW.example.org')
    expect((await book.list(ada)).own).toEqual([{ pattern: 'example.net/shop/*', action: 'raise' }])
  })

  it('come back from an export, and say which lines of a file can not be read', async () => {
    const book = await openNode()
    await expect(book.set(ada, { pattern: 'no site', action: 'block' })).rejects.toThrow()
    await expect(book.set(ada, { pattern: 'example.org', action: 'rewrite' })).rejects.toThrow()
    const { added, problems } = await book.importText(
      ada,
      'block example.org\nraise example.net\nraise example.org\n//\n',
    )
    expect(added).toBe(2)
    expect(problems).toEqual([expect.stringMatching(/^Line 4: /)])
    const text = await book.exportText(ada)
    await book.importText(key, text)
    expect((await book.list(key)).own).toHaveLength(2)
    expect(await book.exportText(key)).toBe(text)
  })

  it('of an account that is deleted are forgotten by every node, though nothing else has changed since', async () => {
    const { id: userId } = await createUser(context, { username: 'gone', password: 'correct horse battery' })
    const book = await openNode(QUICK_MS)
    await book.set({ kind: 'person', userId }, { pattern: 'example.org', action: 'block' })
    await book.set(ada, { pattern: 'example.net', action: 'block' })
    expect(await book.inForce({ userId })).toBeDefined()
    await deleteUser(context, 'gone')
    await expect.poll(() => book.inForce({ userId })).toBeUndefined()
    expect(await book.inForce({ userId: ada.userId })).toBeDefined()
  })

  it('hold for exactly those they belong to: key, person, and everyone for the instance', async () => {
    const book = await openNode()
    expect(await book.inForce({})).toBeUndefined()
    await book.set(ada, { pattern: 'ada.example', action: 'block' })
    await book.set(key, { pattern: 'key.example', action: 'block' })
    expect(await book.inForce({})).toBeUndefined()
    await book.set(INSTANCE, { pattern: 'all.example', action: 'block' })
    const seen = async (who: Parameters<typeof book.inForce>[0]) => {
      const set = await book.inForce(who)
      return ['ada.example', 'key.example', 'all.example'].filter((host) => actionOf(set, host) === 'block')
    }
    expect(await seen({ userId: ada.userId })).toEqual(['ada.example', 'all.example'])
    // A key doesn't have its owner's.
    expect(await seen({ keyId: key.keyId })).toEqual(['key.example', 'all.example'])
    expect(await seen({ keyId: '999999' })).toEqual(['all.example'])
    expect(await seen({})).toEqual(['all.example'])
    expect(await seen({ browser: [{ pattern: 'ada.example', action: 'block' }] })).toEqual([
      'ada.example',
      'all.example',
    ])
    const ids = await Promise.all(
      [{ userId: ada.userId }, { keyId: key.keyId }, {}].map(async (who) => await book.inForce(who)),
    )
    expect(new Set(ids.map((set) => set?.id)).size).toBe(3)
  })

  it('are the same object, without a statement, until something changes', async () => {
    const book = await openNode()
    await book.set(INSTANCE, { pattern: 'all.example', action: 'block' })
    await book.set(ada, { pattern: 'ada.example', action: 'pin' })
    const [mine, anyones] = [await book.inForce({ userId: ada.userId }), await book.inForce({})]
    statements = 0
    expect(await book.inForce({ userId: ada.userId })).toBe(mine)
    expect(await book.inForce({})).toBe(anyones)
    expect(await book.inForce({ keyId: key.keyId })).toBe(anyones)
    expect(statements).toBe(0)
    await book.set(INSTANCE, { pattern: 'more.example', action: 'block' })
    expect((await book.inForce({ userId: ada.userId }))?.id).not.toBe(mine?.id)
    expect(actionOf(await book.inForce({ userId: ada.userId }), 'ada.example')).toBe('pin')
  })

  it('reach other nodes by an announcement, and without one', async () => {
    const changes = createLocalChangeBus()
    const writer = await openNode(3_600_000, changes)
    const hears = await openNode(3_600_000, changes)
    const looks = await openNode(QUICK_MS)
    await writer.set(ada, { pattern: 'ada.example', action: 'block' })
    await writer.set(INSTANCE, { pattern: 'all.example', action: 'block' })
    for (const node of [hears, looks]) {
      await expect.poll(async () => actionOf(await node.inForce({ userId: ada.userId }), 'ada.example')).toBe('block')
      await expect.poll(async () => actionOf(await node.inForce({}), 'all.example')).toBe('block')
    }
    await writer.remove(ada, 'ada.example')
    for (const node of [hears, looks])
      await expect.poll(async () => actionOf(await node.inForce({ userId: ada.userId }), 'ada.example')).toBeUndefined()
  })

  it('stay in force while the database is away; those never read by this node refuse the search', async () => {
    const writer = await openNode()
    await writer.set(INSTANCE, { pattern: 'all.example', action: 'block' })
    await writer.set(ada, { pattern: 'ada.example', action: 'block' })
    await writer.set(key, { pattern: 'key.example', action: 'block' })
    const node = await openNode(QUICK_MS)
    await node.inForce({ userId: ada.userId })
    isAway = true
    expect(actionOf(await node.inForce({ userId: ada.userId }), 'ada.example')).toBe('block')
    expect(actionOf(await node.inForce({}), 'all.example')).toBe('block')
    expect(actionOf(await node.inForce({ keyId: '999999' }), 'all.example')).toBe('block')
    await expect(node.inForce({ keyId: key.keyId })).rejects.toMatchObject({ status: 503 })
    isAway = false
    expect(actionOf(await node.inForce({ keyId: key.keyId }), 'key.example')).toBe('block')
  })

  it('are gone with the person or the key', async () => {
    const book = await openNode()
    const { id } = await createUser(context, { username: 'linus', password: 'correct horse battery' })
    const { key: his } = await createKey(context, { owner: { username: 'linus' } })
    await book.set({ kind: 'person', userId: id }, { pattern: 'example.org', action: 'block' })
    await book.subscribe({ kind: 'key', keyId: his.id }, { address: 'https://lists.example/a', action: 'block' })
    const count = async () => {
      const { rows } = await sql<{ count: string }>`
        select (select count(*) from site_rules) + (select count(*) from rule_subscriptions)
          + (select count(*) from rule_owners) as count`.execute(context.db)
      return Number(rows[0]?.count)
    }
    expect(await count()).toBe(4)
    await sql`delete from key_secrets where key_id = ${his.id}`.execute(context.db)
    await sql`delete from api_keys where id = ${his.id}`.execute(context.db)
    expect(await count()).toBe(2)
    await sql`delete from audit_events`.execute(context.db)
    await sql`delete from users where id = ${id}`.execute(context.db)
    expect(await count()).toBe(0)
    // A version that is gone isn't given again, so that nobody takes a later change for a known one.
    await book.set(ada, { pattern: 'ada.example', action: 'block' })
    expect(actionOf(await book.inForce({ userId: ada.userId }), 'ada.example')).toBe('block')
  })

  it('are recorded as security events if they are the instance’s', async () => {
    const book = await openNode()
    await book.set(ada, { pattern: 'example.org', action: 'block' })
    await book.set(
      INSTANCE,
      { pattern: 'example.org', action: 'block' },
      { actor: { userId: ada.userId, network: 'n' } },
    )
    const events = await readEvents(context.db, { event: 'site-rules-changed', limit: 10 })
    expect(events.map(({ actor, via, detail }) => [actor?.id, via, detail])).toEqual([[ada.userId, 'website', '']])
  })

  it(`are at most ${MAX_OWN_RULES} of one's own, and ${MAX_SUBSCRIPTIONS} lists`, async () => {
    const book = await openNode()
    const many = Array.from({ length: MAX_OWN_RULES }, (_, at) => `block n${at}.example`).join('\n')
    await book.importText(ada, many)
    await expect(book.set(ada, { pattern: 'more.example', action: 'block' })).rejects.toMatchObject({
      code: 'conflict',
    })
    await book.set(ada, { pattern: 'n1.example', action: 'raise' })
    expect((await book.list(ada)).own).toHaveLength(MAX_OWN_RULES)
    await book.importText(INSTANCE, `${many}\nblock more.example`)
    expect((await book.list(INSTANCE)).own).toHaveLength(MAX_OWN_RULES + 1)
    const subscribeTo = (at: number) => book.subscribe(key, { address: `https://lists.example/${at}`, action: 'block' })
    await Promise.all(Array.from({ length: MAX_SUBSCRIPTIONS }, (_, at) => subscribeTo(at)))
    await expect(subscribeTo(MAX_SUBSCRIPTIONS)).rejects.toMatchObject({ code: 'conflict' })
    await subscribeTo(1)
    expect((await book.list(key)).subscriptions).toHaveLength(MAX_SUBSCRIPTIONS)
  })

  it('are not fetched over plain HTTP, with a password, or from what is no address', async () => {
    const book = await openNode()
    const wrong = [
      'http://lists.example/a',
      'lists',
      'https://ada:secret@lists.example/',
      `https://lists.example/${'a'.repeat(2_000)}`,
    ]
    for (const address of wrong)
      await expect(book.subscribe(ada, { address, action: 'block' })).rejects.toMatchObject({
        code: 'parameter_invalid',
      })
  })

  describe('of lists', () => {
    let now: number
    let reply: { status?: number; body: string; etag?: string } = { body: '' }
    const asked: (string | undefined)[] = []
    const server = createServer((request, response) => {
      asked.push(request.headers['if-none-match'])
      const isKnown = reply.etag !== undefined && request.headers['if-none-match'] === reply.etag
      response.writeHead(isKnown ? 304 : (reply.status ?? 200), reply.etag === undefined ? {} : { etag: reply.etag })
      response.end(isKnown ? '' : reply.body)
    })
    const address = 'https://lists.example/list.txt'
    let viaProxy: string
    beforeAll(async () => {
      await once(server.listen(0, '127.0.0.1'), 'listening')
      // It listens on a port.
      viaProxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    })
    beforeEach(() => {
      now = Date.now() + 60_000
    })
    afterEach(() => {
      reply = { body: '' }
      asked.length = 0
    })
    afterAll(() => void server.close())

    const createPages = () =>
      createPageFetch({ viaProxy, outgoingProxy: undefined, userAgent: () => 'test', ownHost: '' })

    function startRefresh(pages: PageFetch = createPages()) {
      const lease = createNodeLease(undefined, 'rules')
      const parts = { context: { ...context, clock: () => now }, lease, pages, everyMs: QUICK_MS }
      const stop = startListRefresh(parts)
      open.push(async () => {
        await pages.close()
        await stop()
      })
    }
    const listOf = async (book: Awaited<ReturnType<typeof openNode>>) => (await book.list(ada)).subscriptions[0]

    it('are fetched, hold, and say who publishes them; an own rule for the same site comes first', async () => {
      reply = { body: '! author: Somebody\n! license: CC0\nblocked.example\nblock liked.example\n', etag: '"one"' }
      const book = await openNode(QUICK_MS)
      await book.subscribe(ada, { address, action: 'block' })
      await book.set(ada, { pattern: 'liked.example', action: 'lower' })
      startRefresh()
      await expect.poll(() => listOf(book)).toMatchObject({ rules: 2, problem: '', fetchedAt: now })
      expect(await listOf(book)).toMatchObject({ address, publisher: 'Somebody', licence: 'CC0', action: 'block' })
      await expect
        .poll(async () => actionOf(await book.inForce({ userId: ada.userId }), 'blocked.example'))
        .toBe('block')
      expect(actionOf(await book.inForce({ userId: ada.userId }), 'liked.example')).toBe('lower')
      expect(asked).toEqual([undefined])
      // A day later it is asked for again, and hasn't changed.
      const set = await book.inForce({ userId: ada.userId })
      now += 25 * 3_600_000
      await expect.poll(async () => (await listOf(book))?.fetchedAt).toBe(now)
      expect(asked).toEqual([undefined, '"one"'])
      expect(await book.inForce({ userId: ada.userId })).toBe(set)
    })

    it('do what they are subscribed to for, and say how many of their rules would do something else', async () => {
      const rules = [
        'block ads.example',
        'rewrite liked.example evil.example',
        'pin evil.example',
        'raise evil.example',
      ]
      reply = { body: rules.join('\n'), etag: '"one"' }
      const book = await openNode(QUICK_MS)
      await book.subscribe(ada, { address, action: 'block' })
      startRefresh()
      const problem = '3 rules do something other than block, and were left out.'
      await expect.poll(() => listOf(book)).toMatchObject({ rules: 1, problem })
      const inForce = await book.inForce({ userId: ada.userId })
      expect(actionOf(inForce, 'ads.example')).toBe('block')
      expect(inForce?.verdictOf('https://liked.example/')).toBeUndefined()
      expect(inForce?.verdictOf('https://evil.example/')).toBeUndefined()
      // It still says so after a day without a change, and no longer once it has changed.
      now += 25 * 3_600_000
      await expect.poll(() => listOf(book)).toMatchObject({ fetchedAt: now, problem })
      reply = { body: 'ads.example\n', etag: '"two"' }
      now += 25 * 3_600_000
      await expect.poll(() => listOf(book)).toMatchObject({ rules: 1, fetchedAt: now, problem: '' })
      reply = { body: 'pin evil.example\n' }
      now += 25 * 3_600_000
      await expect.poll(async () => (await listOf(book))?.problem).toMatch(/All of its rules/)
      expect(actionOf(await book.inForce({ userId: ada.userId }), 'ads.example')).toBe('block')
    })

    it('are not fetched over plain HTTP, wherever they redirect to', async () => {
      const visited: string[] = []
      const visit = async (url: string, { beforeRequest }: PageTerms = {}) => {
        await beforeRequest?.(new URL(url))
        visited.push(url)
      }
      startRefresh({
        ...createPages(),
        async fetch(from, terms) {
          await visit(from, terms)
          await visit('http://lists.example/list.txt', terms)
          return { address, contentType: 'text/plain', bytes: Buffer.from('a.example'), etag: '', lastModified: '' }
        },
      })
      const book = await openNode()
      await book.subscribe(ada, { address, action: 'block' })
      await expect.poll(async () => (await listOf(book))?.problem).toBe('This address may not be fetched.')
      expect(visited).toEqual([address])
    })

    it('keep their rules if they can not be fetched or read, and say why', async () => {
      reply = { body: 'blocked.example\n' }
      const book = await openNode(QUICK_MS)
      await book.subscribe(ada, { address, action: 'lower' })
      startRefresh()
      await expect.poll(() => listOf(book)).toMatchObject({ rules: 1, problem: '' })
      for (const [broken, words] of [
        [{ status: 500, body: 'no' }, /status 500/],
        [{ body: '# nothing\n' }, /No rule/],
        [{ body: `${'a'.repeat(99)}\n`.repeat(101_000) }, /10 MB/],
      ] as const) {
        reply = broken
        now += 25 * 3_600_000
        await expect.poll(async () => (await listOf(book))?.problem, { timeout: 10_000 }).toMatch(words)
        expect(await listOf(book)).toMatchObject({ rules: 1 })
        expect(actionOf(await book.inForce({ userId: ada.userId }), 'blocked.example')).toBe('lower')
      }
      reply = { body: 'other.example\n' }
      now += 2 * 3_600_000
      await expect.poll(() => listOf(book)).toMatchObject({ rules: 1, problem: '' })
      await expect.poll(async () => actionOf(await book.inForce({ userId: ada.userId }), 'other.example')).toBe('lower')
    })

    it('have room for as many rules as an owner may have, and not more', async () => {
      reply = { body: Array.from({ length: 200_001 }, (_, at) => `n${at}.example`).join('\n') }
      const book = await openNode()
      await book.subscribe(ada, { address, action: 'block' })
      startRefresh()
      await expect.poll(async () => (await listOf(book))?.problem, { timeout: 20_000 }).toMatch(/1 more than/)
      expect(await listOf(book)).toMatchObject({ rules: 0 })
    })

    it('end with the subscription', async () => {
      reply = { body: 'blocked.example\n' }
      const book = await openNode(QUICK_MS)
      await book.subscribe(ada, { address, action: 'block' })
      startRefresh()
      await expect
        .poll(async () => actionOf(await book.inForce({ userId: ada.userId }), 'blocked.example'))
        .toBe('block')
      await book.unsubscribe(ada, (await listOf(book))?.id ?? '')
      expect(actionOf(await book.inForce({ userId: ada.userId }), 'blocked.example')).toBeUndefined()
    })
  })
})
