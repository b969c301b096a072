import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readEvents } from '../audit/audit-log.ts'
import {
  createAdminContext,
  DATABASE_KINDS,
  emptyTables,
  rowsAsJson,
  useTestDatabase,
} from '../keys/access.test-database.ts'
import type { AdminContext } from '../keys/admin-context.ts'
import { createFeeds, FEED_LIFE_SECONDS, MAX_FEEDS, type OpenedFeed, SEARCHES_PER_LIFE } from './feeds.ts'
import { createUser, disableUser, enableUser } from './users.ts'

const SECRET = 'the secret of an instance, long enough'
const SEARCH = { q: 'canary-of-a-query', tab: 'news' }
const HOUR_MS = FEED_LIFE_SECONDS * 1_000

describe.each(DATABASE_KINDS)('feeds of people on %s', (kind) => {
  const used = useTestDatabase(kind)
  let by: AdminContext
  let ada: string
  let linus: string
  let now = Date.UTC(2026, 10, 17, 12)

  beforeAll(async () => {
    by = createAdminContext(used.db, () => now)
    const idOf = async (username: string) => (await createUser(by, { username, password: 'correct horse battery' })).id
    ada = await idOf('ada')
    linus = await idOf('linus')
  })
  afterEach(() => emptyTables(used.db, 'feeds', 'audit_events'))

  const open = (instanceSecret = SECRET) => createFeeds({ access: by, instanceSecret })
  const add = async (userId = ada): Promise<string> =>
    (await open().create(by, userId, SEARCH)) ?? expect.unreachable('not made')
  const opened = async (token: string): Promise<OpenedFeed> =>
    (await open().open(token)) ?? expect.unreachable('not opened')

  it('open by their token, and show when they were last asked for', async () => {
    const token = await add()
    expect(await open().list(ada)).toMatchObject([{ search: SEARCH, fetchedAt: undefined }])
    now += 1_000
    expect(await opened(token)).toMatchObject({
      userId: ada,
      search: SEARCH,
      preferences: null,
      searchedAt: [],
      tag: '',
    })
    expect(await open().list(ada)).toMatchObject([{ createdAt: new Date(now - 1_000), fetchedAt: new Date(now) }])
  })

  it('are of one person, who alone removes them; each change is a security event without a detail', async () => {
    const token = await add()
    const [feed] = await open().list(ada)
    for (const id of [feed?.id ?? '', '', 'x', '999']) await open().remove(by, linus, id)
    expect(await open().list(linus)).toEqual([])
    expect(await open().open(token)).toBeDefined()
    await open().remove(by, ada, feed?.id ?? '')
    expect(await open().open(token)).toBeUndefined()
    const events = await readEvents(used.db, { event: 'feeds-changed', limit: 10 })
    expect(events.map(({ detail }) => detail)).toEqual(['', ''])
  })

  it('don’t open with another token, of another secret, or while their owner is disabled', async () => {
    const token = await add()
    for (const wrong of ['', 'x', `${token}x`, token.toLowerCase(), randomBytes(32).toString('base64url')])
      expect(await open().open(wrong)).toBeUndefined()
    const elsewhere = open('another secret of an instance, as long')
    expect([await elsewhere.open(token), (await elsewhere.list(ada))[0]?.search]).toEqual([undefined, undefined])
    await disableUser(by, 'ada')
    expect(await open().open(token)).toBeUndefined()
    await enableUser(by, 'ada')
    expect(await open().open(token)).toBeDefined()
  })

  it('store neither the token nor what is searched for, and nobody else’s row shows it', async () => {
    const token = await add()
    const { db } = used
    const [row] = await rowsAsJson(db, 'feeds')
    const hex = (text: string) => Buffer.from(text).toString('hex')
    expect([token, SEARCH.q, hex(token), hex(SEARCH.q)].filter((text) => row?.includes(text))).toEqual([])
    await sql`update feeds set user_id = ${linus}`.execute(db)
    expect((await open().list(linus)).map(({ search }) => search)).toEqual([undefined])
    expect(await open().open(token)).toBeUndefined()
  })

  it('search a few times an hour, whoever asks', async () => {
    const token = await add()
    const start = now
    for (let search = 0; search < SEARCHES_PER_LIFE; search++) {
      expect(await open().claimSearch(await opened(token))).toBe(0)
      now += 60_000
    }
    expect(await open().claimSearch(await opened(token))).toBe((start + HOUR_MS - now) / 1_000)
    now = start + HOUR_MS
    const feed = await opened(token)
    // Of two at the same moment, which know the same, one searches.
    const waits = await Promise.all([open().claimSearch(feed), open().claimSearch(feed)])
    expect(waits.toSorted((one, other) => one - other)).toEqual([0, 1])
  })

  it('are current for an hour after a search that worked', async () => {
    const token = await add()
    const feeds = open()
    await feeds.claimSearch(await opened(token))
    // While it searches, and if it fails.
    expect(feeds.currentTag(await opened(token))).toBeUndefined()
    const tag = await feeds.noteFound(await opened(token), 'items')
    expect(feeds.currentTag(await opened(token))).toBe(tag)
    now += HOUR_MS - 1
    expect(feeds.currentTag(await opened(token))).toBe(tag)
    now += 1
    expect(feeds.currentTag(await opened(token))).toBeUndefined()
    await feeds.claimSearch(await opened(token))
    expect(await feeds.noteFound(await opened(token), 'items')).toBe(tag)
    expect(await feeds.noteFound(await opened(token), 'other items')).not.toBe(tag)
  })

  it('get a search back that was not made, and are as current as before', async () => {
    const token = await add()
    const feeds = open()
    await feeds.claimSearch(await opened(token))
    const tag = await feeds.noteFound(await opened(token), 'items')
    const before = await opened(token)
    for (let refusals = 0; refusals <= SEARCHES_PER_LIFE; refusals++) {
      now += 1_000
      expect(await feeds.claimSearch(before)).toBe(0)
      await feeds.returnSearch(before)
    }
    const after = await opened(token)
    expect([feeds.currentTag(after), after.searchedAt]).toEqual([tag, before.searchedAt])
  })

  it('are limited in number', async () => {
    for (let n = 0; n < MAX_FEEDS; n++) await add()
    expect(await open().create(by, ada, SEARCH)).toBeUndefined()
    await add(linus)
    expect(await open().list(ada)).toHaveLength(MAX_FEEDS)
  })
})
