// The engine pages shared by all nodes, and the leases that decide which node fetches a missing one. The pages of a
// search and their leases share a hash tag, so that on a cluster one script can look up all the pages and take the
// leases on the missing ones. Keys are hashed and values encrypted (`response-secrecy.ts`). The caller decides what the
// text of a page means; it comes back as stored, or as '' if another program wrote it.
//
// A lease lives for less than two seconds and is renewed while its holder fetches the page, so a killed node delays the
// others by no more than that. It is a courtesy, not a lock: if a holder stalls, another node may fetch the page as
// well.
import { randomBytes } from 'node:crypto'
import { defineScript, type RedisClient, type Reply } from '../redis/redis-client.ts'
import { CHANGE_LEASE, FIND_PAGES, STORE_PAGE } from './redis-store-script.ts'
import type { ResponseSecrecy } from './response-encryption.ts'

export interface WantedPage {
  slug: string
  /** An older page is not used. */
  lifeMs: number
  /** An older page is used, and should be refreshed. */
  softMs: number
}

/** A lease that this node holds until one of these is called. None of them waits for Redis. */
export interface ResponseLease {
  store: (text: string, lifeMs: number) => void
  /** For a second, no node fetches this page; they get the reason instead. */
  fail: (reason: string) => void
  /** The next node may try. */
  release: () => void
}

export interface FoundResponse {
  /** Undefined if there is no usable page. */
  text: string | undefined
  ageMs: number
  /** If the page is missing or old: this node has the lease, another node is fetching it, or that has just failed. */
  lease: ResponseLease | undefined
  isBeingFetched: boolean
  failure: string | undefined
}

export interface RedisStore {
  /** Looks up all pages in one round trip and leases missing or old ones. Undefined if Redis is unavailable. */
  find: (base: string, wanted: readonly WantedPage[]) => Promise<FoundResponse[] | undefined>
  /** Returns the texts that exist, in one round trip and without taking leases. */
  read: (wanted: readonly { base: string; slug: string }[]) => Promise<string[]>
  /** Stores a page that was fetched without a lease. Doesn't wait for Redis. */
  store: (base: string, slug: string, page: { text: string; lifeMs: number }) => void
}

/**
 * Long enough that a node with a thousand concurrent requests still renews in time; a dead node delays the others for
 * no longer than this.
 */
const LEASE_MS = 1_700
const FAILURE_MS = 1_000
/** Most calls are over before the first renewal. */
const RENEW_EVERY_MS = 500

const findPages = defineScript(FIND_PAGES)
const storePage = defineScript(STORE_PAGE)
const changeLease = defineScript(CHANGE_LEASE)

export function createRedisStore(redis: RedisClient, secrecy: ResponseSecrecy, prefix = 'bb:'): RedisStore {
  const { nameOf, encrypt, decrypt } = secrecy
  const node = randomBytes(9).toString('base64url')
  const pageAt = (name: string, slug: string) => `${prefix}page:{${name}}:${slug}`
  let asked = 0

  function store(page: string, holder: string, { text, lifeMs }: { text: string; lifeMs: number }): void {
    void redis.evaluate(storePage, [page, `${page}:lease`], [holder, lifeMs, encrypt(text, page)])
  }

  function hold(page: string, holder: string): ResponseLease {
    const change = (value: string, ms: number) =>
      void redis.evaluate(changeLease, [`${page}:lease`], [holder, value, ms])
    const renewing = setInterval(() => change(holder, LEASE_MS), RENEW_EVERY_MS).unref()
    return {
      store(text, lifeMs) {
        clearInterval(renewing)
        store(page, holder, { text, lifeMs })
      },
      fail(reason) {
        clearInterval(renewing)
        change(`!${reason}`, FAILURE_MS)
      },
      release() {
        clearInterval(renewing)
        change('', 0)
      },
    }
  }

  /** Reads one triple of the FIND_PAGES reply. */
  function readFound(reply: Reply | undefined, page: string, holder: string): FoundResponse {
    const [value, ageMs, turn] = Array.isArray(reply) ? reply : []
    return {
      text: typeof value === 'string' ? decrypt(textOf(value), page) : undefined,
      ageMs: Number(ageMs),
      lease: turn === '+' ? hold(page, holder) : undefined,
      isBeingFetched: turn === '-',
      failure: typeof turn === 'string' && turn.startsWith('!') ? turn.slice(1) : undefined,
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
      const reply = await redis.evaluate(findPages, keys, [holder, LEASE_MS, ...ages])
      return Array.isArray(reply) ? pages.map((page, at) => readFound(reply[at], page, holder)) : undefined
    },
    async read(wanted) {
      const names = wanted.map(({ base, slug }) => pageAt(nameOf(base), slug))
      const pages = await Promise.all(names.map((name) => redis.send('GET', name)))
      return pages.flatMap((page, at) => (typeof page === 'string' ? [decrypt(textOf(page), names[at] ?? '')] : []))
    },
    store: (base, slug, page) => store(pageAt(nameOf(base), slug), '', page),
  }
}

/** Strips the page's life from the front; see `redis-store-script.ts`. */
const textOf = (page: string): string => page.slice(page.indexOf(' ') + 1)
