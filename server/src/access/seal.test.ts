import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createSeal } from '../text/encrypt.ts'

const PLAIN = Buffer.from('twenty secret bytes.')

describe('what is sealed', () => {
  const seal = createSeal('secret of the instance', 'test', randomBytes)

  it('opens for its owner, under the same secret and for the same purpose', () => {
    expect(createSeal('secret of the instance', 'test', randomBytes).open(seal.close(PLAIN, '7'), '7')).toEqual(PLAIN)
  })

  it('opens for nobody else, under no other secret, for no other purpose', () => {
    const sealed = seal.close(PLAIN, '7')
    expect(seal.open(sealed, '8')).toBeUndefined()
    expect(createSeal('another secret', 'test', randomBytes).open(sealed, '7')).toBeUndefined()
    expect(createSeal('secret of the instance', 'other', randomBytes).open(sealed, '7')).toBeUndefined()
  })

  it('shows nothing of what is in it, and is never twice the same', () => {
    const [one, other] = [seal.close(PLAIN, '7'), seal.close(PLAIN, '7')]
    expect(one).not.toEqual(other)
    expect(one.includes(PLAIN.subarray(0, 4))).toBe(false)
  })

  it('does not open when any byte of it was changed or is missing', () => {
    const sealed = seal.close(PLAIN, '7')
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(seal.open(changed, '7')).toBeUndefined()
      expect(seal.open(sealed.subarray(0, at), '7')).toBeUndefined()
    }
  })
})
