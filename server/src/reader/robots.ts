// Checks what a site's robots.txt allows us (RFC 9309). A missing file allows everything; a server error allows nothing
// for now.
import { LRUCache } from 'lru-cache'
import { VERSION } from '../config/version.ts'
import type { PageFetch } from '../upstream/page-fetch.ts'
import { FetchRefusal } from '../upstream/untrusted-fetch.ts'
import { type RobotRules, readRobotRules } from './robot-rules.ts'

export interface Robots {
  /** Rejects with FetchRefusal if the page may not be read, and with UpstreamError if robots.txt can't be fetched. */
  requireAllowed: (url: URL) => Promise<void>
}

/** The name that a site's rules are matched against. */
const ROBOT_NAME = 'Bowerbird'

/** Names the public URL, or else the operator's contact, so that site owners can find out who is fetching. */
export function createUserAgent({
  publicUrl,
  operatorContact,
}: {
  publicUrl: string
  operatorContact: string
}): string {
  const contact = publicUrl === '' ? operatorContact : `+${publicUrl}`
  return `${ROBOT_NAME}/${VERSION}${contact && ` (${contact})`}`
}

const RULES_LIFE_MS = 3_600_000
const RETRY_AFTER_ERROR_MS = 60_000
const MAX_SITES = 500
/** Google reads half a megabyte; this much is parsed and matched in some milliseconds, whatever is in it. */
const MAX_FILE_BYTES = 100_000

/** The rules of a robots.txt, or what is allowed without one. */
type Rules = RobotRules | 'nothing' | 'everything'

export function createRobots(pages: Pick<PageFetch, 'fetch'>): Robots {
  const kept = new LRUCache<string, Promise<Rules>>({ max: MAX_SITES, ttl: RULES_LIFE_MS })

  function rulesOf(origin: string): Promise<Rules> {
    const known = kept.get(origin)
    if (known) return known
    const rules = readRules(pages, `${origin}/robots.txt`)
    kept.set(origin, rules)
    rules.then(
      (found) => found === 'nothing' && kept.set(origin, rules, { ttl: RETRY_AFTER_ERROR_MS }),
      () => kept.delete(origin),
    )
    return rules
  }

  return {
    async requireAllowed(url) {
      const rules = await rulesOf(url.origin)
      const isAllowed = typeof rules === 'string' ? rules === 'everything' : rules.isAllowed(url.pathname + url.search)
      if (!isAllowed) throw new FetchRefusal('robots')
    },
  }
}

async function readRules(pages: Pick<PageFetch, 'fetch'>, address: string): Promise<Rules> {
  try {
    const { bytes } = await pages.fetch(address, { maxBytes: MAX_FILE_BYTES })
    return readRobotRules(bytes.toString('utf8'), ROBOT_NAME)
  } catch (error) {
    if (!(error instanceof FetchRefusal)) throw error
    // A file that is too large or odd sets no rules; a failing server may have some.
    return error.reason === 'status' && (error.status ?? 0) >= 500 ? 'nothing' : 'everything'
  }
}
