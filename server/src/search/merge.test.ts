import type { ImageHit, VideoHit, WebHit } from '@bowerbird/engines/engine.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalAddress } from '../text/canonical-address.ts'
import { explainHit } from './explain-hit.ts'
import { completeHit, mergeRankings, onlyKind, type Ranking } from './merge.ts'
import { webHit as hit } from './search.test-harness.ts'

const filler = (count: number, name: string): WebHit[] =>
  Array.from({ length: count }, (_, index) => hit(`https://${name}.example/${index}`))

const ranking = (slot: string, hits: WebHit[], weight = 1): Ranking => ({ slot, weight, hits })
const merge = (...rankings: Ranking[]) => mergeRankings(rankings)
const addresses = (...rankings: Ranking[]) => merge(...rankings).map((merged) => merged.hit.url)

const PAGE = 'https://example.org/page'

const videoHit = (own: Partial<VideoHit> = {}): VideoHit => ({
  kind: 'video',
  title: '',
  url: PAGE,
  publishedAt: 1,
  publisher: '',
  durationSeconds: undefined,
  thumbnailUrl: '',
  ...own,
})

describe('mergeRankings', () => {
  it('a page that two engines return ranks above one that a single engine ranks as high', () => {
    const order = addresses(
      ranking('engine_a', [hit('https://a.example/'), hit(PAGE)]),
      ranking('engine_b', [hit('https://b.example/'), hit(PAGE)]),
    )
    expect(order[0]).toBe(PAGE)
  })

  it('one ranking alone keeps its order', () => {
    const hits = filler(10, 'a')
    expect(addresses(ranking('engine_a', hits))).toEqual(hits.map(({ url }) => url))
  })

  it('a heavier slot wins against an earlier one', () => {
    const light = ranking('engine_a', [hit('https://a.example/')])
    const heavy = ranking('engine_b', [hit('https://b.example/')], 1.2)
    expect(addresses(light, heavy)).toEqual(['https://b.example/', 'https://a.example/'])
  })

  it('a tie goes to the earlier slot, whatever the order of the rankings', () => {
    const a = ranking('engine_a', [hit('https://a.example/')])
    const b = ranking('engine_b', [hit('https://b.example/')])
    expect(addresses(a, b)).toEqual(['https://a.example/', 'https://b.example/'])
    expect(addresses(b, a)).toEqual(['https://a.example/', 'https://b.example/'])
  })

  it('of equal scores, the page with the better single rank comes first', () => {
    const late = ranking('engine_a', [...filler(12, 'a'), hit('https://late.example/')], 25)
    const early = ranking('engine_b', [hit('https://early.example/')], 13)
    const tied = merge(late, early).filter(({ score }) => score === 1)
    expect(tied.map((merged) => merged.hit.url)).toEqual(['https://early.example/', 'https://late.example/'])
  })

  it('a page twice in one ranking counts once, at its first position', () => {
    const [merged, ...rest] = merge(ranking('engine_a', [hit('https://www.example.org/page/'), hit(PAGE)]))
    expect(rest).toEqual([])
    expect(merged?.contributions).toMatchObject([{ rank: 1, url: 'https://www.example.org/page/' }])
  })

  it('two providers of one slot both count, and the slot is listed once', () => {
    const [merged] = merge(
      ranking('engine_b', [hit(PAGE)]),
      ranking('engine_c', [hit(PAGE)]),
      ranking('engine_c', filler(1, 'c').concat(hit(PAGE))),
    )
    expect(merged?.slots).toEqual(['engine_b', 'engine_c'])
    expect(merged?.contributions.map(({ slot, rank }) => [slot, rank])).toEqual([
      ['engine_b', 1],
      ['engine_c', 1],
      ['engine_c', 2],
    ])
  })

  it('shows the text of the engine that ranked a page best, and fills gaps from the next best', () => {
    const third = hit(PAGE, {
      title: 'third',
      description: 'third',
      faviconUrl: 'https://third.example/',
      publishedAt: 3,
    })
    const first = hit(`${PAGE}/`, { title: 'first' })
    const sitelinks = [{ title: 'More', url: 'https://example.org/more' }]
    const second = hit(`${PAGE}#second`, { title: 'second', description: 'second', publishedAt: 0, sitelinks })
    const [merged] = merge(
      ranking('engine_a', [...filler(2, 'a'), third]),
      ranking('engine_b', [first]),
      ranking('engine_c', [...filler(1, 'c'), second]),
    )
    expect(merged?.hit).toEqual({
      kind: 'web',
      title: 'first',
      url: `${PAGE}/`,
      description: 'second',
      faviconUrl: 'https://third.example/',
      publishedAt: 0,
      sitelinks,
    })
  })

  it('of engines that rank a page alike, the earlier slot provides the text', () => {
    const b = ranking('engine_b', [hit(PAGE, { title: 'b' })])
    const a = ranking('engine_a', [hit(PAGE, { title: 'a' })])
    expect(merge(b, a)[0]?.hit.title).toBe('a')
  })

  it('shows the best of the addresses that the engines gave, whoever ranked the page best', () => {
    const [merged] = merge(
      ranking('engine_a', [hit('http://m.example.org/page?utm_source=a', { title: 'first' })]),
      ranking('engine_b', [hit('https://b.example/'), hit('https://example.org/page#part')]),
      ranking('engine_c', [hit('https://c.example/'), hit('https://c.example/2'), hit(PAGE)]),
    )
    expect([merged?.hit.title, merged?.hit.url]).toEqual(['first', PAGE])
    expect(merged?.contributions.map(({ url }) => url)).toContain('http://m.example.org/page?utm_source=a')
  })

  it('merging nothing gives nothing', () => {
    expect(merge()).toEqual([])
    expect(merge(ranking('engine_a', []))).toEqual([])
  })
})

const anyAddress = fc
  .tuple(
    fc.constantFrom('http://', 'https://', 'https://www.'),
    fc.integer({ min: 0, max: 12 }),
    fc.constantFrom('', '/'),
  )
  .map(([start, page, end]) => `${start}example.org/${page}${end}`)
const anyHits = fc.array(
  fc.record({ url: anyAddress, title: fc.string({ maxLength: 3 }) }).map(({ url, title }) => hit(url, { title })),
  { maxLength: 20 },
)
const anyWeight = fc.oneof(fc.constant(1), fc.double({ min: 0.01, max: 100, noNaN: true }))
const anyRankings = fc
  .array(fc.record({ weight: anyWeight, hits: anyHits }), { maxLength: 6 })
  .map((list) => list.map(({ weight, hits }, index) => ranking(`engine_${'abcdef'[index]}`, hits, weight)))

describe('explainHit', () => {
  it('lists every engine that returned the page, with its contribution', () => {
    const [merged] = merge(ranking('engine_a', [hit(PAGE)], 1.3), ranking('engine_b', [hit(`${PAGE}/`)], 2.6))
    const contribution = { index: 'unknown', rank: 1, weight_from: 'default' }
    expect(merged && explainHit(merged)).toEqual({
      score: 1.3 / 13 + 2.6 / 13,
      engines: [
        { ...contribution, engine: 'engine_a', weight: 1.3, addition: 1.3 / 13, url: PAGE },
        { ...contribution, engine: 'engine_b', weight: 2.6, addition: 2.6 / 13, url: `${PAGE}/` },
      ],
    })
  })

  it('ranks and URLs are those of the named engine', () => {
    fc.assert(
      fc.property(anyRankings, (rankings) => {
        for (const { engine, rank, weight, url } of merge(...rankings).flatMap(
          (merged) => explainHit(merged).engines,
        )) {
          const named = rankings.find(({ slot }) => slot === engine)
          expect(named?.hits[rank - 1]?.url).toBe(url)
          expect(named?.weight).toBe(weight)
        }
      }),
    )
  })
})

describe('every merge', () => {
  // `apply-rules.test.ts` has sums, order and arrival of any rankings.
  it('contains each page once, and none that no engine returned', () => {
    fc.assert(
      fc.property(anyRankings, (rankings) => {
        const returned = rankings.flatMap(({ hits }) => hits.map(({ url }) => canonicalAddress(url)))
        const merged = addresses(...rankings).map(canonicalAddress)
        expect(merged.toSorted()).toEqual([...new Set(returned)].sort())
      }),
    )
  })
})

it('of a paper that two engines found, the better ranked says what it knows, and the other the rest', () => {
  const page = hit(PAGE)
  const best = { authors: ['Ada Lovelace'], authorCount: 1, year: 2026 }
  const other = { authors: ['A. L.', 'E. N.'], authorCount: 2, venue: 'Journal', doi: '10.5555/a' }
  const merged = completeHit({ ...page, paper: best }, { ...page, paper: other })
  expect(merged).toHaveProperty('paper', { ...other, ...best })
  expect(completeHit(page, page)).not.toHaveProperty('paper')
})

it('a paper has the text of an engine that knows nothing else of papers, and the links of all', () => {
  const link = (title: string) => ({ title, url: `${PAGE}/${title}` })
  const plain = { ...hit(PAGE), description: 'About heat.', sitelinks: [link('PMC')] }
  const known = { ...hit(PAGE), paper: { year: 2026 }, sitelinks: [{ ...link('PMC'), url: PAGE }, link('PDF')] }
  expect(completeHit(plain, known)).toMatchObject({
    paper: { year: 2026, abstract: 'About heat.' },
    sitelinks: [link('PMC'), link('PDF')],
  })
  expect(completeHit(known, plain)).toHaveProperty('paper', { year: 2026, abstract: 'About heat.' })
})

it('a snippet of an engine that ranks a paper better does not replace its abstract', () => {
  const snippet = { ...hit(PAGE), description: 'Cited by 12 …' }
  const paper = { abstract: 'About heat.', year: 2026 }
  expect(completeHit(snippet, { ...hit(PAGE), paper })).toHaveProperty('paper', paper)
})

it('the larger still of a video is that of its own thumbnail', () => {
  const video = videoHit({ durationSeconds: 1 })
  const small = 'https://a.example/1.jpg'
  const large = { thumbnailUrl: 'https://b.example/1.jpg', previewUrl: 'https://b.example/2.jpg' }
  const merged = (thumbnailUrl: string) => completeHit({ ...video, thumbnailUrl }, { ...video, ...large })
  expect(merged(small)).not.toHaveProperty('previewUrl')
  expect(merged('')).toHaveProperty('previewUrl', large.previewUrl)
})

describe('a picture that two engines found', () => {
  const picture: ImageHit = { kind: 'image', title: 'Oak', url: PAGE, thumbnailUrl: 'https://a.example/t.jpg' }
  const licence = { name: 'CC0 1.0', url: '' }
  const merged = (best: Partial<ImageHit>, other: Partial<ImageHit>) =>
    completeHit({ ...picture, ...best }, { ...picture, thumbnailUrl: 'https://b.example/t.jpg', ...other })

  it('has of each what the other does not say', () => {
    expect(
      merged({ title: '', width: 9, height: 6 }, { imageUrl: 'https://a.example/1', creator: 'Ann', licence }),
    ).toEqual({
      ...picture,
      imageUrl: 'https://a.example/1',
      width: 9,
      height: 6,
      creator: 'Ann',
      licence,
    })
  })

  it('has nothing of another picture on the same page', () => {
    const best = { imageUrl: 'https://a.example/1' }
    expect(merged(best, { imageUrl: 'https://a.example/2', licence })).toEqual({ ...picture, ...best })
  })
})

it('has of a project and of a video what either engine says, the better-ranked one first', () => {
  const project = (software?: WebHit['software']) => hit(PAGE, software && { software })
  const both = completeHit(project({ stars: 2 }), project({ stars: 1, licence: 'MIT' }))
  expect(both).toHaveProperty('software', { stars: 2, licence: 'MIT' })
  expect(completeHit(project(), project({ stars: 1 }))).toHaveProperty('software', { stars: 1 })
  expect(completeHit(project(), project())).not.toHaveProperty('software')
  const video = videoHit()
  const other = { ...video, title: 'Oak', url: 'https://other.example', durationSeconds: 9, views: 3 }
  expect(completeHit(video, other)).toEqual({ ...video, title: 'Oak', durationSeconds: 9, views: 3 })
})

it('two pictures of one page stay two results, and the same picture twice is one', () => {
  const picture = (thumbnailUrl: string): ImageHit => ({
    kind: 'image',
    title: 't',
    url: 'https://gallery.example/',
    thumbnailUrl,
  })
  const rankings = [
    { slot: 'engine_a', weight: 1, hits: [picture('1'), picture('2'), picture('2')] },
    { slot: 'engine_b', weight: 1, hits: [picture('one'), picture('two')] },
  ]
  const merged = mergeRankings(rankings)
  expect(onlyKind(merged, 'image').map(({ hit, slots }) => [hit.thumbnailUrl, slots.length])).toEqual([
    ['1', 2],
    ['2', 2],
  ])
})
