import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Place, TextRing } from './text-ring.ts'

describe('the ring of texts', () => {
  it('gives back every text that it has, unchanged, and has the last ones', () => {
    const texts = fc.array(fc.string({ unit: 'binary', maxLength: 30 }), { maxLength: 60 })
    fc.assert(
      fc.property(texts, fc.integer({ min: 100, max: 300 }), (texts, size) => {
        const ring = new TextRing(size)
        const written: { text: string; place: Place }[] = []
        for (const text of texts.map((text) => text.toWellFormed())) {
          const place = ring.write(text)
          if (!place) throw new Error('every one of them fits')
          written.push({ text, place })
          const there = written.filter(({ place }) => ring.has(place))
          for (const { text, place } of there) expect(ring.read(place)).toBe(text)
          expect(there.at(-1)?.place).toBe(place)
          // Only what was written last, and nothing in between, may be missing.
          expect(there).toEqual(written.slice(-there.length))
          const kept = there.reduce((sum, { place }) => sum + place.length, 0)
          const next = written.at(-there.length - 1)?.place.length ?? size
          expect(kept + next + 2 * 120).toBeGreaterThanOrEqual(size)
        }
      }),
    )
  })

  it('does not take a text larger than itself', () => {
    const ring = new TextRing(10)
    expect(ring.write('….…….')).toBeUndefined()
    const place = ring.write('0123456789')
    expect(place && ring.has(place) && ring.read(place)).toBe('0123456789')
  })
})
