// Signed URLs under which this site shows third-party pictures. They are signed when one of our pages is rendered, so
// the proxy can't be used to fetch what no search has found. A signature is valid for the week it was made in and the
// next, so that a picture found once can't be fetched through here forever.
import { createHmac, hkdfSync } from 'node:crypto'
import { httpAddress } from '@bowerbird/engines/parsing/http-address.ts'
import { LRUCache } from 'lru-cache'
import { isSameHash } from '../../text/cryptography.ts'
import type { Picture, PictureFetch } from '../../upstream/picture-fetch.ts'
import type { PictureKind, Pictures } from '../site-services.ts'

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
