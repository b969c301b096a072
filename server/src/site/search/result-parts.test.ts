import { describe, expect, it } from 'vitest'
import { wordsIn } from '../i18n/messages.ts'
import { dotsOf, engineDots, type ResultView, shownAddress } from './result-parts.ts'

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

describe('the dots beside a result', () => {
  const slotOf = (slot: string, index: string) => ({ slot, name: slot.toUpperCase(), index })
  const contributionOf = (slot: string, index: string) => {
    const weighted = { rank: 1, weight: 1, weightFrom: 'default' as const, addition: 0.5 }
    return { slot, name: slot.toUpperCase(), index, ...weighted, url: 'https://example.org/' }
  }
  const ENGINES = [slotOf('a', 'google'), slotOf('b', 'brave'), slotOf('c', 'google'), slotOf('d', ''), slotOf('e', '')]
  // The dots need nothing else of a view.
  const view = { engines: ENGINES, words: wordsIn('en').search, locale: 'en' } as unknown as ResultView
  const shown = (...contributions: ReturnType<typeof contributionOf>[]) =>
    engineDots(
      { hit: { url: 'https://example.org/' }, slots: contributions.map(({ slot }) => slot), contributions, score: 1 },
      view,
    ).text
  const dotsIn = (page: string) =>
    [...page.matchAll(/<i class="dot( on)?">/g)].map(([, on]) => (on ? '●' : '○')).join('')

  it('engines of one index share one, the others have their own', () => {
    expect(dotsOf(ENGINES)).toEqual([['a', 'c'], ['b'], ['d'], ['e']])
    expect(dotsIn(shown(contributionOf('a', 'google'), contributionOf('c', 'google')))).toBe('●○○○')
    expect(dotsIn(shown(contributionOf('b', 'brave'), contributionOf('e', 'unknown')))).toBe('○●○●')
  })

  it('two that show the same index are said not to confirm each other, and only those', () => {
    const SAME = 'A and C show the same index, so they do not confirm each other.'
    expect(shown(contributionOf('a', 'google'), contributionOf('c', 'google'))).toContain(SAME)
    expect(shown(contributionOf('a', 'google'), contributionOf('b', 'brave'))).not.toContain('same index')
    expect(shown(contributionOf('d', 'unknown'), contributionOf('e', 'unknown'))).not.toContain('same index')
  })
})
