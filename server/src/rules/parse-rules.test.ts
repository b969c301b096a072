// Example lists are our own, in each format as its project documents it.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRules } from './parse-rules.ts'
import { writeRules } from './read-list.ts'
import { readPattern } from './rule-pattern.ts'
import type { RuleAction, SiteRule } from './site-rules.ts'

const parse = async (text: string, action: RuleAction = 'block') => {
  const { rules, problems } = await parseRules(text, action)
  return {
    rules: rules.map(({ action, pattern, to }) => [action, pattern, ...(to === undefined ? [] : [to])].join(' ')),
    lines: problems.map(({ line }) => line),
  }
}

describe('uBlacklist', () => {
  const LIST = `---
name: Nothing Worth Reading
description: Copies of other sites
license: CC0-1.0
---
# Copies of questions and answers
*://*.copies.example/*
*://answers.example/q/*   # only this part
https://mirror.example/*
@*://*.copies.example/*
@1*://*.handbook.example/*
@2 *://manual.example/*
/example\\.(net|org)/
title =~ /cheap/i
$category = "images" & host = "pictures.example"
*://*.shop.example/* @if(title*="sale")
@*://good.elsewhere.example/*
*://*/*
!path ^= "/docs/"
(title = "a" | title = "b")
<all_urls>
`
  it('reads match patterns, highlights and exceptions, and tells what it cannot', async () => {
    expect(await parse(LIST)).toEqual({
      rules: ['block answers.example/q/*', 'block mirror.example', 'raise handbook.example', 'raise manual.example'],
      lines: [13, 14, 15, 16, 17, 18, 19, 20, 21],
    })
  })

  it('says who publishes it and under which licence', async () => {
    const { publisher, licence } = await parseRules(LIST, 'block')
    expect([publisher, licence]).toEqual(['Nothing Worth Reading', 'CC0-1.0'])
  })

  it('does with its sites what its subscriber chose', async () => {
    expect((await parse('*://*.copies.example/*\n@1*://b.example/*', 'lower')).rules).toEqual([
      'lower copies.example',
      'raise b.example',
    ])
  })
})

describe("Brave's Goggles", () => {
  const LIST = `! name: Small sites
! description: More of the small ones
! public: true
! author: A. Gardener
! license: MIT

$boost=3,site=small.example
$boost,site=www.blog.example
$site=plain.example
$discard,site=spam.example
/Archive/$downrank=2,site=news.example
/forum/*/new^$boost,site=board.example
|https://docs.example/v1/$discard
/page.html|$discard,site=one.example
$discard
/r/anything/$boost=2
web3$intitle,discard
*rust*$boost=1,site=rs
/a^b/$discard,site=middle.example
/a|b/$discard,site=middle.example
`
  it('reads what is about a site, and tells the rest', async () => {
    expect(await parse(LIST)).toEqual({
      rules: [
        'raise small.example',
        'raise blog.example',
        'raise plain.example',
        'block spam.example',
        'lower news.example/archive/*',
        'raise board.example/forum/*/new/*',
        'raise board.example/forum/*/new?*',
        'block docs.example/v1/*',
        'block one.example/page.html',
        'raise *.rs/*rust*',
      ],
      lines: [15, 16, 17, 19, 20],
    })
    const { publisher, licence } = await parseRules(LIST, 'block')
    expect([publisher, licence]).toEqual(['A. Gardener', 'MIT'])
  })
})

describe("Kagi's words", () => {
  it('reads a site and what to do with it, in either order', async () => {
    const list =
      'domain,action\nspam.example,Block\n"dull.example","Lower"\ngood.example\tHigher\nPin best.example\nfine.example,Normal\nx.example,perhaps\n'
    expect(await parse(list)).toEqual({
      rules: ['block spam.example', 'lower dull.example', 'raise good.example', 'pin best.example'],
      lines: [7],
    })
  })
})

describe("SearXNG's hostnames.yml", () => {
  const LIST = String.raw`hostnames:
  # front ends
  replace:
    '(.*\.)?videos\.example$': 'front.example:3000'
    "^(www\\.)?short\\.example$": front.example
    '(.*\.)?chat(\..*)?$': 'other.example'
  remove:
    - '(.*\.)?spam\.example$'
    - (.*\.)?copies.example$ # without escapes
    - '(^|.*\.)mirrors\.example$'
    - '(.*\.)?open\.example'
    - '(a|a)*\.example$'
  high_priority:
    - '(?:.*\.)?handbook-one\.example$'
  low_priority:
    - 'news\.example$'
`
  it('reads expressions that are a domain, and tells the others', async () => {
    expect(await parse(LIST)).toEqual({
      rules: [
        'rewrite videos.example front.example:3000',
        'rewrite short.example front.example',
        'block spam.example',
        'block copies.example',
        'block mirrors.example',
        'raise handbook-one.example',
        'lower news.example',
      ],
      lines: [6, 11, 12],
    })
  })

  it('reads the section of before, in which false removes a site', async () => {
    const list = String.raw`hostname_replace:
  '(.*\.)?a\.example$': 'b.example'
  '(.*\.)?c\.example$': false`
    expect(await parse(list)).toEqual({ rules: ['rewrite a.example b.example', 'block c.example'], lines: [] })
  })

  it('reads a file of one section, which has no heading', async () => {
    const list = String.raw`- '(.*\.)?a\.example$'
- '(.*\.)?b\.example$'`
    expect(await parse(list, 'lower')).toEqual({ rules: ['lower a.example', 'lower b.example'], lines: [] })
    expect((await parse(String.raw`'(.*\.)?a\.example$': 'b.example'`)).rules).toEqual(['rewrite a.example b.example'])
  })
})

describe('lists of hosts', () => {
  it('reads hosts files', async () => {
    const list = `# Title: Advertising
# Homepage: https://lists.example
127.0.0.1 localhost localhost.localdomain
::1 ip6-localhost
0.0.0.0 0.0.0.0
0.0.0.0 ads.example # banners
0.0.0.0\tone.example two.example
`
    expect(await parse(list)).toEqual({
      rules: ['block ads.example', 'block one.example', 'block two.example'],
      lines: [],
    })
    expect((await parseRules(list, 'block')).publisher).toBe('Advertising')
  })

  it('reads plain domains, addresses and the domains of filter lists', async () => {
    const list = `[Adblock Plus]
! Licence: GPL-3.0
a.example
https://www.b.example/
*.c.example
||d.example^
bücher.example
@@||d.example^

no-site
`
    expect(await parse(list, 'lower')).toEqual({
      rules: [
        'lower a.example',
        'lower b.example',
        'lower c.example',
        'lower d.example',
        'lower xn--bcher-kva.example',
      ],
      lines: [8, 10],
    })
    expect((await parseRules(list, 'block')).licence).toBe('GPL-3.0')
  })

  it('reads lines that end as on Windows, and a byte order mark', async () => {
    expect(await parse('\uFEFFa.example\r\nb.example\r\n')).toEqual({
      rules: ['block a.example', 'block b.example'],
      lines: [],
    })
  })
})

const anyPattern = fc
  .tuple(fc.domain(), fc.constantFrom('', '', '/shop/*', '/a*b/c', '/page?id=*', '/*/x', '/a,b;c'))
  .map(([host, path]) => readPattern(`${host}${path}`))
  .filter((pattern) => pattern !== undefined)
const anyRule: fc.Arbitrary<SiteRule> = fc.oneof(
  fc.record({ pattern: anyPattern, action: fc.constantFrom('block', 'lower', 'raise', 'pin') }),
  fc.record({ pattern: anyPattern, action: fc.constant('rewrite'), to: fc.domain().map((host) => host.toLowerCase()) }),
)

describe('our own export', () => {
  it('is read as the same rules', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRule), async (rules) => {
        expect(await parseRules(writeRules(rules), 'pin')).toEqual({ rules, problems: [], publisher: '', licence: '' })
      }),
    )
  })
})

describe('hostile lists', () => {
  it('any text is read in bounded time, into rules whose patterns stay as they are', async () => {
    const piece = fc.constantFrom(
      '*://',
      '@',
      '$site=',
      '||',
      '^',
      'example.org',
      '/',
      '(.*\\.)?',
      '$',
      '- ',
      ': ',
      '0.0.0.0 ',
      '! ',
      '#',
      '\n',
      'block ',
      "'",
      '---',
    )
    const text = fc.array(fc.oneof(piece, fc.string({ unit: 'grapheme', maxLength: 5 })), { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(text, async (pieces) => {
        const { rules } = await parseRules(pieces.join(''), 'block')
        for (const { pattern } of rules) expect(readPattern(pattern)).toBe(pattern)
      }),
    )
  })

  it.each([
    ['one line of 10 MB', 'a'.repeat(10_000_000), [1]],
    ['more than 10 MB', 'a.example\n'.repeat(1_100_000), [0]],
    ['more than a million rules', 'a.co\n'.repeat(1_000_001), [0]],
  ])('%s is told', async (_, text, lines) => {
    expect(await parse(text)).toEqual({ rules: [], lines })
  })

  it('tells a hundred problems, and how many more there are', async () => {
    const { problems } = await parseRules('word\n'.repeat(5_000), 'block')
    expect(problems).toHaveLength(101)
    expect(problems.at(-1)).toEqual({ line: 0, words: "4900 more lines can't be read." })
  })

  it.each([
    ['catastrophic expressions', `/(a+)+$/\n- '(a*)*b\\.example$'\n`],
    ['endless white space', `block${' '.repeat(1_900)}x\n`],
    ['endless labels', `${'a.'.repeat(990)}example\n`],
    ['endless stars', `example.org/${'*a'.repeat(900)}\n`],
    ['endless options', `/x/$${'boost,'.repeat(300)}site=a\n`],
  ])('%s take no longer than other lines', async (_, line) => {
    const text = line.repeat(1_000)
    const started = process.cpuUsage()
    await parse(text)
    const { user, system } = process.cpuUsage(started)
    expect((user + system) / 1e6).toBeLessThan(2)
  })
})
