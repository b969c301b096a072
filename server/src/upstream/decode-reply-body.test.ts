import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { decodeReplyBody } from './decode-reply-body.ts'

const MAX = 2_000_000
const text = '{"title":"Weaver birds — Ploceidae"}'
/** Does not compress to less than 64 KB, so it is decompressed in the thread pool. */
const longText = Array.from({ length: 60_000 }, (_, at) => (at * 2_654_435_761).toString(36)).join(' ')

const brotli = (input: string | Buffer) =>
  brotliCompressSync(input, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } })

const failure = async (bytes: Buffer, encoding: string, max = MAX): Promise<unknown> => {
  try {
    return await decodeReplyBody(bytes, encoding, max)
  } catch (error) {
    return error
  }
}

describe('the body of a reply', () => {
  const packers = { gzip: gzipSync, 'X-GZip': gzipSync, br: brotli, deflate: deflateSync }

  it.each(Object.entries(packers))('is decompressed from %s, short or long', async (encoding, pack) => {
    expect(decodeReplyBody(pack(text), encoding, MAX)).toBe(text)
    const long = pack(longText)
    expect(long.length).toBeGreaterThan(65_536)
    expect(await decodeReplyBody(long, encoding, MAX)).toBe(longText)
  })

  it('is decompressed from raw deflate too', () => {
    expect(decodeReplyBody(deflateRawSync(text), 'deflate', MAX)).toBe(text)
  })

  it('is passed on unchanged when it is not compressed', () => {
    expect(decodeReplyBody(Buffer.from(text), undefined, MAX)).toBe(text)
    expect(decodeReplyBody(Buffer.from(text), 'identity', MAX)).toBe(text)
    expect(decodeReplyBody(Buffer.alloc(0), 'gzip', MAX)).toBe('')
  })

  it('has invalid UTF-8 replaced, and its byte order mark removed', () => {
    expect(decodeReplyBody(Buffer.from([0x61, 0xff, 0x62]), undefined, MAX)).toBe('a\ufffdb')
    expect(decodeReplyBody(Buffer.from('\ufeff{}'), undefined, MAX)).toBe('{}')
  })

  it('may be exactly as large as allowed, and not a byte larger', async () => {
    const packed = gzipSync('x'.repeat(10_001))
    expect(await decodeReplyBody(packed, 'gzip', 10_001)).toHaveLength(10_001)
    expect(await failure(packed, 'gzip', 10_000)).toMatchObject({
      kind: 'malformed',
      message: 'the reply is too large',
    })
  })

  it.each([
    ['gzip', gzipSync],
    ['br', brotli],
    ['deflate', deflateSync],
  ] as const)('stops unpacking a bomb in %s at the cap', async (encoding, pack) => {
    const bomb = pack(Buffer.alloc(20_000_000))
    expect(bomb.length).toBeLessThan(70_000)
    expect(await failure(bomb, encoding)).toMatchObject({ kind: 'malformed' })
  })

  it.each([
    ['cut-off gzip', gzipSync(text).subarray(0, 20), 'gzip'],
    ['cut-off long gzip', gzipSync(longText).subarray(0, 70_000), 'gzip'],
    ['text that claims to be gzip', Buffer.from(text), 'gzip'],
    ['text that claims to be br', Buffer.from(text), 'br'],
    ['an encoding we did not request', Buffer.from(text), 'zstd'],
    ['two encodings', gzipSync(text), 'gzip, gzip'],
  ])('is malformed: %s', async (_, bytes, encoding) => {
    expect(await failure(bytes, encoding)).toMatchObject({ kind: 'malformed' })
  })
})
