import { describe, expect, it } from 'vitest'
import { shownAddress } from './result-parts.ts'

describe('formatting an address for people', () => {
  it.each([
    ['https://www.example.org/', 'example.org', ''],
    ['https://example.org', 'example.org', ''],
    ['http://example.org:8080/a/b?c=d#e', 'example.org', 'a › b'],
    ['https://example.org//a///b/', 'example.org', 'a › b'],
    ['https://de.example.org/wiki/%C3%96l_%26_Gas', 'de.example.org', 'wiki › Öl_&_Gas'],
    ['https://example.org/100%25/%zz', 'example.org', '100% › %zz'],
    ['https://example.org/1/2/3/4/5/6/7/8', 'example.org', '1 › 2 › 3 › 4 › 5 › … › 8'],
    ['https://example.org?q=/a/b', 'example.org', ''],
  ])('%s → %s › %s', (address, host, path) => {
    expect(shownAddress(address)).toEqual({ host, path })
  })

  it('an escape that would reverse the text direction stays escaped', () => {
    expect(shownAddress('https://example.org/%E2%80%AEgpj.exe').path).toBe('%E2%80%AEgpj.exe')
  })

  it('a long path is shortened, never within a character', () => {
    const { path } = shownAddress(`https://example.org/${'a'.repeat(79)}😀${'b'.repeat(50)}`)
    expect(path).toBe(`${'a'.repeat(79)}…`)
  })

  it('an address that is not http(s) shows no host', () => {
    expect(shownAddress('javascript:alert(1)').host).toBe('')
  })
})
