import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hashSecret, mintKey } from './key-format.ts'
import { createPresentedKeys } from './presented-keys.ts'

const mint = () => mintKey(randomBytes)

describe('a presented key', () => {
  it('is read with its prefix and the hash of its secret', () => {
    const { full, prefix, secret } = mint()
    expect(createPresentedKeys()(full)).toEqual({ prefix, secretHash: hashSecret(secret) })
  })

  it('is not read again on the same connection', () => {
    const read = createPresentedKeys()
    const { full } = mint()
    const connection = {}
    expect(read(full, connection)).toBe(read(full, connection))
    expect(read(full, {})).not.toBe(read(full, connection))
  })

  it('is never taken for another key on the same connection, not even for one with a typo', () => {
    const read = createPresentedKeys()
    const [one, other] = [mint(), mint()]
    const connection = {}
    expect(read(one.full, connection)?.prefix).toBe(one.prefix)
    expect(read(other.full, connection)?.prefix).toBe(other.prefix)
    const typo = `${one.full.slice(0, -1)}${one.full.endsWith('0') ? '1' : '0'}`
    expect(read(one.full, connection)?.prefix).toBe(one.prefix)
    expect(read(typo, connection)).toBeUndefined()
    expect(read(`${one.full} `, connection)).toBeUndefined()
    expect(read('é'.repeat(34), connection)).toBeUndefined()
  })
})
