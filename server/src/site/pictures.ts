// Signed URLs under which this site shows third-party pictures. They are signed when one of our pages is rendered, so
// the proxy can't be used to fetch arbitrary addresses. A signature is valid for the week it was created in and the
// next one, so that a picture found once can't be fetched through this site forever.
import { createHmac, hkdfSync } from 'node:crypto'
import { httpAddress } from '@bowerbird/engines/parsing/http-address.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { ErrorCode } from '../errors.ts'
import type { ReplyMemory } from '../rate-limit/reply-memory.ts'
import { isSameHash } from '../text/cryptography.ts'
import type { Picture, PictureFetch } from '../upstream/picture-fetch.ts'
import { definePage, type Verbatim } from './http/page.ts'

export interface PicturePageParts {
  pictures: Pictures | undefined
}

/** The display size of a picture, which determines how many bytes the proxy allows. */
export type PictureKind = 'icon' | 'thumbnail' | 'picture'

/** The signed picture proxy. */
export interface Pictures {
  /**
   * The path on this site for a third-party picture, or '' for an address that is never fetched. `instead` is another
   * address of it, for when there is none at the first, or one that is too large.
   */
  signedPath: (address: string, kind: PictureKind, instead?: string) => string
  /**
   * `undefined`: the signature is not ours. Rejects with UpstreamError if the picture can't be fetched. `client` is the
   * IP address that a fetch is for.
   */
  find: (
    request: { kind: string; address: string; instead: string; signature: string },
    client: string,
  ) => Promise<Picture> | undefined
}

/** The size limit, by how the picture is shown. */
const MAX_BYTES: Readonly<Record<PictureKind, number>> = { icon: 100_000, thumbnail: 1_000_000, picture: 8_000_000 }
const MAX_ADDRESS_LENGTH = 2_000
const CACHE_BYTES = 32_000_000
const CACHE_MS = 600_000
const SIGNATURE_LENGTH = 22

const WEEK_MS = 7 * 86_400_000

interface PictureParts {
  instanceSecret: string
  clock: () => number
  fetch: PictureFetch['fetch']
  memory: ReplyMemory
}

interface Asked {
  kind: PictureKind
  address: string
  /** Fetched if there is no picture at the address, or one that is too large; or ''. */
  instead: string
}

export function createPictures({ instanceSecret, clock, fetch, memory }: PictureParts): Pictures {
  const key = Buffer.from(hkdfSync('sha256', instanceSecret, '', 'bowerbird pictures', 32))
  const cache = new LRUCache<string, Picture>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length + 1,
    ttl: CACHE_MS,
  })
  const inFlight = new Map<string, Promise<Picture>>()

  const thisWeek = () => Math.floor(clock() / WEEK_MS)
  const signatureOf = ({ kind, address, instead }: Asked, week: number): string =>
    createHmac('sha256', key)
      .update(`${week}\n${kind}\n${address}\n${instead}`)
      .digest('base64url')
      .slice(0, SIGNATURE_LENGTH)
  const isSignedByUs = (asked: Asked, signature: string): boolean =>
    [thisWeek(), thisWeek() - 1].some((week) => isSameHash(signature, signatureOf(asked, week)))

  async function fetchFor(client: string, { kind, address }: Omit<Asked, 'instead'>): Promise<Picture> {
    const { grow, release } = memory.hold(client)
    return await fetch(address, { maxBytes: MAX_BYTES[kind], grow }).finally(release)
  }

  async function fetchAndCache({ kind, address, instead }: Asked, client: string): Promise<Picture> {
    const picture = await fetchFor(client, { kind, address }).catch((error: unknown) => {
      if (instead === '' || !(error instanceof UpstreamError)) throw error
      return fetchFor(client, { kind, address: instead })
    })
    cache.set(`${kind} ${address} ${instead}`, picture)
    return picture
  }

  function signedPath(address: string, kind: PictureKind, instead = ''): string {
    if (!isFetched(address)) return isFetched(instead) ? signedPath(instead, kind) : ''
    const or = instead !== address && isFetched(instead) ? instead : ''
    const signature = signatureOf({ kind, address, instead: or }, thisWeek())
    const path = `/pictures/${kind}?s=${signature}&u=${encodeURIComponent(address)}`
    return or === '' ? path : `${path}&or=${encodeURIComponent(or)}`
  }

  return {
    signedPath,
    find({ kind, address, instead, signature }, client) {
      if (!isKind(kind) || !isSignedByUs({ kind, address, instead }, signature)) return undefined
      const cacheKey = `${kind} ${address} ${instead}`
      const cached = cache.get(cacheKey)
      if (cached) return Promise.resolve(cached)
      const pending =
        inFlight.get(cacheKey) ??
        fetchAndCache({ kind, address, instead }, client).finally(() => inFlight.delete(cacheKey))
      inFlight.set(cacheKey, pending)
      return pending
    },
  }
}

const isFetched = (address: string): boolean => address.length <= MAX_ADDRESS_LENGTH && httpAddress(address) !== ''

const isKind = (kind: string): kind is PictureKind => Object.hasOwn(MAX_BYTES, kind)

const PICTURE_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
}

const NO_PICTURE: Verbatim = {
  status: 404,
  contentType: 'text/plain; charset=utf-8',
  content: 'No image.\n',
  headers: {
    ...PICTURE_HEADERS,
    'Cache-Control': 'private, max-age=60',
    'Error-Code': 'not_found' satisfies ErrorCode,
  },
}

const PictureQuery = z.object({ u: z.string().catch(''), or: z.string().catch(''), s: z.string().catch('') })

/**
 * GET /pictures/<kind>: a third-party picture, fetched by this server. No session is required: the signature proves that
 * a page of this instance showed the picture. If it can't be fetched, the reply is a bare 404, because an error page
 * wouldn't be visible in place of a picture.
 */
export const picturePage = ({ pictures }: PicturePageParts) =>
  definePage({
    method: 'GET',
    path: '/pictures/:kind',
    access: 'anyone',
    quota: 'picture',
    isData: true,
    query: PictureQuery,
    async handle({ params, query, ip, holdMemory }) {
      const { u: address, or: instead, s: signature } = query
      const found = pictures?.find({ kind: params['kind'] ?? '', address, instead, signature }, ip)
      if (!found) return NO_PICTURE
      try {
        const { type, bytes } = await found
        holdMemory(bytes.length)
        const headers = { ...PICTURE_HEADERS, 'Cache-Control': 'private, max-age=86400, immutable' }
        return { contentType: type, content: bytes, headers }
      } catch (error) {
        if (error instanceof UpstreamError) return NO_PICTURE
        throw error
      }
    },
  })
