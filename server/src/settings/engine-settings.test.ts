import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readConfiguration, requireConfiguration } from './configuration.ts'
import { type EngineWish, editsForEngine, freeSlots, placeOf } from './engine-settings.ts'

type Values = Record<string, string>

const DEFAULTS = requireConfiguration(readConfiguration({}))

const configure = (stored: Values = {}, env?: Values) =>
  requireConfiguration((env ? requireConfiguration(readConfiguration(env)) : DEFAULTS).withStored(stored))

interface Given {
  stored?: Values
  env?: Values
}

const editsOf = (slug: string, wish: EngineWish, { stored = {}, env }: Given = {}) =>
  editsForEngine(slug, wish, { configuration: configure(stored, env), stored })

const KAGI_KEY = { setting: 'KAGI_API_KEY', value: 'k' }

describe('the place of an engine', () => {
  it('is its slot, and a slot without engines is free', () => {
    expect(placeOf('brave', configure())).toEqual({ letters: ['A'], isOff: false, fixedBy: undefined })
    expect(placeOf('kagi', configure()).letters).toEqual([])
    expect(freeSlots(configure()).slice(0, 2)).toEqual(['D', 'E'])
    expect(freeSlots(configure({}, { ENGINE_D: 'kagi' }))[0]).toBe('E')
  })

  it('cannot be changed if the environment names it', () => {
    expect(placeOf('kagi', configure({}, { ENGINE_D: 'kagi' })).fixedBy).toBe('ENGINE_D')
    expect(placeOf('wikipedia', configure({}, { ENGINES_OFF: 'wikipedia' }))).toMatchObject({
      isOff: true,
      fixedBy: 'ENGINES_OFF',
    })
    expect(editsOf('kagi', { place: 'off' }, { env: { ENGINE_D: 'kagi' } })).toEqual({})
  })
})

describe('a form for one engine', () => {
  it('turns an engine off without touching its default slot, and on again', () => {
    const edits = editsOf('wikipedia', { place: 'off' })
    expect(edits).toEqual({ ENGINES_OFF: 'wikipedia' })
    expect(configure({ ENGINES_OFF: 'wikipedia' }).slots.get('engine_c')?.web).toEqual(['marginalia', 'hackernews'])
    expect(editsOf('wikipedia', { place: 'on' }, { stored: { ENGINES_OFF: 'wikipedia crates' } })).toEqual({
      ENGINES_OFF: 'crates',
    })
    expect(editsOf('wikipedia', { place: 'on' }, { stored: { ENGINES_OFF: 'wikipedia' } })).toEqual({
      ENGINES_OFF: undefined,
    })
  })

  it('puts an engine into the first free slot, or the one that was chosen', () => {
    expect(editsOf('wiby', { place: 'on' })).toEqual({ ENGINE_D: 'wiby' })
    expect(editsOf('wiby', { place: 'G', weight: '2' })).toEqual({ ENGINE_G: 'wiby', ENGINE_G_WEIGHT: '2' })
  })

  it('moves an engine, and takes an empty slot and its weight away', () => {
    const stored = { ENGINE_D: 'kagi', ENGINE_D_WEIGHT: '3' }
    expect(editsOf('kagi', { place: 'F' }, { stored })).toEqual({
      ENGINE_D: undefined,
      ENGINE_D_WEIGHT: undefined,
      ENGINE_F: 'kagi',
    })
    expect(editsOf('kagi', { place: 'F' }, { stored: { ENGINE_D: 'images:kagi wiby' } })).toEqual({
      ENGINE_D: 'wiby',
      ENGINE_F: 'kagi',
    })
  })

  it('a slot that gets its default back does not bring its default engine into use', () => {
    const edits = editsOf('kagi', { place: 'F' }, { stored: { ENGINE_A: 'kagi' } })
    expect(edits).toEqual({
      ENGINE_A: undefined,
      ENGINE_A_WEIGHT: undefined,
      ENGINE_F: 'kagi',
      ENGINES_OFF: 'brave',
    })
  })

  it('a first key puts an engine that is in no slot into one, unless it is turned off', () => {
    expect(editsOf('kagi', { key: KAGI_KEY, place: 'off' })).toEqual({ KAGI_API_KEY: 'k', ENGINE_D: 'kagi' })
    expect(editsOf('kagi', { key: KAGI_KEY }, { stored: { ENGINES_OFF: 'kagi' } })).toEqual({ KAGI_API_KEY: 'k' })
    const bound = { key: { setting: 'BRAVE_API_KEY', value: 'k' }, place: 'on' }
    expect(editsOf('brave', bound)).toEqual({ BRAVE_API_KEY: 'k' })
  })

  it('sets and removes caps and weights, and leaves alone what is the same or what the environment sets', () => {
    expect(editsOf('brave', { place: 'on', weight: '1', calls: '', usd: '20' })).toEqual({ BRAVE_MONTHLY_USD: '20' })
    const stored = { BRAVE_MONTHLY_USD: '20', ENGINE_A_WEIGHT: '2' }
    expect(editsOf('brave', { weight: '1', usd: '' }, { stored })).toEqual({
      BRAVE_MONTHLY_USD: undefined,
      ENGINE_A_WEIGHT: undefined,
    })
    expect(
      editsOf('brave', { usd: '5', weight: '2' }, { env: { BRAVE_MONTHLY_USD: '20', ENGINE_A_WEIGHT: '3' } }),
    ).toEqual({})
  })

  it('whatever is chosen one after another, each set is valid, and only that engine comes into use or goes out of it', () => {
    const slugs = ALL_ENGINES.filter(({ isPrivate, tabs }) => !isPrivate && Object.keys(tabs).length > 0).map(
      ({ slug }) => slug,
    )
    const choice = fc.record({
      slug: fc.constantFrom(...slugs.slice(0, 12), 'brave', 'mojeek', 'wikipedia'),
      place: fc.constantFrom('on', 'off', 'A', 'B', 'C', 'D', 'F'),
    })
    const inUse = (stored: Values) =>
      new Set([...configure(stored).slots.values()].flatMap((binding) => Object.values(binding).flat()))
    fc.assert(
      fc.property(fc.array(choice, { minLength: 3, maxLength: 6 }), (choices) => {
        let stored: Values = {}
        let before = inUse(stored)
        for (const { slug, place } of choices) {
          const next = { ...stored, ...editsOf(slug, { place }, { stored }) }
          stored = Object.fromEntries(
            Object.entries(next).filter((entry): entry is [string, string] => entry[1] !== undefined),
          )
          const after = inUse(stored)
          const changed = after.symmetricDifference(before)
          changed.delete(slug)
          expect([...changed]).toEqual([])
          expect(after.has(slug)).toBe(place !== 'off')
          before = after
        }
      }),
      { numRuns: 20 },
    )
  })
})
