import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createDeviceTokens } from './device-tokens.ts'

const LENA = { id: '7', passwordHash: '$argon2id$one' }
const tokensWith = (instanceSecret: string) => createDeviceTokens({ instanceSecret, randomBytes })

describe('a device token', () => {
  const tokens = tokensWith('a secret')

  it('is recognised on every node, and never the same twice', () => {
    const [one, other] = [tokens.mint(LENA), tokens.mint(LENA)]
    expect(other).not.toBe(one)
    expect(tokensWith('a secret').recognise(one, LENA)).toBe(one.split('.')[0])
  })

  it('is nothing to another user, with another password, or to another instance', () => {
    const token = tokens.mint(LENA)
    expect(tokens.recognise(token, { ...LENA, id: '8' })).toBeUndefined()
    expect(tokens.recognise(token, { ...LENA, passwordHash: '$argon2id$two' })).toBeUndefined()
    expect(tokens.recognise(token, undefined)).toBeUndefined()
    expect(tokensWith('another secret').recognise(token, LENA)).toBeUndefined()
  })

  it('cannot be made up: neither a changed id nor a changed tag is recognised', () => {
    const [id = '', tag = ''] = tokens.mint(LENA).split('.')
    const [otherId = '', otherTag = ''] = tokens.mint(LENA).split('.')
    for (const token of [undefined, '', '.', id, `${id}.`, `.${tag}`, `${otherId}.${tag}`, `${id}.${otherTag}`]) {
      expect([token, tokens.recognise(token, LENA)]).toEqual([token, undefined])
    }
  })

  it('says nothing about the user or the password', () => {
    expect(tokens.mint(LENA)).toMatch(/^[\w-]{22}\.[\w-]{22}$/)
  })
})
