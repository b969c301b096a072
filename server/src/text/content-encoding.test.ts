import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { compress, encodingFor } from './content-encoding.ts'

describe('content encoding', () => {
  it.each([
    ['br', 'br'],
    ['gzip, br, zstd', 'zstd'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0.5, BR', 'br'],
    ['identity', undefined],
    ['', undefined],
    [undefined, undefined],
    ['brotli', undefined],
    ['gzip;q=0.000', undefined],
  ])('Accept-Encoding %s → %s', (header, encoding) => {
    expect(encodingFor(header, ['zstd', 'br', 'gzip'])).toBe(encoding)
  })

  it.each([
    ['zstd', zstdDecompressSync],
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('%s makes text smaller, and it unpacks to the same', async (encoding, unpack) => {
    const text = Buffer.from('straw '.repeat(1_000))
    const packed = await compress(text, encoding)
    expect(packed.length).toBeLessThan(text.length / 10)
    expect(unpack(packed)).toEqual(text)
  })
})
