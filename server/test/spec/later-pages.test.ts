// A later page repeats nothing from an earlier, cached page of the same search, and needs no extra provider calls.

import { TABS } from '@bowerbird/engines/engine.ts'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { sandboxSettings } from '../../src/demo/sandbox-settings.ts'
import { createLog } from '../../src/log.ts'
import { startInstance } from '../../src/operate/start.ts'
import { readConfiguration, requireConfiguration } from '../../src/settings/configuration.ts'
import { canonicalAddress } from '../../src/text/canonical-address.ts'
import { type SharedInstance, shareInstance } from '../support/shared-instance.ts'
import { WITHOUT_RATE_LIMIT } from './without-upstream-rate-limit.ts'

const QUERIES = 3
const PAGES = 4

let server: SharedInstance
let key: string
beforeAll(async () => {
  server = await shareInstance()
  key = await server.createKey({ burst: '100000/min', sustained: '100000/day' })
})

const addressesOf = async (path: string): Promise<string[]> => {
  const { status, json } = await server.api.get(path, { key })
  expect(status).toBe(200)
  return json.results.map(({ url }: { url: string }) => canonicalAddress(url))
}

/** The engines that answered, according to Engine-Status. */
const askedIn = (headers: Headers): string[] =>
  (headers.get('engine-status') ?? '').split(', ').filter((report) => /;ok;/.test(report))

describe.each(TABS)('later pages of %s', (tab) => {
  it(`no URL repeats in ${QUERIES} queries, and each engine is called once per page`, async () => {
    for (let number = 0; number < QUERIES; number++) {
      const query = `${tab} garden ${number}`
      server.sandbox.reset()
      const seen = new Set<string>()
      let expected = 0
      for (let page = 1; page <= PAGES; page++) {
        const path = `/api/v1/${tab}/?q=${encodeURIComponent(query)}&page=${page}`
        const { json, headers } = await server.api.get(path, { key })
        expected += askedIn(headers).length
        const addresses: string[] = json.results.map(({ url }: { url: string }) => canonicalAddress(url))
        expect(addresses.filter((address) => seen.has(address))).toEqual([])
        for (const address of addresses) seen.add(address)
      }
      const calls = ['brave', 'mojeek', 'marginalia', 'openverse', 'hackernews', 'sepiasearch', 'crossref', 'codeberg']
      expect(calls.reduce((sum, slug) => sum + server.sandbox.callCount(slug), 0)).toBe(expected)
    }
  })
})

it('results that another node has shown are left out too', async () => {
  const configuration = requireConfiguration(
    readConfiguration({
      ...sandboxSettings((slug) => server.sandbox.urlOf(slug)),
      ...WITHOUT_RATE_LIMIT,
      DATABASE_URL: server.databaseUrl,
      REDIS_URL: server.redisUrl,
      PORT: '0',
    }),
  )
  const other = await startInstance(configuration, createLog('silent'))
  onTestFinished(() => other.close())
  const first = new Set(await addressesOf('/api/v1/web/?q=two+nodes'))
  const headers = { authorization: `Api-Key ${key}` }
  const reply = await fetch(`${other.url}/api/v1/web/?q=two+nodes&page=2`, { headers })
  const { results } = JSON.parse(await reply.text())
  expect(results.length).toBeGreaterThan(0)
  expect(results.filter(({ url }: { url: string }) => first.has(canonicalAddress(url)))).toEqual([])
})
