import fc from 'fast-check'
import decodeQR from 'qr/decode.js'
import { describe, expect, it } from 'vitest'
import { answerAlone } from '../answer-alone.test-rules.ts'
import { qrCode } from './qr-code.ts'

const SCALE = 4

/** Renders the SVG as pixels: strokes in black on white, each module a few pixels wide. */
function photograph(svg: string): { width: number; height: number; data: Uint8ClampedArray } {
  const side = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1])
  const width = side * SCALE
  const data = new Uint8ClampedArray(width * width * 4).fill(255)
  for (const [, x, y, length] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let row = Number(y) * SCALE; row < (Number(y) + 1) * SCALE; row += 1) {
      const start = row * width + Number(x) * SCALE
      for (let pixel = start; pixel < start + Number(length) * SCALE; pixel += 1) data.fill(0, pixel * 4, pixel * 4 + 3)
    }
  }
  return { width, height: width, data }
}

describe('a QR code', () => {
  it.each(['https://example.com/?q=a&b=c#d', 'hello world', '12345678901234567890', 'grüße 🦜', 'x'.repeat(480)])(
    'of %j decodes to that text',
    async (content) => {
      const answer = await answerAlone(qrCode, `qr: ${content}`)
      expect(answer?.['content']).toBe(content)
      expect(decodeQR(photograph(String(answer?.['svg'])))).toBe(content)
    },
  )

  it('never puts text of the query into its SVG', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, maxLength: 200 }), async (content) => {
        const answer = await answerAlone(qrCode, `qr: ${content}`)
        if (answer)
          expect(answer['svg']).toMatch(
            /^<svg xmlns="[\w:/.]+" viewBox="[\d ]+" shape-rendering="crispEdges"><path fill="#fff" d="[MHhvz\d -]+"\/><path d="[Mhvz\d -]+"\/><\/svg>$/,
          )
      }),
      { numRuns: 30 },
    )
  })
})
