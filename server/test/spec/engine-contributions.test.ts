// Compares the engine contributions on the Providers page with a recount from the providers' raw responses.

import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import type { EngineQuery, HitOf, Tab } from '@bowerbird/engines/engine.ts'
import { expect, it } from 'vitest'
import type { EngineContribution } from '../../src/search/contributions/contribution-ledger.ts'
import { canonicalAddress } from '../../src/text/canonical-address.ts'
import { eventually } from '../support/eventually.ts'
import { useTestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'
import { WITHOUT_RATE_LIMIT } from './without-upstream-rate-limit.ts'

/** By tab: every engine called. */
const ENGINES: Partial<Record<Tab, string[]>> = {
  web: ['brave', 'mojeek', 'marginalia', 'kagi'],
  news: ['brave', 'kagi'],
}
const SETTINGS: Readonly<Record<string, string>> = {
  ENGINE_A: 'web:brave news:brave',
  ENGINE_B: 'web:mojeek',
  ENGINE_C: 'web:marginalia',
  ENGINE_D: 'web:kagi news:kagi',
}

const server = useTestInstance({ ...WITHOUT_RATE_LIMIT, ...SETTINGS })

/** The URLs in a provider's response, fetched again directly from the provider. */
async function rawAddresses(slug: string, tab: Tab, text: string): Promise<Set<string>> {
  const engine = ALL_ENGINES.find((candidate) => candidate.slug === slug) ?? expect.unreachable(slug)
  const own = engine.tabs[tab] ?? expect.unreachable(tab)
  const query: EngineQuery = { text, page: 1, safe: true, date: undefined, lang: '', now: Date.now() }
  const settings = { baseUrl: '', apiKey: `sandbox-${slug}-key`, ...(slug === 'marginalia' && { apiKey: 'public' }) }
  const { path, method = 'GET', headers = {}, body } = own.request(query, settings)
  const reply = await fetch(server.sandbox.urlOf(slug) + path, { method, headers, ...(body !== undefined && { body }) })
  const { hits } = own.parse({ status: reply.status, headers: {}, body: await reply.text() }, query)
  return new Set((hits as HitOf[Tab][]).map(({ url }) => canonicalAddress(url)))
}

type Counts = Pick<EngineContribution, 'searches' | 'results' | 'returned' | 'alone' | 'calls'>

async function recount(searches: readonly (readonly [Tab, string])[]): Promise<Record<string, Counts>> {
  const counts: Record<string, Counts> = {}
  for (const [tab, text] of searches) {
    const replies = await Promise.all(
      (ENGINES[tab] ?? []).map(async (slug) => ({ slug, own: await rawAddresses(slug, tab, text) })),
    )
    const shown = new Set(replies.flatMap(({ own }) => [...own]))
    for (const { slug, own } of replies) {
      const others = new Set(replies.flatMap((reply) => (reply.slug === slug ? [] : [...reply.own])))
      const count = counts[slug] ?? { searches: 0, results: 0, returned: 0, alone: 0, calls: 0 }
      counts[slug] = count
      count.searches++
      count.calls++
      count.results += shown.size
      count.returned += own.size
      count.alone += [...own].filter((url) => !others.has(url)).length
    }
  }
  return counts
}

it('engine contributions equal a recount from their raw responses, and contain no query', async () => {
  const today = new Date().toISOString().slice(0, 10)
  const word = 'chrysanthemumbell'
  const searches = (['web', 'web', 'web', 'news'] as const).map(
    (tab) => [tab, decodeURIComponent(freshQuery(word))] as const,
  )
  for (const [tab, text] of searches) {
    const path = `/api/v1/${tab}/?q=${encodeURIComponent(text)}`
    expect((await server.api.get(path)).headers.get('search-status')).toBe('complete')
    // From the cache: not counted.
    await server.api.get(path)
  }
  const { contributions } = server.instance.services
  const counted = await contributions.readSince(today)
  const expected = await recount(searches)
  expect(Object.fromEntries(counted.map(({ engine, ...counts }) => [engine, counts]))).toMatchObject(expected)
  expect(counted.every(({ failures }) => failures === 0)).toBe(true)
  // The recount must not agree by chance: engines share some results, but not all.
  const brave = expected['brave'] ?? expect.unreachable('it was asked')
  expect(brave.alone).toBeGreaterThan(0)
  expect(brave.alone).toBeLessThan(brave.returned)
  const costOfBrave = async () =>
    (await contributions.readSince(today)).find(({ engine }) => engine === 'brave')?.micros
  expect(await eventually(async () => (await costOfBrave()) === 4 * 5_000, 15_000)).toBe(true)
  expect(JSON.stringify(counted)).not.toContain(word)
})
