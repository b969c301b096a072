import { inflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { pictureAt } from './picture.ts'

it('every name has its own picture, a PNG of 320 × 180 pixels', () => {
  const picture = pictureAt('/climate-1.png')
  expect(picture?.subarray(1, 4).toString()).toBe('PNG')
  expect([picture?.readUInt32BE(16), picture?.readUInt32BE(20)]).toEqual([320, 180])
  const length = picture?.readUInt32BE(33) ?? 0
  expect(inflateSync(picture?.subarray(41, 41 + length) ?? '').length).toBe(180 * (1 + 320 * 3))
  expect(pictureAt('/climate-1.png')).toBe(picture)
  expect(pictureAt('/climate-2.png')).not.toEqual(picture)
})

it.each(['/', '/x.jpg', '/../x.png', `/${'x'.repeat(65)}.png`])('there is no picture at %s', (path) => {
  expect(pictureAt(path)).toBeUndefined()
})
