// An instance with its defaults and no provider key answers every tab. The only settings are the addresses of the
// keyless providers, which are the sandbox instead of the internet.

import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { TABS } from '@bowerbird/engines/engine.ts'
import { describe, expect, it } from 'vitest'
import { useTestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'
import { WITHOUT_RATE_LIMIT } from './without-upstream-rate-limit.ts'

const needsKey = (settings: (typeof ALL_ENGINES)[number]['settings']) =>
  Object.values(settings).some(({ isSecret, fallback }) => isSecret && fallback === undefined)
const KEYED = ALL_ENGINES.filter(({ settings }) => needsKey(settings))

/** Removes every engine secret, and the address of engines that need one. */
const NO_KEYS = Object.fromEntries(
  [
    ...ALL_ENGINES.flatMap(({ settings }) =>
      Object.values(settings).flatMap(({ env, isSecret }) => (isSecret ? [env] : [])),
    ),
    ...KEYED.map(({ settings }) => settings.baseUrl.env),
  ].map((env) => [env, '']),
)

// The default binding, not the sandbox's.
const server = useTestInstance({ ...WITHOUT_RATE_LIMIT, ...NO_KEYS, ENGINE_C: '' })

/** The providers that serve a tab without a key. */
const SERVING = [
  ['web', ['wikipedia', 'marginalia', 'hackernews']],
  ['images', ['openverse']],
  ['news', ['hackernews']],
  ['videos', ['sepiasearch', 'mediathekview']],
  ['science', ['crossref', 'europepmc']],
  ['code', ['codeberg', 'crates']],
] as const

interface Listed {
  slug: string
  name: string
  group: string
  monitor: string
  state: string
}

/** Only the engines; data sources are listed too, and have their own tests. */
const providersListed = async (): Promise<Listed[]> => {
  const { json } = await server.api.get('/api/v1/status/')
  const groups = new Set([...TABS, 'suggest'])
  return json.providers.filter(({ group }: Listed) => groups.has(group))
}

describe('without any provider key', () => {
  it('engines that need one, at least six, are hidden', async () => {
    const hidden = KEYED.map(({ name }) => name)
    expect(hidden).toEqual(expect.arrayContaining(['Brave', 'Kagi', 'Mojeek', 'Pixabay', 'Staan', 'World News']))
    expect((await providersListed()).filter(({ name }) => hidden.includes(name))).toEqual([])
  })

  it('status/ lists only keyless providers, and none as down', async () => {
    const listed = await providersListed()
    expect(listed.map(({ slug, name, group }) => `${slug} ${group} ${name}`)).toEqual([
      'engine_c web Wikipedia',
      'marginalia web Marginalia',
      'hackernews_web web Hacker News',
      'openverse images Openverse',
      'hackernews_news news Hacker News',
      'sepiasearch videos Sepia Search',
      'mediathekview videos MediathekViewWeb',
      'crossref science Crossref',
      'europepmc science Europe PMC',
      'codeberg code Codeberg',
      'crates code crates.io',
      'wikipedia_suggest suggest Wikipedia',
      'duckduckgo suggest DuckDuckGo',
    ])
    for (const { state } of listed) expect(state).toBe('unknown')
  })

  it.each(SERVING)('%s is answered by %j, with results, and is complete', async (tab, slugs) => {
    for (const parameters of ['', '&safe=on', '&safe=off', '&lang=en', '&page=2']) {
      const { status, json, headers } = await server.api.get(`/api/v1/${tab}/?q=${freshQuery()}${parameters}`)
      expect([parameters, status, json.engine]).toEqual([parameters, 200, ['engine_c']])
      // Two providers may find much the same: then there are not many more results than one of them gave.
      expect(json.results.length).toBeGreaterThanOrEqual(5)
      expect(headers.get('search-status')).toBe('complete')
      // Results that don't match the filters are left out.
      expect(headers.get('engine-status')).toMatch(/^engine_c;ok;n=(?:10|[5-9]);ms=\d+/)
    }
    for (const slug of slugs) expect([slug, server.sandbox.callCount(slug) > 0]).toEqual([slug, true])
  })

  it.each(['d', 'w', 'm', 'y'])('web with date=%s asks the engine that honours dates, and no other', async (date) => {
    server.sandbox.reset()
    const { status, json, headers } = await server.api.get(`/api/v1/web/?q=${freshQuery()}&date=${date}`)
    expect([status, json.engine, headers.get('search-status')]).toEqual([200, ['engine_c'], 'complete'])
    expect(json.results.length).toBeGreaterThan(0)
    const asked = SERVING[0][1].filter((slug) => server.sandbox.callCount(slug) > 0)
    expect(asked).toEqual(['hackernews'])
  })

  it.each(['news'])(
    '%s has no provider for German: the slot is skipped and reported, and none is called',
    async (tab) => {
      server.sandbox.reset()
      const { status, json, headers } = await server.api.get(`/api/v1/${tab}/?q=${freshQuery()}&lang=de&safe=on`)
      expect([status, json.engine, json.results]).toEqual([200, [], []])
      expect(headers.get('search-status')).toBe('unsupported')
      expect(headers.get('engine-status')).toBe('engine_c;skipped;for=lang')
      expect(server.sandbox.callCount('marginalia') + server.sandbox.callCount('hackernews')).toBe(0)
    },
  )

  it('in the end every provider called is up, no other is listed, and none that needs a key was called', async () => {
    const { json } = await server.api.get(`/api/v1/suggest/?q=${freshQuery('clim')}`)
    expect(json.suggestions.length).toBeGreaterThan(3)
    for (const { slug, state } of await providersListed()) expect([slug, state]).toEqual([slug, 'up'])
    expect(await providersListed()).toHaveLength(13)
    for (const { slug } of KEYED) expect([slug, server.sandbox.callCount(slug)]).toEqual([slug, 0])
  })
})
