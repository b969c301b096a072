// Pages that were sent before. A reader who comes back to an address finds, as long as nothing has changed, the very page of
// last time; so do all who are not signed in. Such a page is neither put together nor compressed again.
//
// A page says itself what it is made of: objects and texts that stay the same while nothing has changed. One that holds a
// token is another each time and must not say so.
import { LRUCache } from 'lru-cache'

interface SentPage {
  madeOf: readonly unknown[]
  /** By the compression it was sent with. */
  bytes: Map<string, Buffer>
}

const MOST_PAGES = 300

export function createSentBefore() {
  const pages = new LRUCache<string, SentPage>({ max: MOST_PAGES })
  return {
    /** `name`: the address, and everything about its reader that shows. */
    find(name: string, madeOf: readonly unknown[], encoding: string): Buffer | undefined {
      const page = pages.get(name)
      return page && isSame(page.madeOf, madeOf) ? page.bytes.get(encoding) : undefined
    },
    keep(name: string, madeOf: readonly unknown[], sent: { encoding: string; bytes: Buffer }): void {
      const known = pages.get(name)
      const page = known && isSame(known.madeOf, madeOf) ? known : { madeOf, bytes: new Map<string, Buffer>() }
      page.bytes.set(sent.encoding, sent.bytes)
      pages.set(name, page)
    },
  }
}

const isSame = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((part, at) => part === other[at])
