// Signed URLs under which this site shows third-party pictures. They are signed when one of our pages is rendered, so
// the proxy can't be used to fetch what no search has found. A signature is valid for the week it was made in and the
// next, so that a picture found once can't be fetched through here forever.
import { createHmac, hkdfSync } from 'node:crypto'
import { httpAddress } from '@bowerbird/engines/parsing/http-address.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { isSameHash } from '../text/cryptography.ts'
import type { Picture, PictureFetch } from '../upstream/picture-fetch.ts'
import { definePage, type Verbatim } from './http/page.ts'
import type { PictureKind, Pictures } from './site-services.ts'

/** The size limit, by how the picture is shown. */
const MOST_BYTES: Readonly<Record<PictureKind, number>> = { icon: 100_000, thumbnail: 1_000_000, picture: 8_000_000 }
const LONGEST_ADDRESS = 2_000
const KEPT_BYTES = 32_000_000
const KEPT_MS = 600_000
const SIGNATURE_LENGTH = 22

const WEEK_MS = 7 * 86_400_000

interface PictureParts {
  instanceSecret: string
  clock: () => number
  fetch: PictureFetch['fetch']
}

export function createPictures({ instanceSecret, clock, fetch }: PictureParts): Pictures {
  const key = Buffer.from(hkdfSync('sha256', instanceSecret, '', 'bowerbird pictures', 32))
  const kept = new LRUCache<string, Picture>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length + 1,
    ttl: KEPT_MS,
  })
  const underWay = new Map<string, Promise<Picture>>()

  const thisWeek = () => Math.floor(clock() / WEEK_MS)
  const signatureOf = (kind: string, address: string, week: number): string =>
    createHmac('sha256', key).update(`${week}\n${kind}\n${address}`).digest('base64url').slice(0, SIGNATURE_LENGTH)
  const isOurs = (kind: string, address: string, signature: string): boolean =>
    [thisWeek(), thisWeek() - 1].some((week) => isSameHash(signature, signatureOf(kind, address, week)))

  async function obtain(kind: PictureKind, address: string): Promise<Picture> {
    const picture = await fetch(address, MOST_BYTES[kind])
    kept.set(`${kind} ${address}`, picture)
    return picture
  }

  return {
    signedPath(address, kind) {
      if (address.length > LONGEST_ADDRESS || httpAddress(address) === '') return ''
      return `/pictures/${kind}?s=${signatureOf(kind, address, thisWeek())}&u=${encodeURIComponent(address)}`
    },
    find({ kind, address, signature }) {
      if (!isKind(kind) || !isOurs(kind, address, signature)) return undefined
      const name = `${kind} ${address}`
      const known = kept.get(name)
      if (known) return Promise.resolve(known)
      const flight = underWay.get(name) ?? obtain(kind, address).finally(() => underWay.delete(name))
      underWay.set(name, flight)
      return flight
    },
  }
}

const isKind = (kind: string): kind is PictureKind => Object.hasOwn(MOST_BYTES, kind)

const PICTURE_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
}

const NO_PICTURE: Verbatim = {
  status: 404,
  contentType: 'text/plain; charset=utf-8',
  content: 'No image.\n',
  headers: { ...PICTURE_HEADERS, 'Cache-Control': 'private, max-age=60' },
}

/**
 * GET /pictures/<kind>: a third-party picture, fetched by this server. No session is required: the signature proves that
 * a page of this instance showed the picture, and a session would keep browsers and caches from storing it. A picture
 * that can't be fetched is a bare 404, because no one sees an error page in place of a picture.
 */
export const picturePage = definePage({
  method: 'GET',
  path: '/pictures/:kind',
  access: 'anyone',
  quota: 'picture',
  isData: true,
  query: z.object({ u: z.string().catch(''), s: z.string().catch('') }),
  async handle({ params, query, services }) {
    const found = services.pictures?.find({ kind: params['kind'] ?? '', address: query.u, signature: query.s })
    if (!found) return NO_PICTURE
    try {
      const { type, bytes } = await found
      const headers = { ...PICTURE_HEADERS, 'Cache-Control': 'private, max-age=86400, immutable' }
      return { contentType: type, content: bytes, headers }
    } catch (error) {
      if (error instanceof UpstreamError) return NO_PICTURE
      throw error
    }
  },
})
