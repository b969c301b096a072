import { describe, expect, it } from 'vitest'
import { origins } from './setting-types.ts'

const originsIn = (text: string) => origins.safeParse(text).data

describe('CORS_ORIGINS', () => {
  it.each([
    ['https://app.example', ['https://app.example']],
    ['https://app.example/', ['https://app.example']],
    ['HTTPS://App.Example:443, http://127.0.0.1:3000', ['https://app.example', 'http://127.0.0.1:3000']],
    ['https://a.example https://b.example', ['https://a.example', 'https://b.example']],
    ['chrome-extension://abcdefgh', ['chrome-extension://abcdefgh']],
  ])('%s is understood', (text, expected) => {
    expect(originsIn(text)).toEqual(new Set(expected))
  })

  it.each([
    'app.example',
    'https://app.example/path',
    'https://*.example',
    'null',
    '* https://a.example',
    'https://u@a.example',
  ])('%s is refused', (text) => {
    expect(originsIn(text)).toBeUndefined()
  })

  it('* is every origin', () => {
    expect(originsIn('*')).toBe('*')
  })
})
