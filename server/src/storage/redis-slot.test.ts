import { expect, it } from 'vitest'
import { slotOf } from './redis-slot.ts'

it.each([
  ['123456789', 12_739],
  ['foo', 12_182],
  ['{user1000}.following', slotOf('user1000')],
  ['foo{}{bar}', slotOf('foo{}{bar}')],
  ['foo{{bar}}zap', slotOf('{bar')],
  ['foo{bar}{zap}', slotOf('bar')],
  ['bb:{42}:burst', slotOf('42')],
])('the slot of %s', (key, slot) => {
  expect(slotOf(key)).toBe(slot)
})
