// On a public site, visitors together spend a tenth of a provider's cap at most; the rest is for keys.
import { expect, it } from 'vitest'
import { useTestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'
import { WITHOUT_RATE_LIMIT } from './without-upstream-rate-limit.ts'

const CAP = 50
const OF_VISITORS = 5

const server = useTestInstance({
  ...WITHOUT_RATE_LIMIT,
  SITE_ACCESS: 'public',
  BRAVE_MONTHLY_CALLS: `${CAP}`,
  API_THROTTLE_BURST: '100000/min',
  API_THROTTLE_SUSTAINED: '1000000/day',
})

const calls = () => server.sandbox.callCount('brave')

it('visitors spend their share, and then find what the others have; keys spend the rest', async () => {
  const visit = async () => (await fetch(`${server.url}/search?q=${freshQuery()}`)).status
  for (let n = 0; n < 4; n++) {
    const statuses = await Promise.all(Array.from({ length: OF_VISITORS }, visit))
    expect(new Set(statuses)).toEqual(new Set([200]))
  }
  expect(calls()).toBe(OF_VISITORS)
  const search = async () => (await server.api.get(`/api/v1/web/?engine=engine_a&q=${freshQuery()}`)).status
  for (let n = OF_VISITORS; n < CAP; n += OF_VISITORS) {
    const statuses = await Promise.all(Array.from({ length: OF_VISITORS }, search))
    expect(new Set(statuses)).toEqual(new Set([200]))
  }
  expect([calls(), await search()]).toEqual([CAP, 503])
})
