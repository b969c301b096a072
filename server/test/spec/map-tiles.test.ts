// The operator's map over real HTTP, read by the library that browsers use.
import { join } from 'node:path'
import { PMTiles } from 'pmtiles'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { mapFile, writeMapFile } from '../support/map-file.ts'
import { rawRequest } from '../support/raw-request.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

let server: TestInstance
let path: string
beforeAll(async () => {
  const file = join(inject('temporaryFolder'), 'served.pmtiles')
  await writeMapFile(file)
  server = await startTestInstance({ SITE_ACCESS: 'public', MAP_TILES: file })
  path = `/maps/tiles/${server.instance.services.website.frame.mapTiles?.version}`
})
afterAll(() => server?.close())

const ask = (range: string, method = 'GET') => fetch(`${server.url}${path}`, { method, headers: { range } })

it('the library reads its header, its metadata and a tile, and finds none where there is none', async () => {
  const map = new PMTiles(`${server.url}${path}`)
  expect(await map.getHeader()).toMatchObject({ minLon: 2.2, maxLat: 48.92, maxZoom: 13 })
  expect(await map.getMetadata()).toMatchObject({
    vector_layers: expect.arrayContaining([{ id: 'roads', fields: {} }]),
  })
  const tile = Buffer.from((await map.getZxy(13, 4148, 2818))?.data ?? new ArrayBuffer())
  expect(tile.toString('latin1')).toMatch(/roads[\s\S]*minor_road/)
  expect(await map.getZxy(13, 0, 0)).toBeUndefined()
})

it('206: exactly the bytes that were asked for, and none for HEAD', async () => {
  const reply = await ask('bytes=7-20006')
  expect(reply.status).toBe(206)
  expect(Buffer.from(await reply.arrayBuffer()).equals(mapFile().subarray(7, 20_007))).toBe(true)
  const head = await ask('bytes=7-20006', 'HEAD')
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([206, '20000', ''])
})

it('416: without a range, and for several, whoever writes them', async () => {
  const refused = [
    await fetch(`${server.url}${path}`),
    await ask('bytes=0-99, 200-299'),
    await ask('bytes=-1'),
    await rawRequest(server.url, `GET ${path} HTTP/1.1\r\nHost: x\r\nRange: bytes=0-1\r\nRange: bytes=2-3\r\n\r\n`),
    await rawRequest(server.url, `GET ${path} HTTP/1.1\r\nHost: x\r\nRange: bytes=0-${'9'.repeat(5_000)}\r\n\r\n`),
  ]
  for (const { status, headers } of refused) {
    const code = headers instanceof Headers ? headers.get('error-code') : headers['error-code']
    expect([status, code]).toEqual([416, 'range_invalid'])
  }
})

it('a hundred readers get their own ranges', async () => {
  const content = mapFile()
  const starts = Array.from({ length: 100 }, (_, at) => (at * 370) % (content.length - 100))
  const replies = await Promise.all(starts.map(async (start) => (await ask(`bytes=${start}-${start + 99}`)).bytes()))
  for (const [at, bytes] of replies.entries()) {
    const start = starts[at] ?? 0
    expect(Buffer.from(bytes).equals(content.subarray(start, start + 100))).toBe(true)
  }
})
