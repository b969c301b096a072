// GET /maps/tiles/<version>: the operator's map, as the browser's library reads it, one range of bytes after another.
// Who may search may read it. The version in the address is that of the content, so browsers never ask twice.
//
// The file may have a hundred gigabytes, so a request for all of it, or for more than any tile takes, is refused. HTTP
// lets a server refuse ranges of other forms (RFC 9110, 14.2); the library doesn't use them.

import { Refusal } from '../../errors.ts'
import type { MapTiles } from '../../maps/map-tiles.ts'
import { PageError } from '../http/error-pages.ts'
import { definePage } from '../http/page.ts'

export interface TilesPageParts {
  mapTiles: MapTiles | undefined
}

const MAX_RANGE_BYTES = 4_000_000
const RANGE = /^bytes=(\d{1,15})-(\d{1,15})$/

export const tilesPath = ({ version }: MapTiles): string => `/maps/tiles/${version}`

export const tilesPage = ({ mapTiles }: TilesPageParts) =>
  definePage({
    method: 'GET',
    path: '/maps/tiles/:version',
    access: 'searcher',
    quota: 'picture',
    isData: true,
    async handle({ params, range, holdMemory }) {
      if (mapTiles === undefined || params['version'] !== mapTiles.version) throw new PageError('notFound')
      const { start, end } = parseRange(range, mapTiles.bytes)
      holdMemory(end - start + 1)
      return {
        status: 206,
        contentType: 'application/octet-stream',
        content: await mapTiles.read(start, end - start + 1),
        headers: {
          'Accept-Ranges': 'bytes',
          'Content-Range': `bytes ${start}-${end}/${mapTiles.bytes}`,
          'Cache-Control': 'private, max-age=31536000, immutable',
          ETag: `"${mapTiles.version}"`,
        },
      }
    },
  })

/** First and last byte, both included. */
function parseRange(header: string | undefined, bytes: number): { start: number; end: number } {
  const [, first, last] = RANGE.exec(header ?? '') ?? []
  const start = Number(first ?? bytes)
  const end = Math.min(Number(last), bytes - 1)
  if (start <= end && end - start < MAX_RANGE_BYTES) return { start, end }
  const headers = { 'Accept-Ranges': 'bytes', 'Content-Range': `bytes */${bytes}` }
  throw new Refusal('range_invalid', `Ask for one range of at most ${MAX_RANGE_BYTES} bytes.`, headers)
}
