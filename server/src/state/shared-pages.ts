// The pages of engines' results that all nodes share, and whose turn it is to ask for one. The page and its lease carry
// one hash tag, so that one script finds all pages of a search, and takes the leases of the missing, on one node of a
// cluster. The text of a page is the caller's affair; it comes back as it was stored, or as anything else that somebody
// wrote there.
//
// A lease lives a second and is renewed while its holder asks: a node that is killed delays the others by that second
// and no more. It is a courtesy, not a lock: a holder that stalls may find that another has asked as well.
import { randomBytes } from 'node:crypto'
import type { RedisLink } from './redis-link.ts'
import { bulk, bulks, defineScript, type Script } from './resp-command.ts'
import type { Reply } from './resp-reader.ts'
import { END_LEASE, FIND_PAGES, RENEW_LEASE, STORE_PAGE } from './shared-pages-script.ts'

export interface WantedPage {
  slug: string
  /** An older page is not used. */
  lifeMs: number
  /** An older page is used, and somebody should ask for a newer one. */
  softMs: number
}

/** The turn to ask is ours until one of these is called, once. None is waited for. */
export interface PageLease {
  store: (text: string, lifeMs: number) => void
  /** Nobody asks for a second; they are told the reason instead. */
  fail: (reason: string) => void
  /** The next may try. */
  release: () => void
}

export interface FoundPage {
  /** Undefined when there is none that may be used. */
  text: string | undefined
  ageMs: number
  /** Nothing to do; ours to ask; another node is asking; or the reason why that has just failed. */
  turn: 'none' | 'theirs' | PageLease | { failure: string }
}

export interface SharedPages {
  /** One round trip for all. Undefined: Redis is away. */
  find: (base: string, wanted: readonly WantedPage[]) => Promise<FoundPage[] | undefined>
  /** Stores a page that was asked for without a lease. Not waited for. */
  store: (base: string, slug: string, page: { text: string; lifeMs: number }) => void
}

/** Long enough that a node with a thousand requests at once still renews in time; a dead one delays the others no longer. */
const LEASE_MS = 1_700
const FAILURE_MS = 1_000
/** A lease is first renewed one or two of these after it was taken, so most need no renewal at all. */
const RENEW_EVERY_MS = 300

const storePage = defineScript(STORE_PAGE, { keys: 2, values: 3 })
const endLease = defineScript(END_LEASE, { keys: 1, values: 3 })
const renewLease = defineScript(RENEW_LEASE, { keys: 1, values: 2 })

export function createSharedPages(link: RedisLink, prefix = 'bb:'): SharedPages {
  const node = randomBytes(9).toString('base64url')
  const renewal = createRenewal(link)
  const findScripts = new Map<number, Script>()
  const pageAt = (base: string, slug: string) => `${prefix}page:{${base}}:${slug}`
  let asked = 0

  function findScript(pages: number): Script {
    const known = findScripts.get(pages)
    if (known) return known
    const script = defineScript(FIND_PAGES, { keys: 2 * pages, values: 2 + 2 * pages })
    findScripts.set(pages, script)
    return script
  }

  function store(page: string, holder: string, { text, lifeMs }: { text: string; lifeMs: number }): void {
    // The text is joined last and only by the wire: it is large, and every join is a copy.
    void link.evaluate(storePage, bulks(page, `${page}:lease`, holder, `${lifeMs}`) + bulk(text))
  }

  function hold(page: string, holder: string): PageLease {
    const lease = `${page}:lease`
    const stopRenewing = renewal.begin(lease, holder)
    const end = (reason: string) => {
      stopRenewing()
      void link.evaluate(endLease, bulks(lease, holder, reason, `${FAILURE_MS}`))
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
      const pages = wanted.map(({ slug }) => pageAt(base, slug))
      const keys = pages.flatMap((page) => [page, `${page}:lease`])
      const ages = wanted.flatMap(({ lifeMs, softMs }) => [`${lifeMs}`, `${softMs}`])
      const reply = await link.evaluate(findScript(pages.length), bulks(...keys, holder, `${LEASE_MS}`, ...ages))
      if (!Array.isArray(reply)) return undefined
      return pages.map((page, at) => readFound(reply[at], () => hold(page, holder)))
    },
    store: (base, slug, page) => store(pageAt(base, slug), '', page),
  }
}

/** One triple of what FIND_PAGES gives. */
function readFound(reply: Reply | undefined, hold: () => PageLease): FoundPage {
  const [page, ageMs, turn] = Array.isArray(reply) ? reply : []
  return {
    text: typeof page === 'string' ? page.slice(page.indexOf(' ') + 1) : undefined,
    ageMs: Number(ageMs),
    turn: readTurn(turn, hold),
  }
}

function readTurn(turn: Reply | undefined, hold: () => PageLease): FoundPage['turn'] {
  if (typeof turn !== 'string' || turn === '') return 'none'
  if (turn === '+') return hold()
  return turn === '-' ? 'theirs' : { failure: turn.slice(1) }
}

/** One timer for all leases of the process, running only while there are any. */
function createRenewal(link: RedisLink) {
  const held = new Map<string, { holder: string; isNew: boolean }>()
  let timer: NodeJS.Timeout | undefined

  function renew(): void {
    for (const [lease, state] of held) {
      if (!state.isNew) {
        void link.evaluate(renewLease, bulks(lease, state.holder, `${LEASE_MS}`))
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
