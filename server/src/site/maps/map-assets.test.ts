import { readFileSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import type { MapTiles } from '../../maps/map-tiles.ts'
import { openSiteStage, type SiteStage } from '../site.test-harness.ts'
import { mapAssets } from './map-assets.ts'

const TILES: MapTiles = {
  bytes: 0,
  version: '',
  bounds: { west: 0, south: 0, east: 0, north: 0 },
  read: async () => Buffer.alloc(0),
  close: async () => undefined,
}

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const assets = Object.entries(mapAssets())

let site: SiteStage
beforeAll(async () => {
  site = await openSiteStage({ mapTiles: TILES }, [])
})

describe('what a browser loads for the map', () => {
  it.each(assets)('%s is cached forever under a hashed name, in every encoding', async (_name, { path }) => {
    expect(path).toMatch(/^\/assets\/map[a-z-]*\.[\da-f]{12}\.(?:js|css)$/)
    const get = (encoding: string) =>
      site.inject({ method: 'GET', url: path, headers: { 'accept-encoding': encoding } })
    const [plain, br, gzip] = await Promise.all([get('identity'), get('gzip, br'), get('gzip')])
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(br.headers['content-encoding']).toBe('br')
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(brotliDecompressSync(br.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true)
  })

  it('is 400 KB at most', async () => {
    const all = await Promise.all(assets.map(async ([, { bytesIn }]) => await bytesIn('br')))
    expect(Buffer.concat(all).length).toBeLessThan(400_000)
  })

  it('is not there on an instance without a map', async () => {
    const without = await openSiteStage({}, [])
    for (const [, { path }] of assets)
      expect((await without.inject({ method: 'GET', url: path, headers: {} })).status).toBe(404)
  })

  it('is the library of the versions in package.json, with its licences', () => {
    const { devDependencies } = JSON.parse(read('../../../../package.json'))
    const licences = read('./assets/library/LICENSE')
    for (const name of ['maplibre-gl', 'pmtiles'])
      expect(licences, 'run tools/make-map-library.ts').toContain(`${name} ${devDependencies[name]}, BSD-3-Clause`)
  })

  it.each(['map.js', 'map-style.js'])('%s writes text and nodes, names no other host, and keeps nothing', (file) => {
    const source = read(`./assets/${file}`)
    expect(source).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|srcdoc/)
    expect(source).not.toMatch(/createContextualFragment|setHTML|DOMParser|postMessage|createElement\(['"]script/)
    expect(source).not.toMatch(/localStorage|sessionStorage|indexedDB|document\.cookie|\bcaches\b|serviceWorker/)
    expect(source).not.toMatch(/https?:/)
  })
})
