// Searches of people with services of their own, over real connections to servers in this process.
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type PrivateService, startPrivateService } from '../../test/support/private-service.ts'
import { createResponseCache } from '../cache/response-cache.ts'
import type { WatchingBoard } from '../health/provider-status.ts'
import { announceUserChange, createLocalChangeBus } from '../keys/key-changes.ts'
import { createLog } from '../log.ts'
import type { SearchRequest } from '../search/plan.ts'
import { readConfiguration, requireConfiguration } from '../settings/configuration.ts'
import type { PersonService } from '../settings/person-services.ts'
import { createUpstreamRateLimits } from '../upstream/upstream-rate-limit.ts'
import { composeLiveProviders } from './live-providers.ts'
import { createPersonSearches } from './person-searches.ts'

const ENGINE = ALL_ENGINES.find(({ slug }) => slug === 'karakeep') ?? expect.unreachable('no karakeep')
const LOG = createLog('silent')
const YOURS = (name: string) => `${name} (yours)`
const requestOf = (text: string): SearchRequest => {
  return { text, engines: [], safe: true, lang: '', page: 1, date: undefined }
}

let everyones: PrivateService
let adas: PrivateService
let linus: PrivateService
beforeAll(async () => {
  everyones = await startPrivateService('everyones')
  adas = await startPrivateService('adas')
  linus = await startPrivateService('linus')
})
afterAll(() => Promise.all([everyones, adas, linus].map((service) => service.close())))
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const serviceOf = (id: string, { url, token }: Pick<PrivateService, 'url' | 'token'>): PersonService => ({
  id,
  slug: 'karakeep',
  engine: ENGINE,
  settings: { baseUrl: url, linkUrl: '', apiKey: token },
})

/** `env`: of the operator. The services of each user are the test's to change. */
function open(env: Record<string, string> = {}) {
  const observed: string[] = []
  const board = { watch: () => undefined, record: () => undefined } as unknown as WatchingBoard
  const live = composeLiveProviders(requireConfiguration(readConfiguration({ MINE_HOSTS: '127.0.0.1', ...env })), {
    limits: {
      ledger: { count: (slug) => void observed.push(`${slug} counted`) },
      budgetOf: () => undefined,
      rateLimitOf: createUpstreamRateLimits({ redis: undefined }),
    },
    cache: createResponseCache({ shared: undefined, clock: Date.now, maxAgeSeconds: 60, log: LOG }),
    contributions: { countCall: () => undefined, countSearch: () => undefined },
    countCall: (slug) => void observed.push(`${slug} called`),
    status: board,
    mineStatus: board,
    clock: Date.now,
    log: LOG,
  })
  const stored = new Map<string, PersonService[]>()
  const clock = { now: 0 }
  const reads: string[] = []
  const failing = { isAway: false }
  const changes = createLocalChangeBus()
  const searches = createPersonSearches({
    services: {
      async list(userId) {
        reads.push(userId)
        if (failing.isAway) throw new Error('away')
        return stored.get(userId) ?? []
      },
    },
    live,
    changes,
    clock: () => clock.now,
  })
  closing.push(searches.close, () => live.close())
  const found = async (userId: string, text = 'boiler') => {
    const search = await searches.of(userId, YOURS)
    const answer = await search?.search('web', requestOf(text))
    return answer?.results.map(
      ({ hit, contributions }) => `${hit.title}: ${contributions.map(({ name }) => name).join()}`,
    )
  }
  const change = (userId: string, services: PersonService[]) => {
    stored.set(userId, services)
    announceUserChange(changes, userId)
  }
  return { searches, stored, change, found, observed, reads, clock, failing, live }
}

it('each person finds what everyone does and their own, from caches that nobody shares', async () => {
  const { found, change, searches, observed } = open(everyones.settings)
  change('1', [serviceOf('7', adas)])
  change('2', [serviceOf('8', linus), serviceOf('9', adas)])
  const of = async (userId: string) => new Set((await found(userId))?.map((line) => line.replace(/-\d/, '')))
  expect(await of('1')).toEqual(new Set(['Title everyones: Karakeep', 'Title adas: Karakeep (yours)']))
  expect(await of('2')).toEqual(
    new Set(['Title everyones: Karakeep', 'Title linus: Karakeep (yours)', 'Title adas: Karakeep (yours)']),
  )
  expect(await of('3')).toEqual(new Set(['Title everyones: Karakeep']))
  const two = await searches.of('2', YOURS)
  expect(two?.slotNames).toEqual(['karakeep', 'karakeep_2', 'karakeep_3'])
  // Once for each cache, and again for nobody.
  expect([everyones.queries.length, adas.queries.length, linus.queries.length]).toEqual([3, 2, 1])
  await of('1')
  expect([everyones.queries.length, adas.queries.length]).toEqual([3, 2])
  // Costs and metrics know the operator's alone.
  expect(new Set(observed)).toEqual(new Set(['karakeep called', 'karakeep counted']))
  expect(observed.filter((line) => line.endsWith('called'))).toHaveLength(3)
})

it('who has nothing searches nothing', async () => {
  const { searches, found, change } = open()
  expect(await searches.of('1', YOURS)).toBeUndefined()
  change('1', [{ ...serviceOf('7', adas), settings: undefined }])
  expect(await found('1')).toBeUndefined()
})

it('a change is in force at once, one that wasn’t announced after a minute', async () => {
  const { found, change, stored, reads, clock } = open()
  change('1', [serviceOf('7', adas)])
  expect((await found('1'))?.[0]).toContain('adas')
  change('1', [serviceOf('8', linus)])
  expect((await found('1'))?.[0]).toContain('linus')
  stored.set('1', [serviceOf('7', adas)])
  expect((await found('1'))?.[0]).toContain('linus')
  expect(reads).toHaveLength(2)
  clock.now = 60_000
  expect((await found('1'))?.[0]).toContain('adas')
  const before = adas.queries.length
  clock.now = 120_000
  await found('1')
  // It was the same, so the cache stays.
  expect([reads.length, adas.queries.length]).toEqual([4, before])
})

it('a change during the look-up is not missed', async () => {
  const { found, change, stored } = open()
  stored.set('1', [serviceOf('7', adas)])
  const looking = found('1')
  change('1', [serviceOf('8', linus)])
  expect((await looking)?.[0]).toContain('linus')
})

it('503: without the database, only who has searched before finds anything', async () => {
  const { found, change, failing, clock, searches } = open()
  change('1', [serviceOf('7', adas)])
  await found('1')
  failing.isAway = true
  clock.now = 60_000
  expect((await found('1'))?.[0]).toContain('adas')
  await expect(searches.of('2', YOURS)).rejects.toMatchObject({ status: 503, code: 'storage_unavailable' })
})

it('changed settings of the instance are in force at once', async () => {
  const { found, change, live } = open()
  change('1', [serviceOf('7', adas)])
  await found('1')
  live.swap(requireConfiguration(readConfiguration({ MINE_HOSTS: '127.0.0.1', ...everyones.settings })))
  expect(new Set((await found('1', 'other'))?.map((line) => line.slice(6, 10)))).toEqual(new Set(['ever', 'adas']))
})

it('a private address that isn’t allowed looks like one that nobody is at', async () => {
  const { change, searches } = open({ MINE_HOSTS: 'nas.home' })
  change('1', [serviceOf('7', adas)])
  const before = adas.queries.length
  const report = await searches.try('1', '7', 'boiler')
  expect([report?.status, report?.error?.kind]).toEqual([undefined, 'unreachable'])
  expect(adas.queries.length).toBe(before)
})

it('one of them is tried by its owner alone, and what comes back has no token', async () => {
  const { change, searches } = open()
  change('1', [serviceOf('7', adas)])
  const report = await searches.try('1', '7', 'boiler')
  expect([report?.status, report?.hits.length]).toEqual([200, 10])
  expect(JSON.stringify(report?.request)).not.toContain(adas.token)
  expect(await searches.try('2', '7', 'boiler')).toBeUndefined()
  change('1', [serviceOf('7', { url: adas.url, token: 'wrong' })])
  expect((await searches.try('1', '7', 'boiler'))?.status).toBe(401)
})

it('a service that keeps failing rests for its owner, and for nobody else', async () => {
  const { change, searches } = open()
  change('1', [serviceOf('7', { url: linus.url, token: 'wrong' })])
  change('2', [serviceOf('8', linus)])
  const before = linus.queries.length
  for (let at = 0; at < 10; at++) await searches.try('1', '7', `boiler ${at}`)
  expect(linus.queries.length - before).toBeLessThan(10)
  expect((await searches.try('1', '7', 'again'))?.error?.kind).toBe('open')
  expect((await searches.try('2', '8', 'boiler'))?.status).toBe(200)
})

it('of many people, those who searched last are kept', async () => {
  const { found, stored, reads } = open()
  for (let id = 0; id < 101; id++) stored.set(String(id), [serviceOf(String(id), adas)])
  for (let id = 0; id < 101; id++) expect((await found(String(id)))?.length).toBe(10)
  await found('100')
  expect(reads).toHaveLength(101)
  await found('0')
  expect(reads).toHaveLength(102)
})
