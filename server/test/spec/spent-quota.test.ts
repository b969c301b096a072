// A provider with a free daily quota: once it is used up the provider isn't called, the others answer, and both clients
// and administrators are told.
import { expect, it } from 'vitest'
import { useTestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'
import { WITHOUT_RATE_LIMIT } from './without-upstream-rate-limit.ts'

const FREE_CALLS = 100
const AT_ONCE = 10

// Only its own limits: a rate set by the operator would replace its quota.
const server = useTestInstance({ ...WITHOUT_RATE_LIMIT, YOUFREE_RATE_LIMIT: undefined, ENGINE_D: 'youfree' })

const search = (engine = 'all') => server.api.get(`/api/v1/web/?engine=${engine}&q=${freshQuery()}`)
const spent = () => server.instance.services.current().engines.spentQuotas()
const calls = () => server.sandbox.callCount('youfree')

it('a provider gets exactly its daily quota of calls; then the others answer, and it is reported', async () => {
  expect(await spent()).toEqual([])
  for (let made = 0; made < FREE_CALLS; made += AT_ONCE) {
    const replies = await Promise.all(Array.from({ length: AT_ONCE }, () => search('engine_d')))
    expect(replies.map(({ status }) => status)).toEqual(Array(AT_ONCE).fill(200))
  }
  const { status, headers, json } = await search()
  expect([status, headers.get('search-status')]).toEqual([200, 'partial'])
  expect(headers.get('engine-status')).toMatch(/engine_a;ok.*engine_d;budget/)
  expect(json.engine).not.toContain('engine_d')
  const alone = await search('engine_d')
  expect([alone.status, calls()]).toEqual([503, FREE_CALLS])
  expect(Number(alone.headers.get('retry-after'))).toBeGreaterThan(80_000)
  expect(alone.json.detail).toMatch(/^The budget for every search engine is used up until \d{4}-\d\d-\d\d /)
  const [quota] = await spent()
  expect(quota).toMatchObject({ slug: 'youfree', calls: FREE_CALLS })
  expect(quota?.waitMs).toBeGreaterThan(80_000_000)
})
