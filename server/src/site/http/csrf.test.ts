import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createCsrf } from './csrf.ts'

const csrf = createCsrf('the secret of this instance', randomBytes)

describe('the token of a form', () => {
  it('is accepted for the browser that it was made for, and for no other', () => {
    const token = csrf.tokenFor('browser one')
    expect(csrf.isValid(token, 'browser one')).toBe(true)
    expect(csrf.isValid(token, 'browser two')).toBe(false)
    expect(csrf.isValid(token, '')).toBe(false)
  })

  it('is another text each time, so that nothing can be guessed from the length of compressed pages', () => {
    const tokens = new Set(Array.from({ length: 50 }, () => csrf.tokenFor('browser')))
    expect(tokens.size).toBe(50)
    for (const token of tokens) expect(csrf.isValid(token, 'browser')).toBe(true)
  })

  it('is worth nothing on another instance', () => {
    const other = createCsrf('the secret of another', randomBytes)
    expect(other.isValid(csrf.tokenFor('browser'), 'browser')).toBe(false)
  })

  it('a token that was changed anywhere is refused', () => {
    const token = csrf.tokenFor('browser')
    for (let at = 0; at < token.length; at++) {
      const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`
      expect(csrf.isValid(changed, 'browser')).toBe(false)
    }
  })

  it.each([undefined, '', '.', 'x'.repeat(60), `${'a'.repeat(16)}.${'b'.repeat(43)}`, 'é'.repeat(60)])(
    'what is no token is refused: %s',
    (token) => {
      expect(csrf.isValid(token, 'browser')).toBe(false)
    },
  )
})
