// What a browser loads for the map: our script, style and stylesheet, and the library, which `tools/make-map-library.ts`
// has compressed. They are read only on an instance that has a map, when its site is mounted.
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { compress } from '../../text/content-negotiation.ts'
import { type Asset, assetOf, hashedPath, lean, mountAsset } from '../assets.ts'

const SCRIPT = 'text/javascript; charset=utf-8'

type MapAssets = Record<'script' | 'style' | 'stylesheet' | 'library' | 'worker', Asset>

const bytesOf = (file: string): Buffer => readFileSync(new URL(`./assets/${file}`, import.meta.url))
const ownAsset = (name: string, contentType: string): Asset =>
  assetOf(name, contentType, lean(bytesOf(name).toString()))

const decompress = promisify(brotliDecompress)

/** Browsers accept Brotli over https only. On a plain connection it is another encoding, made when it is asked for. */
function libraryAsset(name: string): Asset {
  const br = bytesOf(`library/${name}.br`)
  return {
    path: hashedPath(name, br),
    contentType: SCRIPT,
    async bytesIn(encoding) {
      if (encoding === 'br') return br
      const plain = await decompress(br)
      return encoding === 'gzip' ? await compress(plain, 'gzip') : plain
    },
  }
}

let read: MapAssets | undefined

export function mapAssets(): MapAssets {
  read ??= {
    script: ownAsset('map.js', SCRIPT),
    style: ownAsset('map-style.js', SCRIPT),
    stylesheet: ownAsset('map.css', 'text/css; charset=utf-8'),
    library: libraryAsset('map-library.js'),
    worker: libraryAsset('map-worker.js'),
  }
  return read
}

export function mountMapAssets(http: FastifyInstance): void {
  for (const asset of Object.values(mapAssets())) mountAsset(http, asset)
}
