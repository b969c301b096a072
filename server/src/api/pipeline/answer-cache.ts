// Caches search replies by URL: the parsed parameters, the headers and the serialised body. A hit skips parsing the
// parameters, planning, merging, rendering and compressing. Every request is still authenticated, checked for scope and
// limits, counted, logged and measured.
//
// A reply is cached if every engine response in it was in memory. It is served for as long as those same responses are
// in memory and fresh, and at most until the current minute ends, because the ages of results have a resolution of one
// minute.
//
// The key is the URL and `describeAudience` of the caller, because a search depends on nothing else of who sends it: a
// reply that depends on the API key (page contents) or on a header other than Accept-Encoding (a stream) is never cached.
import { LRUCache } from 'lru-cache'
import { compress, type Encoding } from '../../text/content-negotiation.ts'

interface AnswerParts {
  headers: Readonly<Record<string, string>>
  body: unknown
  /** The URLs of its results, which some keys may read afterwards. */
  addresses: readonly string[]
  /** Whether the same search would still give the same answer. */
  isCurrent: () => boolean
}

/** An answer that may be sent again, serialised. */
export class CacheableAnswer {
  readonly headers: AnswerParts['headers']
  readonly bytes: Buffer
  readonly addresses: AnswerParts['addresses']
  readonly isCurrent: AnswerParts['isCurrent']
  readonly #compressed = new Map<Encoding, Promise<Buffer>>()

  constructor({ headers, body, addresses, isCurrent }: AnswerParts) {
    this.headers = headers
    this.bytes = Buffer.from(JSON.stringify(body))
    this.addresses = addresses
    this.isCurrent = isCurrent
  }

  /** Compresses once for each encoding. */
  compressed(encoding: Encoding): Promise<Buffer> {
    const bytes = this.#compressed.get(encoding) ?? compress(this.bytes, encoding)
    this.#compressed.set(encoding, bytes)
    return bytes
  }
}

interface CachedAnswer<Params> {
  /** The parsed parameters of the URL. */
  params: Params
  /** As `readParams` returns it. */
  ignored?: string | undefined
  answer: CacheableAnswer
}

export interface AnswerCache<Params> {
  find: (url: string) => CachedAnswer<Params> | undefined
  keep: (url: string, cached: CachedAnswer<Params>) => void
}

const MAX_ANSWERS = 500
const MAX_MEMORY_BYTES = 16_000_000
/** Besides its body, an answer holds compressed copies, and engine responses that their own cache may have evicted. */
const MEMORY_PER_BODY_BYTE = 4
const MINUTE_MS = 60_000

export function createAnswerCache<Params extends object>(clock: () => number): AnswerCache<Params> {
  const answers = new LRUCache<string, CachedAnswer<Params>>({
    max: MAX_ANSWERS,
    maxSize: MAX_MEMORY_BYTES,
    sizeCalculation: ({ answer }, url) => url.length + MEMORY_PER_BODY_BYTE * answer.bytes.length,
    perf: { now: clock },
    ttlResolution: 0,
    ttlAutopurge: true,
  })
  return {
    find(url) {
      const cached = answers.get(url)
      if (!cached || cached.answer.isCurrent()) return cached
      answers.delete(url)
      return undefined
    },
    keep: (url, cached) => void answers.set(url, cached, { ttl: MINUTE_MS - (clock() % MINUTE_MS) }),
  }
}
