import { describe, expect, it } from 'vitest'
import { readOrigins } from './cors-origins.ts'

describe('CORS_ORIGINS', () => {
  it.each([
    ['https://app.example', ['https://app.example']],
    ['https://app.example/', ['https://app.example']],
    ['HTTPS://App.Example:443, http://127.0.0.1:3000', ['https://app.example', 'http://127.0.0.1:3000']],
    ['https://a.example https://b.example', ['https://a.example', 'https://b.example']],
    ['chrome-extension://abcdefgh', ['chrome-extension://abcdefgh']],
  ])('%s is understood', (text, origins) => {
    expect(readOrigins(text)).toEqual(new Set(origins))
  })

  it.each([
    'app.example',
    'https://app.example/path',
    'https://*.example',
    'null',
    '* https://a.example',
    'https://u@a.example',
  ])('%s is refused', (text) => {
    expect(readOrigins(text)).toBeUndefined()
  })

  it('* is every origin', () => {
    expect(readOrigins('*')).toBe('*')
  })
})
