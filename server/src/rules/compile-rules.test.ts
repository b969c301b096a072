import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileRules, type OwnedRules } from './compile-rules.ts'
import { indexRules } from './rule-index.ts'
import { readPattern } from './rule-pattern.ts'
import type { RuleAction, RuleOwnerKind, SiteRule } from './site-rules.ts'

/** `block example.org`, or `rewrite a.example to.example`. */
const rule = (line: string): SiteRule => {
  const [action, pattern = '', to] = line.split(' ')
  return { action: action as SiteRule['action'], pattern, ...(to !== undefined && { to }) }
}
const rules = (owner: RuleOwnerKind, ...lines: string[]): OwnedRules => ({ owner, rules: lines.map(rule) })

const judged = async (address: string, ...lists: OwnedRules[]) => {
  const verdict = (await compileRules(lists)).verdictOf(address)
  return verdict && [verdict.action, verdict.pattern, verdict.owner]
}

describe('what a pattern holds for', () => {
  it.each([
    ['block example.org', 'https://example.org/', true],
    ['block example.org', 'http://www.a.example.org:8080/page', true],
    ['block example.org', 'https://EXAMPLE.org./', true],
    ['block example.org', 'https://notexample.org/', false],
    ['block example.org', 'https://example.org.elsewhere.example/', false],
    ['block *.example', 'https://anything.example/page', true],
    ['block *.example', 'https://example.org/', false],
    ['block xn--bcher-kva.example', 'https://bücher.example/', true],
    ['block 127.0.0.1', 'http://0x7f.1/', true],
    ['block example.org/shop/*', 'https://example.org/Shop/1', true],
    ['block example.org/shop/*', 'https://example.org/shop', true],
    ['block example.org/shop/*', 'https://a.example.org/shop/', true],
    ['block example.org/shop/*', 'https://example.org/shopping', false],
    ['block example.org/page', 'https://example.org/page#part', true],
    ['block example.org/page', 'https://example.org/page/2', false],
    ['block example.org/watch?v=*', 'https://example.org/watch?v=1', true],
    ['block example.org/*/private/*', 'https://example.org/a/b/private/c', true],
    ['block example.org', 'not an address', false],
  ])('%s, %s: %s', async (line, address, holds) => {
    expect((await judged(address, rules('person', line)))?.[0]).toBe(holds ? 'block' : undefined)
  })
})

describe('which rule counts', () => {
  it('of one owner, the closest: a path before a domain, a longer domain before a shorter, a longer path before a shorter', async () => {
    const lists = [
      rules('person', 'lower *.org', 'block example.org', 'raise docs.example.org'),
      rules('person', 'pin example.org/docs/*', 'lower example.org/docs/old/*'),
    ]
    expect(await judged('https://other.org/', ...lists)).toEqual(['lower', '*.org', 'person'])
    expect(await judged('https://example.org/', ...lists)).toEqual(['block', 'example.org', 'person'])
    expect(await judged('https://docs.example.org/', ...lists)).toEqual(['raise', 'docs.example.org', 'person'])
    expect(await judged('https://docs.example.org/docs/1', ...lists)).toEqual(['pin', 'example.org/docs/*', 'person'])
    expect(await judged('https://example.org/docs/old/1', ...lists)).toEqual([
      'lower',
      'example.org/docs/old/*',
      'person',
    ])
  })

  it("the instance's blocks come first, then the key's and the person's rules, then the instance's others", async () => {
    const instance = rules('instance', 'block a.example', 'raise b.example', 'raise c.example')
    const key = rules('key', 'pin a.example', 'lower b.example')
    const person = rules('person', 'raise a.example', 'pin b.example', 'block d.example')
    const all = [person, instance, key]
    expect(await judged('https://a.example/', ...all)).toEqual(['block', 'a.example', 'instance'])
    expect(await judged('https://b.example/', ...all)).toEqual(['lower', 'b.example', 'key'])
    expect(await judged('https://c.example/', ...all)).toEqual(['raise', 'c.example', 'instance'])
    expect(await judged('https://d.example/', ...all)).toEqual(['block', 'd.example', 'person'])
    expect(await judged('https://b.example/', person, instance)).toEqual(['pin', 'b.example', 'person'])
    expect(await judged('https://e.example/', ...all)).toBeUndefined()
  })

  it('an instance may keep a part of what it blocks', async () => {
    const instance = rules('instance', 'block a.example', 'raise good.a.example')
    expect(await judged('https://good.a.example/', instance)).toEqual(['raise', 'good.a.example', 'instance'])
  })

  it('of two lists of one owner that say the same as closely, the earlier', async () => {
    expect(await judged('https://a.example/', rules('key', 'pin a.example'), rules('key', 'block a.example'))).toEqual([
      'pin',
      'a.example',
      'key',
    ])
  })
})

describe('rewriting', () => {
  const rewritten = async (address: string, ...lists: OwnedRules[]) =>
    (await compileRules(lists)).verdictOf(address)?.rewritten

  it('shows another host, and leaves the rest of the address', async () => {
    const lists = [
      rules('person', 'rewrite videos.example front.example:3000'),
      rules('instance', 'rewrite b.example c.example'),
    ]
    expect(await rewritten('https://www.videos.example:8443/watch?v=1#t=2', ...lists)).toBe(
      'https://front.example:3000/watch?v=1#t=2',
    )
    expect(await rewritten('http://a.b.example/x', ...lists)).toBe('http://c.example/x')
    expect(await rewritten('https://example.org/', ...lists)).toBeUndefined()
  })

  it('goes with an action for the same site, whoever has it, and not with a block', async () => {
    const rewrite = rules('instance', 'rewrite a.example b.example')
    const raised = (await compileRules([rewrite, rules('person', 'raise a.example')])).verdictOf('https://a.example/')
    expect(raised).toEqual({ action: 'raise', pattern: 'a.example', owner: 'person', rewritten: 'https://b.example/' })
    const blocked = (await compileRules([rewrite, rules('person', 'block a.example')])).verdictOf('https://a.example/')
    expect(blocked?.rewritten).toBeUndefined()
    const alone = (await compileRules([rewrite])).verdictOf('https://a.example/')
    expect(alone).toEqual({
      action: undefined,
      pattern: 'a.example',
      owner: 'instance',
      rewritten: 'https://b.example/',
    })
  })
})

describe('a set of rules', () => {
  it('has the id of its content', async () => {
    const id = async (...lists: OwnedRules[]) => (await compileRules(lists)).id
    const one = await id(rules('person', 'block a.example'))
    expect(await id(rules('person', 'block a.example'), rules('key'))).toBe(one)
    const others = [
      rules('key', 'block a.example'),
      rules('person', 'raise a.example'),
      rules('person', 'block b.example'),
      rules('person', 'block a.example', 'block b.example'),
      rules('person', 'rewrite a.example b.example'),
    ]
    const ids = [one, ...(await Promise.all(others.map((list) => id(list))))]
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('shares the index of a long list with others', async () => {
    const index = await indexRules(Array.from({ length: 5_000 }, (_, at) => rule(`block site${at}.example`)))
    const set = await compileRules([{ owner: 'instance', rules: index }, rules('person', 'raise good.example')])
    expect(set.size).toBe(5_001)
    expect(set.verdictOf('https://a.site4999.example/')?.pattern).toBe('site4999.example')
    expect(set.verdictOf('https://site5000.example/')).toBeUndefined()
  })
})

/** The same by trying every rule, as the contract describes it. */
function slowAction(host: string, lists: readonly OwnedRules[]): RuleAction | undefined {
  const best = (owner: RuleOwnerKind) =>
    lists
      .filter((list) => list.owner === owner)
      .flatMap((list) => ('digest' in list.rules ? [] : [...list.rules]).reverse())
      .filter(({ pattern }) => host === pattern || host.endsWith(`.${pattern}`))
      .toSorted((one, other) => other.pattern.length - one.pattern.length)[0]?.action
  const [instance, key, person] = [best('instance'), best('key'), best('person')]
  const action = instance === 'block' ? instance : (key ?? person ?? instance)
  return action === 'rewrite' ? undefined : action
}

describe('look-ups', () => {
  it('agree with trying every rule', async () => {
    const host = fc
      .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 })
      .map((labels) => `${labels.join('.')}.example`)
    const anyRule = fc.record({
      pattern: host.filter((name) => readPattern(name) === name),
      action: fc.constantFrom('block', 'lower', 'raise', 'pin'),
    })
    const anyList = fc.record({ owner: fc.constantFrom('instance', 'person', 'key'), rules: fc.array(anyRule) })
    const oneEach = fc.uniqueArray(anyList, { selector: ({ owner }) => owner, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(oneEach, host, async (lists, name) => {
        const { verdictOf } = await compileRules(lists)
        expect(verdictOf(`https://${name}/page`)?.action).toBe(slowAction(name, lists))
      }),
    )
  })
})
