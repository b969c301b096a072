// The engine pages that all nodes share, and the leases that decide which node fetches a missing one. A page and its
// lease share one hash tag, so that a single script can look up all pages of a search and take the leases on the
// missing ones on one node of a cluster. Names and texts are for nobody else to read (`response-secrecy.ts`). What the
// text of a page means is up to the caller; it comes back as it was stored, or as '' if someone else wrote there.
//
// A node that waits for a page which another one is fetching hears by a message that the lease has ended. Only leases that
// somebody waits for are spoken of. A message may be lost, and a node that was killed sends none, so waiting is bounded.
//
// A lease lives for a second and is renewed while its holder fetches the page, so a node that is killed delays the
// others by at most that second. It is a courtesy, not a lock: if a holder stalls, another node may fetch the page as
// well.
import { randomBytes } from 'node:crypto'
import type { RedisClient, Reply } from '../storage/redis-client.ts'
import { defineScript } from '../storage/redis-script.ts'
import { createLeaseEndings } from './lease-endings.ts'
import { END_LEASE, FIND_PAGES, RENEW_LEASE, STORE_PAGE } from './redis-store-script.ts'
import type { ResponseSecrecy } from './response-secrecy.ts'

export interface WantedPage {
  slug: string
  /** An older page is not used. */
  lifeMs: number
  /** An older page is used, and someone should refresh it. */
  softMs: number
}

/** We hold the lease until one of these is called, once. None of them is waited for. */
export interface ResponseLease {
  store: (text: string, lifeMs: number) => void
  /** For a second nobody calls the provider; they get the reason instead. */
  fail: (reason: string) => void
  /** The next node may try. */
  release: () => void
}

export interface FoundResponse {
  /** Undefined if there is none that may be used. */
  text: string | undefined
  ageMs: number
  /** Nothing to do; ours to fetch; another node is fetching it; or why that has just failed. */
  turn: 'none' | 'theirs' | ResponseLease | { failure: string }
  /** Resolves when the other node has ended its lease, if that is heard of, and when it is time to look anyway. */
  ended?: Promise<void>
}

export interface RedisStore {
  /** One round trip for all. Undefined: Redis is unavailable. */
  find: (base: string, wanted: readonly WantedPage[]) => Promise<FoundResponse[] | undefined>
  /** The texts that are there, without a turn to ask for the others. One round trip for all. */
  read: (wanted: readonly { base: string; slug: string }[]) => Promise<string[]>
  /** Stores a page that was asked for without a lease. Not waited for. */
  store: (base: string, slug: string, page: { text: string; lifeMs: number }) => void
}

/**
 * Long enough that a node with a thousand concurrent requests still renews in time; a dead node delays the others for
 * no longer than this.
 */
const LEASE_MS = 1_700
const FAILURE_MS = 1_000
/** A lease is first renewed one or two of these after it was taken, so most need no renewal at all. */
const RENEW_EVERY_MS = 300

const findPages = defineScript(FIND_PAGES)
const storePage = defineScript(STORE_PAGE)
const endLease = defineScript(END_LEASE)
const renewLease = defineScript(RENEW_LEASE)

export function createRedisStore(redis: RedisClient, secrecy: ResponseSecrecy, prefix = 'bb:'): RedisStore {
  const { nameOf, encrypt, decrypt } = secrecy
  const node = randomBytes(9).toString('base64url')
  const renewal = createRenewal(redis)
  const channel = `${prefix}leases`
  const endings = createLeaseEndings(redis, channel)
  const pageAt = (name: string, slug: string) => `${prefix}page:{${name}}:${slug}`
  let asked = 0

  function store(page: string, holder: string, { text, lifeMs }: { text: string; lifeMs: number }): void {
    void redis.evaluate(storePage, [page, `${page}:lease`], [holder, channel, lifeMs, encrypt(text, page)])
  }

  function hold(page: string, holder: string): ResponseLease {
    const lease = `${page}:lease`
    const stopRenewing = renewal.begin(lease, holder)
    const end = (reason: string) => {
      stopRenewing()
      void redis.evaluate(endLease, [lease], [holder, channel, reason, FAILURE_MS])
    }
    return {
      store(text, lifeMs) {
        stopRenewing()
        store(page, holder, { text, lifeMs })
      },
      fail: (reason) => end(`!${reason}`),
      release: () => end(''),
    }
  }

  return {
    async find(base, wanted) {
      asked += 1
      const holder = `${node}.${asked}`
      const name = nameOf(base)
      const pages = wanted.map(({ slug }) => pageAt(name, slug))
      const keys = pages.flatMap((page) => [page, `${page}:lease`])
      const ages = wanted.flatMap(({ lifeMs, softMs }) => [lifeMs, softMs])
      // From here on, because the message may arrive before this reply.
      const heardBefore = endings.heard()
      const reply = await redis.evaluate(findPages, keys, [holder, LEASE_MS, ...ages])
      if (!Array.isArray(reply)) return undefined
      return pages.map((page, at) => {
        const { text, ...found } = readFound(reply[at], () => hold(page, holder))
        const ended = found.turn === 'theirs' ? { ended: endings.wait(`${page}:lease`, heardBefore) } : undefined
        return { ...found, ...ended, text: text && decrypt(text, page) }
      })
    },
    async read(wanted) {
      const names = wanted.map(({ base, slug }) => pageAt(nameOf(base), slug))
      const pages = await Promise.all(names.map((name) => redis.send('GET', name)))
      return pages.flatMap((page, at) => (typeof page === 'string' ? [decrypt(textOf(page), names[at] ?? '')] : []))
    },
    store: (base, slug, page) => store(pageAt(nameOf(base), slug), '', page),
  }
}

/** Behind its life. */
const textOf = (page: string): string => page.slice(page.indexOf(' ') + 1)

/** One triple of what FIND_PAGES gives. */
function readFound(reply: Reply | undefined, hold: () => ResponseLease): FoundResponse {
  const [page, ageMs, turn] = Array.isArray(reply) ? reply : []
  return {
    text: typeof page === 'string' ? textOf(page) : undefined,
    ageMs: Number(ageMs),
    turn: readTurn(turn, hold),
  }
}

function readTurn(turn: Reply | undefined, hold: () => ResponseLease): FoundResponse['turn'] {
  if (typeof turn !== 'string' || turn === '') return 'none'
  if (turn === '+') return hold()
  return turn === '-' ? 'theirs' : { failure: turn.slice(1) }
}

/** One timer for all leases of the process, running only while there are any. */
function createRenewal(redis: RedisClient) {
  const held = new Map<string, { holder: string; isNew: boolean }>()
  let timer: NodeJS.Timeout | undefined

  function renew(): void {
    for (const [lease, state] of held) {
      if (!state.isNew) {
        void redis.evaluate(renewLease, [lease], [state.holder, LEASE_MS])
      }
      state.isNew = false
    }
    if (held.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    begin(lease: string, holder: string): () => void {
      const state = { holder, isNew: true }
      held.set(lease, state)
      timer ??= setInterval(renew, RENEW_EVERY_MS).unref()
      return () => {
        if (held.get(lease) === state) held.delete(lease)
      }
    },
  }
}
