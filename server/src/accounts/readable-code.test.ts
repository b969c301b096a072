import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mintReadableCode, readReadableCode } from './readable-code.ts'

describe('a readable code', () => {
  it('has groups of four characters that cannot be mistaken for each other', () => {
    expect(mintReadableCode(randomBytes, 4)).toMatch(/^[\da-hjkmnp-tv-z]{4}(-[\da-hjkmnp-tv-z]{4}){3}$/)
  })

  it('is read however it was copied', () => {
    const code = mintReadableCode((size) => new Uint8Array(size).map((_, at) => at), 4)
    expect(code).toBe('0123-4567-89ab-cdef')
    for (const copied of [
      code,
      code.toUpperCase(),
      code.replaceAll('-', ''),
      ' O123 4567\t89AB - cdef\n',
      'ol23-4567-89ab-cdef',
    ]) {
      expect(readReadableCode(copied, 4)).toBe(code)
    }
  })

  it('is read from nothing else', () => {
    for (const other of [
      '',
      '123456',
      '0123-4567-89ab-cde',
      '0123-4567-89ab-cdeff',
      'é123-4567-89ab-cdef',
      'x'.repeat(1e6),
    ]) {
      expect(readReadableCode(other, 4)).toBeUndefined()
    }
  })

  it('is never taken for another', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        const code = mintReadableCode(() => bytes, 4)
        expect(readReadableCode(code, 4)).toBe(code)
      }),
    )
  })
})
