// Pages that were sent before. If nothing has changed, a reader who comes back to a URL gets the same bytes as last
// time, and so does everyone who is not signed in. Such a page is neither rendered nor compressed again.
//
// A page says itself what it is made of: objects and texts that stay the same while nothing has changed. One that holds
// a token is another each time and must not say so. Everything else that a page may show is in its key, and the types
// see to that: whatever a page's context gets besides is either part of the key or named below as never shown.
import { LRUCache } from 'lru-cache'
import type { PageContext } from './page.ts'

/** Follows from the address or the language. */
type Implied = 'path' | 'params' | 'query' | 'words'
/** Of a POST, or of a page with a form: those are never kept. */
type OfForms = 'csrf' | 'isForged' | 'form' | 'given'
/** An answer about these is personal, and its page is never kept. */
type Personal = 'ip' | 'userAgent'
/** The same for all pages of a site, or ways to answer. */
type Tools =
  | 'services'
  | 'hasPage'
  | 'cookie'
  | 'setCookie'
  | 'clearCookie'
  | 'startSession'
  | 'endSession'
  | 'setPreferences'

/** Whose page it is and which: address, viewer with role, language, all preferences, what the frame shows. */
export type PageKey = Omit<PageContext, Implied | OfForms | Personal | Tools>

export const pageKeyOf = (context: PageContext): PageKey => {
  const { address, baseUrl, viewer, locale, preferences, providersDown } = context
  return { address, baseUrl, viewer, locale, preferences, providersDown }
}

export interface PageCache {
  find: (key: PageKey, deps: readonly unknown[], encoding: string) => Buffer | undefined
  keep: (key: PageKey, deps: readonly unknown[], sent: { encoding: string; bytes: Buffer }) => void
}

interface SentPage {
  deps: readonly unknown[]
  /** By the compression it was sent with. */
  bytes: Map<string, Buffer>
}

const MOST_PAGES = 300

/** One for each site. */
export function createPageCache(): PageCache {
  const pages = new LRUCache<string, SentPage>({ max: MOST_PAGES })
  return {
    find(key, deps, encoding) {
      const page = pages.get(JSON.stringify(key))
      return page && isSame(page.deps, deps) ? page.bytes.get(encoding) : undefined
    },
    keep(key, deps, sent) {
      const name = JSON.stringify(key)
      const known = pages.get(name)
      const page = known && isSame(known.deps, deps) ? known : { deps, bytes: new Map<string, Buffer>() }
      page.bytes.set(sent.encoding, sent.bytes)
      pages.set(name, page)
    },
  }
}

const isSame = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((dep, at) => dep === other[at])
