import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mapFile, writeMapFile } from '../../../test/support/map-file.ts'
import { findTileFile, type MapTiles, openMapTiles } from '../../maps/map-tiles.ts'
import { MAX_BYTES_PER_NETWORK, ReplyMemory } from '../../rate-limit/reply-memory.ts'
import { openSiteStage, type SiteStage } from '../site.test-harness.ts'
import { tilesPage, tilesPath } from './tiles-page.ts'

const content = mapFile()
let folder: string
let mapTiles: MapTiles
let stage: SiteStage

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tiles-page-'))
  await writeMapFile(join(folder, 'map.pmtiles'))
  const found = findTileFile(undefined, folder)
  if (!found || !('file' in found)) throw new Error('There is no map.')
  mapTiles = await openMapTiles(found.file)
  stage = await openSiteStage({ mapTiles }, [tilesPage])
})
afterAll(async () => {
  await mapTiles.close()
  await rm(folder, { recursive: true })
})

const ask = (range?: string, path = tilesPath(mapTiles)) =>
  stage.browser().get(path, range === undefined ? {} : { range })

describe('GET /maps/tiles/<version>', () => {
  it('206: a range of the file, to be kept for ever', async () => {
    const { status, headers, rawPayload } = await ask('bytes=100-299')
    expect(status).toBe(206)
    expect(rawPayload.equals(content.subarray(100, 300))).toBe(true)
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-range': `bytes 100-299/${content.length}`,
      'content-length': '200',
      'accept-ranges': 'bytes',
      'cache-control': 'private, max-age=31536000, immutable',
      etag: `"${mapTiles.version}"`,
      'x-content-type-options': 'nosniff',
    })
    expect(headers['content-encoding']).toBeUndefined()
  })

  it('206: a range that goes beyond the end has the rest', async () => {
    const { rawPayload, headers } = await ask(`bytes=${content.length - 10}-${content.length + 1_000_000_000_000}`)
    expect(rawPayload.equals(content.subarray(-10))).toBe(true)
    expect(headers['content-range']).toBe(`bytes ${content.length - 10}-${content.length - 1}/${content.length}`)
  })

  it.each([
    undefined,
    '',
    'bytes=0-',
    'bytes=-500',
    'bytes=5-4',
    'bytes=0-1,5-6',
    'bytes=0-1, 5-6',
    'bytes=-1-5',
    'bytes=+1-5',
    'bytes=0x1-0x5',
    'bytes=1e3-2e3',
    'bytes = 0-5',
    'lines=0-5',
    'bytes=٠-٥',
    `bytes=0-${'9'.repeat(400)}`,
    `bytes=${content.length}-${content.length + 5}`,
    'bytes=999999999999999-999999999999999',
  ])('416: %s', async (range) => {
    const { status, headers, body } = await ask(range)
    expect(status).toBe(416)
    expect(headers).toMatchObject({ 'content-range': `bytes */${content.length}`, 'error-code': 'range_invalid' })
    expect(body).toBe('416\n')
  })

  it('416: more than any tile has, of a large file', async () => {
    const asked: [number, number][] = []
    const read: MapTiles['read'] = async (start, length) => {
      asked.push([start, length])
      return Buffer.alloc(length)
    }
    const large = await openSiteStage({ mapTiles: { ...mapTiles, bytes: 2 ** 40, read } }, [tilesPage])
    const get = (range: string) => large.browser().get(tilesPath(mapTiles), { range })
    expect((await get('bytes=0-4000000')).status).toBe(416)
    expect((await get(`bytes=0-${2 ** 40}`)).status).toBe(416)
    expect((await get('bytes=1000000000000-1000003999999')).status).toBe(206)
    expect(asked).toEqual([[1_000_000_000_000, 4_000_000]])
  })

  it('503: a network that is sent as much as it may be, before anything is read for it', async () => {
    const replyMemory = new ReplyMemory()
    replyMemory.hold('127.0.0.1').grow(MAX_BYTES_PER_NETWORK - 10)
    const read = () => Promise.reject(new Error('nothing may be read'))
    const full = await openSiteStage({ mapTiles: { ...mapTiles, read }, replyMemory }, [tilesPage])
    const { status, headers } = await full.browser().get(tilesPath(mapTiles), { range: 'bytes=0-10' })
    expect(status).toBe(503)
    expect(headers['retry-after']).toBe('2')
  })

  it('404: another version, and an instance without a map', async () => {
    expect((await ask('bytes=0-5', '/maps/tiles/000000000000')).status).toBe(404)
    expect((await ask('bytes=0-5', '/maps/tiles/..%2f..%2fetc%2fpasswd')).status).toBe(404)
    const without = await openSiteStage({}, [tilesPage])
    expect((await without.browser().get(tilesPath(mapTiles), { range: 'bytes=0-5' })).status).toBe(404)
  })
})
