// What a site's robots.txt allows us (RFC 9309). One that is missing allows everything; one that cannot be had, because
// its server is in trouble, allows nothing for now.
import { LRUCache } from 'lru-cache'
import robots from 'robots-parser'
import type { PageFetch } from '../upstream/page-fetch.ts'
import { PageRefusal } from '../upstream/page-reply.ts'

export interface Robots {
  /** Rejects with PageRefusal if the page may not be read, and with UpstreamError if nobody could say. */
  requireAllowed: (url: URL) => Promise<void>
}

/** The name that a site's rules are matched against. */
export const ROBOT_NAME = 'Bowerbird'

const KEPT_MS = 3_600_000
const TRIED_AGAIN_MS = 60_000
const SITES_KEPT = 500
/** Google reads half a megabyte; this much parses in 20 ms. */
const LARGEST = 100_000

interface SiteRules {
  /** Undefined for an address of another site. */
  isAllowed: (address: string, robot: string) => boolean | undefined
}

type Rules = SiteRules | 'nothing' | 'everything'

// Its types say that the function is a member `default`; it is the module itself.
const parseRules = robots as unknown as (address: string, text: string) => SiteRules

export function createRobots(pages: Pick<PageFetch, 'fetch'>): Robots {
  const kept = new LRUCache<string, Promise<Rules>>({ max: SITES_KEPT, ttl: KEPT_MS })

  function rulesOf(origin: string): Promise<Rules> {
    const known = kept.get(origin)
    if (known) return known
    const rules = readRules(pages, `${origin}/robots.txt`)
    kept.set(origin, rules)
    rules.then(
      (found) => found === 'nothing' && kept.set(origin, rules, { ttl: TRIED_AGAIN_MS }),
      () => kept.delete(origin),
    )
    return rules
  }

  return {
    async requireAllowed(url) {
      const rules = await rulesOf(url.origin)
      const isAllowed = typeof rules === 'string' ? rules === 'everything' : rules.isAllowed(url.href, ROBOT_NAME)
      if (isAllowed === false) throw new PageRefusal('robots')
    },
  }
}

async function readRules(pages: Pick<PageFetch, 'fetch'>, address: string): Promise<Rules> {
  try {
    const { bytes } = await pages.fetch(address, { maxBytes: LARGEST })
    return parseRules(address, bytes.toString('utf8'))
  } catch (error) {
    if (!(error instanceof PageRefusal)) throw error
    // What is too large or odd is not a rule for us; a server in trouble may have one.
    return error.reason === 'status' && (error.status ?? 0) >= 500 ? 'nothing' : 'everything'
  }
}
