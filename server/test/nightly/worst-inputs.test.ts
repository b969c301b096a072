// The texts from which `npm run fuzz` begins, for each surface: none costs much, and no cost grows faster than its text.
// The bounds are twice those of the fuzzer, which a slower machine could miss.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ALL_SURFACES } from '../../../tools/fuzz/all.ts'
import { readCorpus } from '../../../tools/fuzz/corpus.ts'
import { judge } from '../../../tools/fuzz/measure.ts'
import { loadSurface } from '../../../tools/fuzz/surface.ts'

const TOLERANCE = 2
const corpus = readCorpus()

describe.each(ALL_SURFACES)('$name', (declared) => {
  it('the worst texts known cost little, and at most linearly more when they are longer', async () => {
    const recipes = corpus.get(declared.name) ?? []
    expect(recipes).not.toEqual([])
    const surface = await loadSurface(declared)
    for (const recipe of recipes) {
      expect((await judge(surface, recipe, TOLERANCE)).fault, JSON.stringify(recipe)).toBeUndefined()
    }
  })
})

describe('what is too expensive', () => {
  const surface = {
    ...ALL_SURFACES[0],
    limit: 8_000,
    boundMs: 5,
    files: [],
    seeds: [],
    name: '',
    when: 'reply',
  } as const
  const recipe = [{ repeat: 'ab', share: 1 }]
  const faultWhen = async (run: (text: string) => unknown, boundMs = 5) => {
    const loaded = { ...surface, boundMs, load: async () => run, run }
    return (await judge(loaded, recipe)).fault
  }

  it('a quadratic cost is, even within its bound; a linear one is not', async () => {
    const quadratic = (text: string) => {
      let count = 0
      for (let at = 0; at < text.length; at += 20) for (const letter of text) if (letter === text[at]) count += 1
      return count
    }
    expect(await faultWhen(quadratic, 1e9)).toMatch(/more than linear/)
    const linear = (text: string) => {
      let count = 0
      for (let round = 0; round < 500; round += 1) for (const letter of text) if (letter === 'a') count += 1
      return count
    }
    expect(await faultWhen(linear, 1e9)).toBeUndefined()
  })

  it('a cost above its bound is', async () => {
    const slow = (text: string) => Array.from({ length: 50 }, () => Array.from(text).length)
    expect(await faultWhen(slow, 1)).toMatch(/ms for (?:only )?\d+ bytes/)
  })
})

describe('the security reference', () => {
  it('has the limit and the bound of each surface', () => {
    const page = readFileSync(resolve(import.meta.dirname, '../../../docs/security/README.md'), 'utf8')
    const section = /## What input may cost\n(.*?)\n## /s.exec(page)?.[1] ?? ''
    const rows = [...section.matchAll(/^\| ([^|]+) \| ([^|]+) \| ([\d,]+) \| ([\d,]+) \|$/gm)].map(
      ([, ...cells]) => cells,
    )
    const figure = (count: number) => count.toLocaleString('en')
    const expected = ALL_SURFACES.map(({ name, when, limit, boundMs }) => [
      name.startsWith('reply ') ? 'replies of engines and data sources' : name,
      when === 'reply' ? 'from providers' : when === 'page' ? 'from pages' : when,
      figure(limit),
      figure(boundMs),
    ])
    expect(rows).toEqual([...new Map(expected.map((row) => [row[0], row])).values()])
  })
})
