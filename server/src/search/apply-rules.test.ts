import type { Hit, ImageHit, NewsHit, VideoHit, WebHit } from '@bowerbird/engines/engine.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileRules } from '../rules/compile-rules.ts'
import type { RuleSet, SiteRule } from '../rules/site-rules.ts'
import { applyRules } from './apply-rules.ts'
import { explainHit } from './explain-hit.ts'
import { type MergedHit, mergeRankings, pageAddress, type Ranking } from './merge.ts'
import { webHit as hit } from './search.test-harness.ts'

const ranking = (slot: string, urls: (string | WebHit)[], weight = 1): Ranking => ({
  slot,
  weight,
  hits: urls.map((one) => (typeof one === 'string' ? hit(one) : one)),
})

const rulesOf = (...lines: string[]): Promise<RuleSet> =>
  compileRules([
    {
      owner: 'person',
      rules: lines.map((line) => {
        const [action, pattern = '', to] = line.split(' ')
        return { action: action as SiteRule['action'], pattern, ...(to !== undefined && { to }) }
      }),
    },
  ])

const shape = (rankings: readonly Ranking[], { rules, preferDomains }: { rules?: RuleSet; preferDomains?: string[] }) =>
  applyRules(mergeRankings(rankings), rankings, { rules, preferDomains })
const addresses = (results: readonly MergedHit[]) => results.map((merged) => merged.hit.url)

const A = 'https://a.example/'
const B = 'https://b.example/'
const C = 'https://c.example/'
const D = 'https://d.example/'

describe('order', () => {
  const alone = [ranking('engine_a', [A, B, C, D])]

  it('pins, raises and lowers', async () => {
    const { results } = shape(alone, { rules: await rulesOf('pin d.example', 'raise c.example', 'lower a.example') })
    expect(addresses(results)).toEqual([D, C, B, A])
  })

  it('a pinned page comes before one that is raised and preferred, however many engines agree', async () => {
    const rankings = [ranking('engine_a', [A, B], 3), ranking('engine_b', [A, B]), ranking('engine_c', [A, C], 0.2)]
    const rules = await rulesOf('raise a.example', 'pin c.example')
    expect(addresses(shape(rankings, { rules, preferDomains: ['a.example'] }).results)[0]).toBe(C)
  })

  it('preferred domains rank higher, with their subdomains', () => {
    const rankings = [ranking('engine_a', [A, B, 'https://www.docs.c.example/1'])]
    expect(addresses(shape(rankings, { preferDomains: ['c.example'] }).results)).toEqual([
      'https://www.docs.c.example/1',
      A,
      B,
    ])
  })
})

describe('blocked sites', () => {
  it('are left out and counted', async () => {
    const { results, blocked } = shape([ranking('engine_a', [A, B, C])], { rules: await rulesOf('block b.example') })
    expect([addresses(results), blocked]).toEqual([[A, C], 1])
  })

  it('are recognised by any address that an engine gave', async () => {
    const rankings = [ranking('engine_a', ['https://x.com/1']), ranking('engine_b', ['https://twitter.com/1', B])]
    const { results, blocked } = shape(rankings, { rules: await rulesOf('block twitter.com') })
    expect([addresses(results), blocked]).toEqual([[B], 1])
  })

  it('are not linked from other results, nor shown in their pictures', async () => {
    const sitelinks = [
      { title: 'bad', url: B },
      { title: 'good', url: C },
    ]
    const rankings = [ranking('engine_a', [hit(A, { sitelinks, faviconUrl: 'https://b.example/icon.png' })])]
    const rules = await rulesOf('block b.example')
    const { results } = shape(rankings, { rules })
    expect(results[0]?.hit).toMatchObject({ sitelinks: [{ title: 'good', url: C }], faviconUrl: '' })
    expect(rankings[0]?.hits[0]).toMatchObject({ sitelinks })

    const thumbnailUrl = 'https://cdn.b.example/1.jpg'
    const news: NewsHit = {
      kind: 'news',
      title: '',
      url: A,
      description: '',
      publishedAt: 1,
      publisher: '',
      thumbnailUrl,
    }
    expect(shapeOne(news, rules)?.hit).toEqual({ ...news, thumbnailUrl: '' })
    const film = { kind: 'video', title: '', url: A, publishedAt: 1, publisher: '', durationSeconds: 1 } as const
    const video: VideoHit = { ...film, thumbnailUrl, previewUrl: thumbnailUrl }
    expect(shapeOne(video, rules)?.hit).toEqual({ ...film, thumbnailUrl: '' })
    const picture: ImageHit = {
      kind: 'image',
      title: '',
      url: A,
      thumbnailUrl: 'https://a.example/1.jpg',
      imageUrl: thumbnailUrl,
    }
    expect(shapeOne(picture, rules)).toBeUndefined()
  })

  it('are not where the DOI of a paper leads', async () => {
    const paper = { doi: '10.5555/heat.1', year: 2026 }
    const rankings = [ranking('engine_a', [hit(A, { paper })])]
    const hitUnder = async (rule: string) => shape(rankings, { rules: await rulesOf(rule) }).results[0]?.hit
    expect(await hitUnder('block b.example')).toHaveProperty('paper', paper)
    expect(await hitUnder('block doi.org')).toHaveProperty('paper', { year: 2026 })
  })
})

function shapeOne(one: Hit, rules: RuleSet) {
  const rankings: Ranking[] = [{ slot: 'engine_a', weight: 1, hits: [one] }]
  return applyRules(mergeRankings(rankings), rankings, { rules }).results[0]
}

describe('rewritten addresses', () => {
  it('are shown, while the page stays what is read and its icon stays its own', async () => {
    const sitelinks = [{ title: 'more', url: 'https://a.example/more' }]
    const rankings = [ranking('engine_a', [hit('https://a.example/page', { sitelinks })])]
    const [merged] = shape(rankings, { rules: await rulesOf('rewrite a.example front.example') }).results
    expect(merged?.hit).toMatchObject({
      url: 'https://front.example/page',
      faviconUrl: 'https://a.example/favicon.ico',
      sitelinks: [{ title: 'more', url: 'https://front.example/more' }],
    })
    expect(merged && pageAddress(merged)).toBe('https://a.example/page')
    expect(merged && explainHit(merged)).not.toHaveProperty('adjustments')
  })
})

describe('explain', () => {
  it('says what rules and preferred domains added', async () => {
    const rankings = [ranking('engine_a', [A], 1.3), ranking('engine_b', [A], 2.6)]
    const [merged] = shape(rankings, { rules: await rulesOf('lower a.example'), preferDomains: ['a.example'] }).results
    const base = 1.3 / 13 + 2.6 / 13
    expect(merged && explainHit(merged)).toMatchObject({
      score: base + base * -0.75 + base,
      adjustments: [
        { by: 'rule', action: 'lower', pattern: 'a.example', owner: 'person', addition: base * -0.75 },
        { by: 'prefer_domains', action: 'prefer', pattern: 'a.example', addition: base },
      ],
    })
  })
})

const HOSTS = ['a.example', 'b.example', 'c.a.example', 'd.org']
const anyAddress = fc
  .tuple(
    fc.constantFrom('http://', 'https://', 'https://www.'),
    fc.constantFrom(...HOSTS),
    fc.integer({ min: 0, max: 5 }),
  )
  .map(([start, host, page]) => `${start}${host}/${page}`)
const anyRankings = fc
  .array(
    fc.record({
      weight: fc.oneof(fc.constant(1), fc.double({ min: 0.01, max: 100, noNaN: true })),
      urls: fc.array(anyAddress, { maxLength: 15 }),
    }),
    { maxLength: 5 },
  )
  .map((list) => list.map(({ weight, urls }, at) => ranking(`engine_${'abcde'[at]}`, urls, weight)))
const anyRule: fc.Arbitrary<SiteRule> = fc.oneof(
  fc.record({
    pattern: fc.constantFrom(...HOSTS, '*.org', 'a.example/1', 'b.example/*'),
    action: fc.constantFrom('block', 'lower', 'raise', 'pin'),
  }),
  fc.record({ pattern: fc.constantFrom(...HOSTS), action: fc.constant('rewrite'), to: fc.constant('front.example') }),
)
const anyWishes = fc.record({
  list: fc.array(anyRule, { maxLength: 6 }),
  preferDomains: fc.option(fc.subarray(HOSTS, { minLength: 1 }), { nil: undefined }),
})

describe('whatever is wished', () => {
  it('explain adds up to the last bit, scores give the order, and arrival changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyRankings,
        anyWishes,
        fc.infiniteStream(fc.nat()),
        async (rankings, { list, preferDomains }, random) => {
          const rules = await compileRules([{ owner: 'key', rules: list }])
          const wishes = { rules, ...(preferDomains && { preferDomains }) }
          const { results, blocked } = shape(rankings, wishes)
          for (const merged of results) {
            const { score, engines, adjustments = [] } = explainHit(merged)
            expect([...engines, ...adjustments].reduce((sum, { addition }) => sum + addition, 0)).toBe(score)
            for (const { url } of merged.contributions) expect(rules.verdictOf(url)?.action).not.toBe('block')
          }
          const scores = results.map(({ score }) => score)
          expect(scores).toEqual(scores.toSorted((one, other) => other - one))
          expect(results.length + blocked).toBe(mergeRankings(rankings).length)
          const arrived = rankings
            .map((one) => ({ one, at: random.next().value }))
            .sort((one, other) => one.at - other.at)
            .map(({ one }) => one)
          expect(shape(arrived, wishes)).toEqual({ results, blocked })
        },
      ),
    )
  })

  it('without wishes, or with none that concerns them, the results are the very same', async () => {
    const other = await rulesOf('block elsewhere.example', 'pin *.com', 'rewrite x.example y.example')
    fc.assert(
      fc.property(anyRankings, (rankings) => {
        const merged = mergeRankings(rankings)
        expect(applyRules(merged, rankings, { rules: undefined }).results).toBe(merged)
        expect(applyRules(merged, rankings, { rules: other, preferDomains: ['elsewhere.example'] }).results).toBe(
          merged,
        )
      }),
    )
  })
})
