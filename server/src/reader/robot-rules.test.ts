// RFC 9309, and the cost of a hostile robots.txt.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startCpuTimer } from '../../../engines/test/cpu-timer.ts'
import { readRobotRules } from './robot-rules.ts'

const isAllowed = (text: string, path: string) => readRobotRules(text, 'Bowerbird').isAllowed(path)
const forEveryone = (rules: string) => `User-agent: *\n${rules}`

describe('rules of a robots.txt', () => {
  it.each([
    ['nothing', '', '/a', true],
    ['an empty disallow', forEveryone('Disallow:'), '/a', true],
    ['everything', forEveryone('Disallow: /'), '/a', false],
    ['a beginning', forEveryone('Disallow: /pri'), '/private', false],
    ['a beginning of something else', forEveryone('Disallow: /pri'), '/a/private', true],
    ['the longer rule', forEveryone('Disallow: /a\nAllow: /a/b'), '/a/b', true],
    ['the longer rule, whatever comes first', forEveryone('Allow: /a/b\nDisallow: /a/b/c'), '/a/b/c', false],
    ['of two equals, the one that allows', forEveryone('Disallow: /a\nAllow: /a'), '/a', true],
    ['a star', forEveryone('Disallow: /*/private'), '/b/private/x', false],
    ['a star for nothing', forEveryone('Disallow: /a*b'), '/ab', false],
    ['an end', forEveryone('Disallow: /*.pdf$'), '/a.pdf', false],
    ['an end that is none', forEveryone('Disallow: /*.pdf$'), '/a.pdf?b', true],
    ['an end alone', forEveryone('Disallow: /$'), '/', false],
    ['an end and more', forEveryone('Disallow: /$'), '/a', true],
    ['parts that would have to overlap', forEveryone('Disallow: /ab*bc$'), '/abc', true],
    ['a query', forEveryone('Disallow: /*?session='), '/a?session=1', false],
    ['letters that are written as bytes', forEveryone('Disallow: /été/%41'), '/%C3%A9t%c3%a9/A', false],
    ['a slash that is written as a byte', forEveryone('Disallow: /a%2fb'), '/a/b', true],
    ['comments and line ends of all kinds', '# x\r\nuser-agent : * # all\rDISALLOW:/a # y', '/a', false],
    ['other lines between', forEveryone('Crawl-delay: 1\nSitemap: https://x.example/\nDisallow: /a'), '/a', false],
    ['rules for others', 'User-agent: OtherBot\nDisallow: /', '/a', true],
    ['rules for us and others', 'User-agent: OtherBot\nUser-agent: Bowerbird/1.0\nDisallow: /', '/a', false],
    ['our own rules, even none', 'User-agent: *\nDisallow: /\n\nUser-agent: BOWERBIRD\nDisallow:', '/a', true],
    [
      'our rules in two groups',
      'User-agent: bowerbird\nDisallow: /a\n\nUser-agent: bowerbird\nDisallow: /b',
      '/a',
      false,
    ],
    ['rules for nobody', 'Disallow: /', '/a', true],
    ['a page of HTML', '<!doctype html><title>Not found</title>', '/a', true],
  ])('%s', (_what, text, ...[path, expected]) => {
    expect(isAllowed(text, path)).toBe(expected)
  })

  it('a pattern matches what the same regular expression matches', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 8 })
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*', '/'), maxLength: 6 })
    fc.assert(
      fc.property(letters, pattern, fc.boolean(), (path, middle, isWhole) => {
        const expression = new RegExp(`^/${middle.replaceAll('*', '.*')}${isWhole ? '$' : ''}`)
        const text = forEveryone(`Disallow: /${middle}${isWhole ? '$' : ''}`)
        expect(isAllowed(text, `/${path}`)).toBe(!expression.test(`/${path}`))
      }),
      { numRuns: 2_000 },
    )
  })

  it('all beginnings of paths count, and the first 500 patterns with a star', () => {
    const paths = forEveryone(Array.from({ length: 4_000 }, (_, at) => `Disallow: /p${at}/`).join('\n'))
    expect(isAllowed(paths, '/p3999/a')).toBe(false)
    const patterns = forEveryone(Array.from({ length: 501 }, (_, at) => `Disallow: /*p${at}/`).join('\n'))
    expect([isAllowed(patterns, '/a/p499/'), isAllowed(patterns, '/a/p500/')]).toEqual([false, true])
  })

  const hundredKb = (line: string) => forEveryone(line.repeat(99_000 / line.length))

  it.each([
    ['many rules', hundredKb('Disallow: /x\n')],
    ['rules with many stars', hundredKb(`Disallow: /${'*a'.repeat(40)}b$\n`)],
    ['rules that nearly match', hundredKb('Disallow: /*ab\n')],
    ['longer rules that nearly match', hundredKb('Disallow: /*aab\n')],
    ['rules that nearly match at their end', hundredKb(`Disallow: /*b${'a'.repeat(180)}\n`)],
    ['rules that nearly match in the middle', hundredKb(`Disallow: /*${'a'.repeat(90)}b${'a'.repeat(90)}\n`)],
    ['rules that are all stars', hundredKb(`Disallow: /${'*'.repeat(900)}b\n`)],
    ['a group that is named again and again', 'user-agent:*\n'.repeat(3_800) + 'allow:/a\n'.repeat(6_000)],
    ['letters that are written as bytes', hundredKb(`Disallow: /${'%41'.repeat(20)}\n`)],
  ])('100 KB of %s take little time', (_what, text) => {
    const path = `/${'a'.repeat(2_000)}`
    isAllowed(text, path)
    const spentMs = startCpuTimer()
    isAllowed(text, path)
    // Some 20 on a quiet machine, more on a busy one. With a library it was 1,100.
    expect(spentMs()).toBeLessThan(400)
  })
})
