// `include=explain`: how the score of each result came about, only on request. The additions sum
// to the score, and the scores determine the order.
import { describe, expect, it } from 'vitest'
import { useTestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'
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

const server = useTestInstance({
  ...WITHOUT_RATE_LIMIT,
  ENGINE_D: 'searxng',
  ENGINE_A_WEIGHT: '2.5',
  ENGINE_D_WEIGHT: '0.3',
})

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
})
