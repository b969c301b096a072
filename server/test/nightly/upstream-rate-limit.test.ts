// Fifty concurrent searches for places, with a geocoder that bans clients calling more than once a second. Two nodes
// share its rate limit: searches that fit before the deadline are served; the others get a Retry-After.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import type { ApiReply } from '../support/api-client.ts'
import { type Cluster, startCluster, UNLIMITED } from '../support/cluster.ts'

const CROWD = 50
const DEADLINE_MS = 4_500
const SETTINGS = { NOMINATIM_RATE_LIMIT: '1/s', SEARCH_TIMEOUT_MS: String(DEADLINE_MS), PROBE_SECONDS: '3600' }

interface Answered extends ApiReply {
  turn: number
}

let cluster: Cluster
afterEach(() => cluster?.close())

const crowd = (key: string): Promise<Answered[]> =>
  Promise.all(
    Array.from({ length: CROWD }, async (_, turn) => {
      const reply = await cluster.node(turn).api.get(`/api/v1/maps/?q=Crowd+${turn}`, { key })
      return { ...reply, turn }
    }),
  )

async function start(settings: Record<string, string>): Promise<string> {
  cluster = await startCluster({ nodes: 2, settings: { ...SETTINGS, ...settings } })
  const key = await cluster.createKey(UNLIMITED)
  await Promise.all(cluster.nodes.map(({ api }) => api.get('/api/v1/key/', { key })))
  const isChecked = async () => (await stateOf('nominatim', key)) === 'up'
  await expect.poll(isChecked, { timeout: 60_000 }).toBe(true)
  // The health check was a call, too: waits for its second to pass.
  await sleep(1_500)
  cluster.sandbox.reset()
  cluster.sandbox.setFault('nominatim', { kind: 'banAbove', calls: 1, perMs: 1_000 })
  return key
}

async function stateOf(provider: string, key: string): Promise<string> {
  const { json } = await cluster.node(0).api.get('/api/v1/status/', { key })
  return json.providers.find(({ slug }: { slug: string }) => slug === provider)?.state
}

describe('fifty concurrent places, at one call a second', () => {
  it('no ban: those that fit are served by the deadline, the others get Retry-After, no provider is down', async () => {
    const key = await start({ PHOTON_URL: '' })
    const replies = await crowd(key)
    expect(cluster.sandbox.rateLimitViolations('nominatim')).toBe(0)

    const served = replies.filter(({ status }) => status === 200)
    expect(served.length).toBeGreaterThanOrEqual(2)
    expect(served.length).toBeLessThan(CROWD)
    for (const { json, turn } of served) {
      expect(json.query).toBe(`Crowd ${turn}`)
      expect(json.places.length).toBeGreaterThan(0)
    }
    expect(cluster.sandbox.callCount('nominatim')).toBe(served.length)

    const refused = replies.filter(({ status }) => status !== 200)
    for (const { status, json, headers } of refused) {
      expect(status).toBe(503)
      expect(json).toEqual({ detail: expect.stringMatching(/^No maps provider responded\./) })
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    }
    expect(await stateOf('nominatim', key)).toBe('up')
    // The other node writes its part within a second.
    const counted = async () => (await cluster.node(0).api.get('/api/v1/usage/', { key })).json.searches
    await expect.poll(counted, { timeout: 5_000 }).toBe(served.length)

    await sleep(1_000 * Math.min(...refused.map(({ headers }) => Number(headers.get('retry-after')))))
    expect((await cluster.node(1).api.get('/api/v1/maps/?q=Crowd+49', { key })).status).toBe(200)
    expect(cluster.sandbox.rateLimitViolations('nominatim')).toBe(0)
  })

  it('with a second geocoder all are served, and the first is still not called too often', async () => {
    const key = await start({})
    const replies = await crowd(key)
    expect(replies.filter(({ status }) => status !== 200)).toEqual([])
    expect(cluster.sandbox.rateLimitViolations('nominatim')).toBe(0)
    expect(cluster.sandbox.callCount('nominatim')).toBeGreaterThanOrEqual(1)
    expect(await stateOf('nominatim', key)).toBe('up')
    expect(await stateOf('photon', key)).toBe('up')
  })
})
