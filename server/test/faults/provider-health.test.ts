// An outage on two nodes: both learn immediately which provider is down, and the history is stored.
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxSettings } from '../../src/demo/sandbox-settings.ts'
import { createTransitionHistory } from '../../src/health/transition-history.ts'
import { type Instance, startInstance } from '../../src/operate/start.ts'
import { readConfiguration, requireConfiguration } from '../../src/settings/configuration.ts'
import { type ApiClient, createApiClient } from '../support/api-client.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

const SETTINGS = {
  ENGINE_A: 'brave',
  ENGINE_B: 'staan',
  ENGINE_C: 'marginalia mojeek images:openverse',
  SUGGEST: 'brave',
}
const silent = pino({ level: 'silent' })

let first: TestInstance
let second: Instance
let one: ApiClient
let two: ApiClient
beforeAll(async () => {
  first = await startTestInstance(SETTINGS)
  second = await startSecond()
  one = first.api
  two = await createApiClient(second.url, first.key)
})
afterAll(async () => {
  await second.close()
  await first.close()
})

async function startSecond(): Promise<Instance> {
  const read = readConfiguration({
    ...sandboxSettings((slug) => first.sandbox.urlOf(slug)),
    ...SETTINGS,
    DATABASE_URL: first.databaseUrl,
    REDIS_URL: first.redisUrl,
    PORT: '0',
  })
  return await startInstance(requireConfiguration(read), silent)
}

type Listed = { slug: string; group: string; state: string }
/** Leaves out data sources: they are checked separately and have their own tests. */
const isOfEngines = ({ group }: { group: string }) => ['web', 'images', 'news', 'videos', 'suggest'].includes(group)
const listedBy = async (node: ApiClient): Promise<Listed[]> =>
  (await node.get('/api/v1/status/')).json.providers.filter(isOfEngines)
const stateOf = async (node: ApiClient, entry: string) =>
  (await listedBy(node)).find(({ slug, group }) => `${slug} ${group}` === entry)?.state

let asked = 0
const search = (node: ApiClient, tab = 'web') =>
  node.get(`/api/v1/${tab}/?q=outage+${++asked}${tab === 'suggest' ? '' : '&engine=engine_a&safe=off'}`)

describe('the health of providers, on two nodes', () => {
  it('one failure on each of two nodes marks a provider down on both, one success marks it up, other groups are unaffected', async () => {
    await search(one)
    await expect.poll(() => stateOf(two, 'engine_a web')).toBe('up')
    await search(one, 'images')
    await expect.poll(() => stateOf(two, 'brave_images images')).toBe('up')

    first.sandbox.setFault('brave', { kind: 'status', status: 500 })
    await search(one)
    expect(await stateOf(two, 'engine_a web')).toBe('up')
    await search(two)
    await expect.poll(() => stateOf(one, 'engine_a web')).toBe('down')
    expect(await stateOf(two, 'engine_a web')).toBe('down')
    expect(await stateOf(two, 'brave_images images')).toBe('up')

    await search(two, 'suggest')
    await expect.poll(() => stateOf(one, 'brave_suggest suggest')).toBe('down')

    first.sandbox.setFault('brave', undefined)
    const stateAfterSearch = async () => {
      await search(two)
      return await stateOf(one, 'engine_a web')
    }
    await expect.poll(stateAfterSearch, { timeout: 60_000, interval: 500 }).toBe('up')
    expect(await stateOf(one, 'brave_suggest suggest')).toBe('down')
  })

  it('a node that starts knows the state the others have seen', async () => {
    await second.close()
    second = await startSecond()
    two = await createApiClient(second.url, first.key)
    expect(await stateOf(two, 'engine_a web')).toBe('up')
    expect(await stateOf(two, 'brave_suggest suggest')).toBe('down')
    expect(await stateOf(two, 'brave_news news')).toBe('unknown')
  })

  it('every transition is in the history once, with its reason', async () => {
    const history = createTransitionHistory({ db: first.instance.services.access.db, log: silent })
    const rows = async () => {
      const transitions = (await history.read(0)).filter(isOfEngines)
      return transitions.map((row) => `${row.provider} ${row.group}: ${row.from} ${row.to} ${row.reason}`)
    }
    // A node writes its transitions every second.
    await expect
      .poll(rows, { timeout: 60_000 })
      .toEqual([
        'brave web: unknown up ok',
        'brave images: unknown up ok',
        'brave web: up down serverError',
        'brave suggest: unknown down serverError',
        'brave web: down up ok',
      ])
    await history.close()
  })
})
