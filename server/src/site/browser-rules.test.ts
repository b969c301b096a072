import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SiteRule } from '../rules/site-rules.ts'
import { fitsCookie, MAX_BROWSER_RULES, RULE_ACTIONS, readBrowserRules, writeBrowserRules } from './browser-rules.ts'

const RULES: SiteRule[] = [
  { pattern: 'example.org', action: 'block' },
  { pattern: 'example.net/shop/*', action: 'raise' },
  { pattern: '*.example', action: 'lower' },
  { pattern: 'video.example.com', action: 'rewrite', to: 'front.example:8080' },
]

describe('the cookie of a reader without an account', () => {
  it('reads as people can read it', () => {
    const cookie = writeBrowserRules(RULES)
    expect(cookie).toBe(
      'block:example.org|raise:example.net/shop/*|lower:*.example|rewrite:video.example.com>front.example:8080',
    )
    expect(readBrowserRules(cookie)).toEqual(RULES)
  })

  it('is ignored where it holds no rule', () => {
    expect(readBrowserRules('block:example.org|<b>|explode:a.org|block:|raise:b.org>|rewrite:c.org')).toEqual([
      { pattern: 'example.org', action: 'block' },
    ])
    expect(readBrowserRules(undefined)).toEqual([])
    expect(readBrowserRules(`block:${'a'.repeat(5_000)}.org`)).toEqual([])
  })

  it('is bounded', () => {
    const many = Array.from({ length: MAX_BROWSER_RULES + 1 }, (_, at) => ({
      pattern: `${at}.org`,
      action: 'block' as const,
    }))
    expect(writeBrowserRules(many)).toBeUndefined()
    expect(readBrowserRules(writeBrowserRules(many.slice(1)))).toHaveLength(MAX_BROWSER_RULES)
    const long = Array.from({ length: 40 }, (_, at) => ({
      pattern: `${at}${'a'.repeat(60)}.${'b'.repeat(60)}.org`,
      action: 'block' as const,
    }))
    expect(writeBrowserRules(long)).toBeUndefined()
  })

  it('whatever it holds, only rules are read from it', () => {
    const anyCookie = fc.array(
      fc.oneof(fc.string(), fc.constantFrom('|', ':', '>', 'block', 'rewrite', 'a.org', 'https://b.org/c*', '*.')),
    )
    fc.assert(
      fc.property(anyCookie, (pieces) => {
        for (const { action, pattern } of readBrowserRules(pieces.join(''))) {
          expect([...RULE_ACTIONS, 'rewrite']).toContain(action)
          expect(pattern).not.toMatch(/[\s|>;,]/)
        }
      }),
    )
  })

  it('holds no sign that a cookie or its own form forbids', () => {
    for (const sign of ';, "\\|>é') expect(fitsCookie({ pattern: `a.org/${sign}`, action: 'block' })).toBe(false)
    for (const { pattern } of RULES) expect(fitsCookie({ pattern, action: 'block' })).toBe(true)
  })
})
