import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { TABS } from '@bowerbird/engines/engine.ts'
import { describe, expect, it } from 'vitest'
import { type BoundSlots, coverageOf } from './coverage.ts'
import { catalogueOf } from './engine-catalogue.ts'
import { planSearch, type Slot } from './plan.ts'

const BOUND: BoundSlots = {
  engines: ALL_ENGINES,
  slots: new Map([
    ['engine_a', { web: ['brave'], news: ['brave'] }],
    ['engine_c', { web: ['wikipedia', 'marginalia', 'keenablefree'], videos: ['mediathekview'] }],
  ]),
  missingOf: new Map([['brave', ['BRAVE_API_KEY']]]),
}
const QUESTION = { languages: ['', 'de', 'fr'], safe: true, date: undefined }

describe('coverage', () => {
  const cell = (tab: string, lang: string, question = QUESTION) =>
    coverageOf(BOUND, question).find((candidate) => candidate.tab === tab && candidate.lang === lang)

  it('has every tab and language, and in each every engine with that tab exactly once, but no private one', () => {
    const cells = coverageOf(BOUND, QUESTION)
    expect(cells).toHaveLength(TABS.length * 3)
    for (const { tab, asked, others } of cells) {
      const named = [...asked, ...others].map(({ engine }) => engine)
      expect(named.sort()).toEqual(
        ALL_ENGINES.filter(({ tabs, isPrivate }) => tab in tabs && !isPrivate).map(({ slug }) => slug),
      )
    }
  })

  it('lists the queried engines, in the order of the slots, and why the others are not queried', () => {
    expect(cell('web', '')?.asked).toEqual([
      { slot: 'engine_c', engine: 'wikipedia' },
      { slot: 'engine_c', engine: 'marginalia' },
    ])
    expect(cell('web', 'de')?.asked).toEqual([{ slot: 'engine_c', engine: 'wikipedia' }])
    const others = new Map(cell('web', 'de')?.others.map((absence) => [absence.engine, absence]))
    expect(others.get('brave')).toMatchObject({ reason: 'key', missing: ['BRAVE_API_KEY'] })
    expect(others.get('marginalia')).toMatchObject({ reason: 'lang', missing: [] })
    expect(others.get('keenablefree')).toMatchObject({ reason: 'safe' })
    expect(others.get('kagi')).toMatchObject({ reason: 'unbound' })
    expect(cell('videos', 'de')?.asked).toHaveLength(1)
    expect(cell('videos', 'fr')?.asked).toEqual([])
  })

  it('agrees with the plan of a search', () => {
    const bound = (slug: string) => {
      const engine = ALL_ENGINES.find((candidate) => candidate.slug === slug) ?? expect.unreachable(slug)
      return { engine, settings: { baseUrl: '' }, ask: () => Promise.reject(new Error('nobody is asked')) }
    }
    const slots: Slot[] = [
      { name: 'engine_c', weight: 1, engines: { web: ['wikipedia', 'marginalia', 'keenablefree'].map(bound) } },
    ]
    for (const lang of QUESTION.languages) {
      for (const safe of [true, false]) {
        const { asks } = planSearch('web', slots, { text: 'a', engines: [], safe, lang, page: 1, date: undefined })
        const asked = cell('web', lang, { ...QUESTION, safe })?.asked.map(({ engine }) => engine)
        expect(asked).toEqual(asks.map(({ bound: { engine } }) => engine.slug))
      }
    }
  })
})

describe('the catalogue', () => {
  it('says of every engine whether it is on, what it lacks and who filters', () => {
    const entries = new Map(catalogueOf(BOUND).map((entry) => [entry.slug, entry]))
    expect(entries.size).toBe(ALL_ENGINES.length)
    expect(entries.get('brave')).toMatchObject({ state: 'hidden', slots: ['engine_a'], needs: ['BRAVE_API_KEY'] })
    expect(entries.get('wikipedia')).toMatchObject({ state: 'on', slots: ['engine_c'], needs: [] })
    expect(entries.get('kagi')).toMatchObject({ state: 'unbound', slots: [], missing: [] })
    expect(entries.get('wikipedia')?.tabs[0]?.filters).toEqual({ safe: 'nature', lang: 'provider' })
    expect(entries.get('mediathekview')?.tabs[0]?.filters).toMatchObject({ date: 'bowerbird' })
    expect(entries.get('jina')?.tabs.map(({ pricePerCallMicros }) => pricePerCallMicros)).toEqual([500, 2500, 2500])
    expect(entries.get('youfree')?.hasNoContract).toBe(true)
  })
})
