import { describe, expect, it } from 'vitest'
import { type MonitoredProvider, monitoredProviders, withUniqueSlugs } from './monitored-providers.ts'

const bound = (slug: string) => ({ engine: { slug, name: slug.toUpperCase() } })
const named = (listed: ReturnType<typeof monitoredProviders>) => listed.map(({ slug, group }) => `${slug} ${group}`)

describe('the providers that are listed', () => {
  it('a provider of all tabs is the slot for the web and itself for the others, one entry each', () => {
    const brave = [bound('brave')]
    const slots = [{ name: 'engine_a', engines: { web: brave, images: brave, news: brave, videos: brave } }]
    expect(named(monitoredProviders(slots, brave))).toEqual([
      'engine_a web',
      'brave images',
      'brave news',
      'brave videos',
      'brave suggest',
    ])
  })

  it('an entry has the display name and the own slug of its provider, and is observed from searches', () => {
    expect(monitoredProviders([{ name: 'engine_b', engines: { web: [bound('mojeek')] } }], [])).toEqual([
      { provider: 'mojeek', slug: 'engine_b', name: 'MOJEEK', group: 'web', monitor: 'query' },
    ])
  })

  it('of several web providers of one slot the first goes by the name of the slot, the others by their own', () => {
    const slots = [{ name: 'engine_c', engines: { web: [bound('marginalia'), bound('searxng')] } }]
    expect(named(monitoredProviders(slots, []))).toEqual(['engine_c web', 'searxng web'])
  })

  it('the web comes first, each tab in slot order, suggestions last; a slot without providers is not listed', () => {
    const slots = [
      { name: 'engine_a', engines: { web: [bound('brave')], images: [bound('brave')] } },
      { name: 'engine_b', engines: {} },
      { name: 'engine_c', engines: { images: [bound('openverse')], web: [bound('marginalia')] } },
    ]
    expect(named(monitoredProviders(slots, [bound('wikipedia')]))).toEqual([
      'engine_a web',
      'engine_c web',
      'brave images',
      'openverse images',
      'wikipedia suggest',
    ])
  })

  it('a provider that two slots share has one entry beyond the web', () => {
    const shared = { web: [bound('searxng')], images: [bound('searxng')] }
    const slots = [
      { name: 'engine_a', engines: shared },
      { name: 'engine_b', engines: shared },
    ]
    expect(named(monitoredProviders(slots, []))).toEqual(['engine_a web', 'engine_b web', 'searxng images'])
  })
})

describe('the names of what is listed', () => {
  const source = (slug: string, group: string): MonitoredProvider => {
    return { provider: slug, slug, name: slug, group, monitor: 'probe' }
  }
  const brave = [bound('brave')]

  it('are the slot for the web, and the provider with its group where it serves several', () => {
    const slots = [{ name: 'engine_a', engines: { web: brave, images: brave, news: brave } }]
    const listed = [
      ...monitoredProviders(slots, [bound('wikipedia')]),
      source('wikipedia', 'cards'),
      source('ecb', 'currency'),
    ]
    expect(withUniqueSlugs(listed).map(({ slug }) => slug)).toEqual([
      'engine_a',
      'brave_images',
      'brave_news',
      'wikipedia_suggest',
      'wikipedia_cards',
      'ecb',
    ])
  })

  it('are the provider alone where it serves one group', () => {
    const slots = [
      { name: 'engine_c', engines: { web: [bound('marginalia'), bound('mojeek')], news: [bound('gdelt')] } },
    ]
    expect(withUniqueSlugs(monitoredProviders(slots, [])).map(({ slug }) => slug)).toEqual([
      'engine_c',
      'mojeek',
      'gdelt',
    ])
  })
})
