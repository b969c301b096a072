import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BodyBuffer } from './decode-reply-body.ts'

describe('buffered bytes', () => {
  it('are the chunks in order, and no chunk is written to', () => {
    const piece = fc.uint8Array({ maxLength: 20_000 }).map((bytes) => Buffer.from(bytes))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const originals = pieces.map((bytes) => Buffer.from(bytes))
        const gathered = new BodyBuffer()
        for (const bytes of pieces) gathered.add(bytes)
        expect(gathered.bytes.equals(Buffer.concat(originals))).toBe(true)
        expect(gathered.length).toBe(gathered.bytes.length)
        expect(pieces).toEqual(originals)
      }),
      { numRuns: 60 },
    )
  })

  it('hold a hundred thousand single bytes in one buffer of at most twice their size', () => {
    const gathered = new BodyBuffer()
    for (let count = 0; count < 100_000; count += 1) gathered.add(Buffer.from([count & 0xff]))
    expect(gathered.bytes[70_000]).toBe(70_000 & 0xff)
    expect(gathered.bytes.buffer.byteLength).toBeLessThanOrEqual(200_000)
  })

  it('that are dropped free their memory immediately', () => {
    const gathered = new BodyBuffer()
    for (let count = 0; count < 4; count += 1) gathered.add(Buffer.alloc(65_536))
    const { buffer } = gathered.bytes
    gathered.drop()
    expect(buffer.byteLength).toBe(0)
    expect([gathered.length, gathered.bytes.length]).toEqual([0, 0])
  })

  it('of a single chunk are dropped without touching it: it is not ours', () => {
    const piece = Buffer.from('page')
    const gathered = new BodyBuffer()
    gathered.add(piece)
    gathered.drop()
    expect(piece.toString()).toBe('page')
  })
})
