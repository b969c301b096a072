import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { describe, expect, it } from 'vitest'
import { readConfiguration } from './configuration.ts'
import { keylessNames } from './slot-configuration.ts'

const read = (env: Record<string, string>) => {
  const { slots, verdict } = readConfiguration(env)
  return { slots: Object.fromEntries(slots), mistakes: verdict.ok ? [] : verdict.mistakes }
}

const FOUNDATIONS = {
  web: ['wikipedia', 'marginalia', 'hackernews'],
  images: ['openverse'],
  news: ['hackernews'],
  videos: ['sepiasearch', 'mediathekview'],
  science: ['crossref', 'europepmc'],
  code: ['codeberg', 'crates'],
}

describe('KEYLESS_ENGINES', () => {
  it('foundations is the default: no company gets queries without a contract', () => {
    const { slots, mistakes } = read({})
    expect(Object.keys(slots)).toEqual(['engine_a', 'engine_b', 'engine_c'])
    expect(slots['engine_c']).toEqual(FOUNDATIONS)
    expect(mistakes).toEqual([])
  })

  it('none: only engines that have a key', () => {
    expect(read({ KEYLESS_ENGINES: 'none' }).slots['engine_c']).toEqual({})
    expect(read({ KEYLESS_ENGINES: 'none' }).slots['engine_a']).toHaveProperty('web', ['brave'])
  })

  it('all: companies too', () => {
    const { slots } = read({ KEYLESS_ENGINES: 'all' })
    expect(slots['engine_c']).toEqual(FOUNDATIONS)
    expect(slots['engine_d']).toMatchObject({ web: ['youfree'], news: ['firecrawlfree'], videos: ['dailymotion'] })
    expect(slots['engine_e']).toEqual({
      web: ['stackexchange'],
      videos: ['niconico'],
      science: ['arxiv'],
      code: ['stackexchange', 'npm'],
    })
  })

  it('all: the set-up page names each company that then gets queries without a contract', () => {
    const bound = new Set(
      Object.values(read({ KEYLESS_ENGINES: 'all' }).slots).flatMap((slot) => Object.values(slot).flat()),
    )
    const companies = ALL_ENGINES.filter(({ slug, hasNoContract }) => hasNoContract && bound.has(slug))
    expect(companies.length).toBeGreaterThan(3)
    for (const { name } of companies) {
      expect(keylessNames().all).toContain(name)
    }
  })

  it('anything else is a mistake', () => {
    expect(read({ KEYLESS_ENGINES: 'some' }).mistakes).toEqual([
      { env: 'KEYLESS_ENGINES', message: expect.stringContaining('none') },
    ])
  })
})

describe('what the operator binds', () => {
  it('is taken out of the defaults', () => {
    const { slots, mistakes } = read({ ENGINE_D: 'marginalia videos:mediathekview' })
    expect(mistakes).toEqual([])
    expect(slots['engine_c']).toEqual({ ...FOUNDATIONS, web: ['wikipedia', 'hackernews'], videos: ['sepiasearch'] })
    expect(slots['engine_d']).toEqual({ web: ['marginalia'], videos: ['mediathekview'] })
  })

  it('twice is a mistake', () => {
    expect(read({ ENGINE_D: 'kagi', ENGINE_E: 'images:kagi' }).mistakes).toEqual([
      { env: 'ENGINE_E', message: 'binds kagi to images, but ENGINE_D already does.' },
    ])
  })

  it('is never private: that belongs in MINE', () => {
    for (const access of ['users', 'public']) {
      expect(read({ ENGINE_D: 'mwmbl karakeep', SITE_ACCESS: access }).mistakes).toEqual([
        { env: 'ENGINE_D', message: 'names karakeep, which finds private things. Name it in MINE instead.' },
      ])
    }
  })

  it('replaces a default slot as a whole', () => {
    expect(read({ ENGINE_C: 'openverse' }).slots['engine_c']).toEqual({ images: ['openverse'] })
  })

  it('each choice names the engines that it adds', () => {
    const { none, foundations, all } = keylessNames()
    expect(none).toEqual([])
    expect(foundations).toEqual(expect.arrayContaining(['Wikipedia', 'Marginalia', 'Openverse']))
    expect(all).toEqual(expect.arrayContaining(['You.com (keyless)', 'Dailymotion']))
    expect([...foundations, ...all]).not.toContain('Brave')
    expect(new Set([...foundations, ...all]).size).toBe(foundations.length + all.length)
  })
})

describe('MINE', () => {
  const KARAKEEP = { KARAKEEP_URL: 'http://10.0.0.7:3000', KARAKEEP_API_KEY: 'k' }
  const configurationWith = (env: Record<string, string>) => {
    const { verdict } = readConfiguration(env)
    return verdict.ok ? verdict.value : expect.unreachable(JSON.stringify(verdict.mistakes))
  }

  it('is empty by default, and then no private engine is called', () => {
    const { mine, engines } = configurationWith(KARAKEEP)
    expect([mine, engines.has('karakeep')]).toEqual([[], false])
  })

  it('names private engines, which are in no slot, on a public site too', () => {
    const { mine, engines, slots } = configurationWith({
      ...KARAKEEP,
      MINE: 'Karakeep karakeep',
      SITE_ACCESS: 'public',
    })
    expect([mine, engines.has('karakeep')]).toEqual([['karakeep'], true])
    expect([...slots.values()].flatMap((binding) => Object.values(binding).flat())).not.toContain('karakeep')
  })

  it.each(['brave', 'karakeep brave', 'nonsense', 'web:karakeep'])('refuses %s', (written) => {
    expect(read({ ...KARAKEEP, MINE: written }).mistakes).toEqual([
      {
        env: 'MINE',
        message: expect.stringMatching(/^must only contain engines that find private things: .*karakeep/),
      },
    ])
  })

  it('an engine that lacks a setting is hidden, and `bowerbird config` says what it lacks', () => {
    const { hidden, verdict } = readConfiguration({ MINE: 'karakeep' })
    expect(verdict.ok).toBe(true)
    expect(hidden.find(({ slug }) => slug === 'karakeep')?.missing).toEqual(
      expect.arrayContaining(['KARAKEEP_URL', 'KARAKEEP_API_KEY']),
    )
  })
})

describe('ENGINES_OFF', () => {
  const readStored = (env: Record<string, string>, stored: Record<string, string>) => {
    const { verdict } = readConfiguration(env)
    if (!verdict.ok) throw new Error('the environment has mistakes')
    return Object.fromEntries(verdict.value.withStored(stored).slots)
  }

  it('leaves an engine out of every slot, by default or named', () => {
    const { slots } = read({ ENGINES_OFF: 'wikipedia kagi', ENGINE_D: 'kagi' })
    expect(slots['engine_c']).toEqual({ ...FOUNDATIONS, web: ['marginalia', 'hackernews'] })
    expect(slots['engine_d']).toEqual({})
  })

  it('in the database, reaches the slots that are stored or by default, but none that the environment sets', () => {
    const slots = readStored({ ENGINE_A: 'kagi' }, { ENGINES_OFF: 'kagi exa wikipedia', ENGINE_D: 'exa' })
    expect(slots['engine_a']).toHaveProperty('web', ['kagi'])
    expect([slots['engine_d'], slots['engine_c']?.web]).toEqual([{}, ['marginalia', 'hackernews']])
  })

  it('an engine that does not exist is a mistake: a typing error would leave one on', () => {
    expect(read({ ENGINES_OFF: 'wikpedia' }).mistakes).toEqual([
      { env: 'ENGINES_OFF', message: expect.stringContaining('unknown engine') },
    ])
  })
})
