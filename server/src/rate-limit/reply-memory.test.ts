import { expect, it } from 'vitest'
import { MAX_BYTES_PER_NETWORK, ReplyMemory } from './reply-memory.ts'

const [ADA, BEN] = ['192.0.2.1', '192.0.2.2'] as const

it('a network has its share, others have theirs, and what is released can be held again', () => {
  const memory = new ReplyMemory()
  const picture = memory.hold(ADA)
  picture.grow(MAX_BYTES_PER_NETWORK - 1)
  picture.grow(1)
  const another = memory.hold(ADA)
  expect(() => another.grow(1)).toThrow('refused: overloaded')
  expect(() => memory.hold(BEN).grow(MAX_BYTES_PER_NETWORK)).not.toThrow()
  picture.release()
  picture.release()
  expect(() => another.grow(MAX_BYTES_PER_NETWORK)).not.toThrow()
})

it('all networks together have four shares', () => {
  const memory = new ReplyMemory()
  for (let network = 1; network <= 4; network++) memory.hold(`192.0.2.${network}`).grow(MAX_BYTES_PER_NETWORK)
  expect(() => memory.hold('192.0.2.5').grow(1)).toThrow('refused: overloaded')
})

it('an IPv6 network of 48 bits has one share, however many of 64 it has', () => {
  const memory = new ReplyMemory()
  memory.hold('2001:db8:1:1::1').grow(MAX_BYTES_PER_NETWORK)
  expect(() => memory.hold('2001:db8:1:2::1').grow(1)).toThrow('refused: overloaded')
  expect(() => memory.hold('2001:db8:2:1::1').grow(1)).not.toThrow()
})
