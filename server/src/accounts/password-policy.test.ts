import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { passwordFault } from './password-policy.ts'

describe('a password', () => {
  it.each([
    '1234567890',
    'Password123',
    'PASSWORD2024',
    'qwertyuiop',
    '1qaz2wsx3edc',
    'iloveyou123',
    'letmein123!',
    'p@ssw0rd123',
    'correcthorsebatterystaple',
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    '12121212121',
    'ｐａｓｓｗｏｒｄ１２３',
  ])('%s is one of those that are guessed first', (password) => {
    expect(passwordFault(password, 'lena')).toBe('common')
  })

  it.each([
    ['lena.bauer', 'Lena.Bauer'],
    ['lena', 'lena-1987-06!'],
    ['lena', '19870613lena'],
    ['lena', 'LenaLenaLena'],
    ['lena', 'Bowerbird#9931'],
    ['lena', 'xadminadminx'],
    ['christopher', 'christopher77'],
  ])('of %s is not %s: a name and little else', (username, password) => {
    expect(passwordFault(password, username)).toMatch(/^(?:name|common)$/)
  })

  it.each([
    ['lena', 'correct horse'],
    ['lena', 'four unrelated plain words'],
    ['lena', 'lena likes plain words'],
    ['lena', 'bowerbirds collect blue'],
    ['al', 'al and everything'],
    ['lena', '7391640285'],
    ['', 'x8f-k2m-q9z'],
    ['lena', '日本語の長いパスワード'],
    ['lena', '🦜🪺🔵🦜🪶🌾🔵🪺🦜🦜'],
  ])('of %s may be %s', (username, password) => {
    expect(passwordFault(password, username)).toBeUndefined()
  })

  it('has 10 to 1,000 characters, whatever they are', () => {
    expect(passwordFault('x8f-k2m-q', 'lena')).toBe('short')
    expect(passwordFault('🦜🪺🔵🦜🪶', 'lena')).toBe('short')
    expect(passwordFault(`${'x8f-k2m-q9'.repeat(100)}z`, 'lena')).toBe('long')
  })

  it('is held against more than 3,000 common ones, each of which could be chosen otherwise', () => {
    const text = readFileSync(new URL('./data/common-passwords.txt', import.meta.url), 'utf8')
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    expect(text.startsWith('#')).toBe(true)
    expect(new Set(lines).size).toBeGreaterThan(3_000)
    expect(
      lines.filter((line) => Array.from(line).length < 10 || line !== line.normalize('NFKC').toLowerCase()),
    ).toEqual([])
    expect(lines.filter((line) => passwordFault(line, '') === undefined)).toEqual([])
  })
})
