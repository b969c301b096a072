// `include=explain`: how the score of each result came about, only on request. The additions sum
// to the score, and the scores determine the order.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'
import { type ScriptedProvider, startScriptedProvider } from './scripted-provider.ts'
import { WITHOUT_RATE_LIMIT } from './without-upstream-rate-limit.ts'

const TABS = ['web', 'images', 'news', 'videos']
const WEIGHTS: Record<string, number> = { engine_a: 2.5, engine_b: 1, engine_c: 1, engine_d: 0.3 }

interface Contribution {
  engine: string
  rank: number
  weight: number
  weight_from: string
  addition: number
  url: string
}

interface Explained {
  url: string
  explain: { score: number; engines: Contribution[] }
}

let server: TestInstance
beforeAll(async () => {
  server = await startTestInstance({
    ...WITHOUT_RATE_LIMIT,
    ENGINE_D: 'searxng',
    ENGINE_A_WEIGHT: '2.5',
    ENGINE_D_WEIGHT: '0.3',
  })
})
afterAll(() => server.close())

const explained = async (tab: string, parameters = ''): Promise<Explained[]> => {
  const path = `/api/v1/${tab}/?q=${freshQuery()}&include=explain${parameters}`
  const { status, json } = await server.api.get(path)
  expect(status).toBe(200)
  expect(json.results.length).toBeGreaterThan(0)
  return json.results
}

describe.each(TABS)('%s', (tab) => {
  it('adds explain to each result, and changes nothing else', async () => {
    const q = freshQuery()
    const plain = await server.api.get(`/api/v1/${tab}/?q=${q}`)
    const more = await server.api.get(`/api/v1/${tab}/?q=${q}&include=explain`)
    const again = await server.api.get(`/api/v1/${tab}/?q=${q}`)
    const stripped = more.json.results.map(({ explain, ...result }: Explained) => {
      expect(Object.keys(explain)).toEqual(['score', 'engines'])
      return result
    })
    expect({ ...more.json, results: stripped }).toEqual(plain.json)
    expect(plain.text).not.toContain('"explain"')
    expect(again.text).toBe(plain.text)
  })

  it('lists for each engine that found the page its name, index, rank, weight and where that is from, addition and URL', async () => {
    for (const { explain } of await explained(tab)) {
      expect(explain.engines.length).toBeGreaterThan(0)
      for (const contribution of explain.engines) {
        const members = ['engine', 'index', 'rank', 'weight', 'weight_from', 'addition', 'url']
        expect(Object.keys(contribution)).toEqual(members)
        const isSet = ['engine_a', 'engine_d'].includes(contribution.engine)
        expect(contribution.weight_from).toBe(isSet ? 'setting' : 'default')
        expect(contribution.rank).toSatisfy((rank) => Number.isInteger(rank) && rank >= 1)
        expect(contribution.weight).toBe(WEIGHTS[contribution.engine])
        expect(contribution.url).toMatch(/^https?:\/\/./)
      }
      const names = explain.engines.map(({ engine }) => engine)
      expect(names).toEqual([...new Set(names)].sort())
    }
  })

  it('additions sum exactly to the score, and results are ordered by score', async () => {
    for (const page of [1, 2]) {
      const results = await explained(tab, `&page=${page}&safe=off`)
      for (const { explain } of results) {
        expect(explain.engines.reduce((sum, { addition }) => sum + addition, 0)).toBe(explain.score)
      }
      const scores = results.map(({ explain }) => explain.score)
      expect(scores).toEqual(scores.toSorted((one, other) => other - one))
      expect(results.some(({ explain }) => explain.engines.length > 1)).toBe(true)
    }
  })

  it('each rank of an engine belongs to one result, and the URL shown is one that an engine returned', async () => {
    const results = await explained(tab)
    const places = results.flatMap(({ explain }) => explain.engines.map(({ engine, rank }) => `${engine} ${rank}`))
    expect(new Set(places).size).toBe(places.length)
    for (const { url, explain } of results)
      expect(explain.engines.map((contribution) => contribution.url)).toContain(url)
  })

  it('an addition is larger for a better rank, and proportional to the weight', async () => {
    const contributions = (await explained(tab)).flatMap(({ explain }) => explain.engines)
    const share = new Map<number, number>()
    for (const { rank, weight, addition } of contributions) {
      const perWeight = share.get(rank) ?? addition / weight
      expect(addition / weight).toBeCloseTo(perWeight, 12)
      share.set(rank, perWeight)
    }
    const byRank = [...share].sort(([one], [other]) => one - other).map(([, perWeight]) => perWeight)
    expect(byRank.length).toBeGreaterThanOrEqual(10)
    expect(byRank).toEqual(byRank.toSorted((one, other) => other - one))
    expect(new Set(byRank).size).toBe(byRank.length)
  })

  it.each(['nosuch', 'explain,nosuch', 'explains', '__proto__'])('400: include=%s', async (include) => {
    const { status, json } = await server.api.get(`/api/v1/${tab}/?q=climate&include=${include}`)
    expect([status, Object.keys(json)]).toEqual([400, ['include']])
    expect(json.include[0]).toContain('explain')
  })

  it.each(['', '&include=', '&include=,'])('"%s" adds no explain', async (parameter) => {
    const { json } = await server.api.get(`/api/v1/${tab}/?q=climate${parameter}`)
    for (const result of json.results) expect(result).not.toHaveProperty('explain')
  })

  it('EXPLAIN, and a repeated explain, mean explain', async () => {
    for (const parameter of ['include=EXPLAIN', 'include=explain,explain', 'include=explain&include=explain']) {
      const { json } = await server.api.get(`/api/v1/${tab}/?q=climate&${parameter}`)
      for (const result of json.results) expect(result).toHaveProperty('explain')
    }
  })
})

describe('scripted rankings', () => {
  const SLUGS = ['brave', 'mojeek', 'marginalia', 'searxng'] as const
  let scripted: ScriptedProvider
  let weighed: TestInstance
  beforeAll(async () => {
    scripted = await startScriptedProvider()
    weighed = await startTestInstance({
      ...WITHOUT_RATE_LIMIT,
      ...scripted.settings(...SLUGS),
      ENGINE_A_WEIGHT: '3',
      ENGINE_C: 'marginalia searxng',
    })
  })
  afterAll(async () => {
    await weighed.close()
    await scripted.close()
  })

  const show = (rankings: Partial<Record<(typeof SLUGS)[number], string[]>>) => {
    for (const slug of SLUGS) scripted.show(slug, rankings[slug]?.map((url) => ({ title: 'A page', url })) ?? [])
  }
  const search = async (): Promise<Explained[]> =>
    (await weighed.api.get(`/api/v1/web/?q=${freshQuery()}&include=explain`)).json.results
  const votesOf = ({ explain }: Explained) =>
    explain.engines.map(({ engine, rank, weight, url }) => [engine, rank, weight, url])

  it('ENGINE_A_WEIGHT is shown, and affects the order', async () => {
    const [one, two] = ['https://www.one.example/?utm_source=a', 'https://two.example/']
    show({ brave: [one], mojeek: [two, 'http://one.example/'], marginalia: [two, 'http://one.example/'] })
    expect((await search()).map(votesOf)).toEqual([
      [
        ['engine_a', 1, 3, one],
        ['engine_b', 2, 1, 'http://one.example/'],
        ['engine_c', 2, 1, 'http://one.example/'],
      ],
      [
        ['engine_b', 1, 1, two],
        ['engine_c', 1, 1, two],
      ],
    ])
  })

  it('two providers in one slot are two additions under the name of the slot', async () => {
    const url = 'https://one.example/'
    show({ marginalia: [url], searxng: ['https://two.example/', url] })
    const [first] = await search()
    expect(first && votesOf(first)).toEqual([
      ['engine_c', 1, 1, url],
      ['engine_c', 2, 1, url],
    ])
  })

  it('for any rankings, additions sum exactly to the score, and results are ordered by score', async () => {
    const ranking = fc.uniqueArray(fc.nat(9), { maxLength: 10 })
    const rankings = fc.record({ brave: ranking, mojeek: ranking, marginalia: ranking, searxng: ranking })
    const check = async (numbers: Record<(typeof SLUGS)[number], number[]>) => {
      const urls = (of: number[]) => of.map((number) => `https://site.example/${number}`)
      show({
        brave: urls(numbers.brave),
        mojeek: urls(numbers.mojeek),
        marginalia: urls(numbers.marginalia),
        searxng: urls(numbers.searxng),
      })
      const results = await search()
      const scores = results.map(({ explain }) => explain.score)
      expect(scores).toEqual(scores.toSorted((one, other) => other - one))
      for (const { explain } of results) {
        expect(explain.engines.reduce((sum, { addition }) => sum + addition, 0)).toBe(explain.score)
      }
      const contributions = results.flatMap(({ explain }) => explain.engines)
      expect(contributions).toHaveLength(SLUGS.reduce((count, slug) => count + numbers[slug].length, 0))
      expect(new Set(results.map(({ url }) => url)).size).toBe(results.length)
    }
    await fc.assert(fc.asyncProperty(rankings, check), { numRuns: 60 })
  })
})

describe('other endpoints', () => {
  it('similar images and suggestions ignore include', async () => {
    for (const path of ['/api/v1/images/similar/?q=oak', '/api/v1/suggest/?q=clim']) {
      const [plain, more] = [await server.api.get(path), await server.api.get(`${path}&include=explain`)]
      expect([more.status, more.json]).toEqual([200, plain.json])
    }
  })
})
