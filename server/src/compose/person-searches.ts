// The searches of people who have services of their own (`settings/person-services.ts`): the private engines of everyone,
// and theirs. Each has a cache, connections and circuit breakers that no one else's search gets near, made when the person
// first searches and given up when others have searched more recently. A change of a service is announced like any other
// change of the account; in case that is lost, services are read again after a minute.
import { LRUCache } from 'lru-cache'
import { Refusal } from '../errors.ts'
import { type ChangeBus, subscribeToUserChanges } from '../keys/key-changes.ts'
import { atMost } from '../lru-bounds.ts'
import { labelledSearch, type SearchOfPerson } from '../search/labelled-search.ts'
import type { BoundEngine, Slot } from '../search/plan.ts'
import type { Search } from '../search/search.ts'
import { namesBeside } from '../search/slots.ts'
import type { TrialReport } from '../search/try-engine.ts'
import type { PersonService, PersonServices } from '../settings/person-services.ts'
import { allowedHosts, judgeAddress, parseAddress } from '../settings/service-addresses.ts'
import type { LiveProviders } from './live-providers.ts'
import { createProviderPool } from './provider-pool.ts'
import { type OpenService, openService, tryBound } from './providers.ts'

export interface PersonSearches {
  of: SearchOfPerson
  /** Makes one call to a service of theirs. Undefined: they have none with this id that can be called. */
  try: (userId: string, serviceId: string, text: string) => Promise<TrialReport | undefined>
  close: () => Promise<void>
}

interface PersonSearchesParts {
  services: Pick<PersonServices, 'list'>
  live: Pick<LiveProviders, 'current'>
  changes: ChangeBus
  clock: () => number
}

type LiveSettings = ReturnType<LiveProviders['current']>

interface Person {
  /** What it was made of: with other settings of the instance or other services, it is made anew. */
  settings: LiveSettings
  services: string
  readAt: number
  theirs: readonly Theirs[]
  /** Their own services by id. */
  bound: ReadonlyMap<string, BoundEngine>
  search: Search
}

/** A service that can be called. */
interface Theirs extends Pick<BoundEngine, 'engine' | 'settings'> {
  id: string
  /** Everything that its connections depend on. */
  identity: string
  open: () => OpenService
}

const MAX_PEOPLE = 100
const READ_AGAIN_MS = 60_000
const UNAVAILABLE = 'Your own services cannot be looked up at the moment. Try again in a few seconds.'

export function createPersonSearches({ services, live, changes, clock }: PersonSearchesParts): PersonSearches {
  const people = new LRUCache<string, Person>(atMost(MAX_PEOPLE))
  const readings = new Map<string, Promise<Person>>()
  const pool = createProviderPool<OpenService>()

  /** Opens the services of all these people, and closes those of others. */
  function openServices(): ReadonlyMap<string, OpenService> {
    const all = [...people.values()].flatMap(({ theirs }) => theirs)
    const wanted = new Map(all.map(({ identity, open }) => [identity, open]))
    const opened = pool.replace(wanted)
    return new Map([...wanted.keys()].flatMap((identity, at) => (opened[at] ? [[identity, opened[at]] as const] : [])))
  }

  subscribeToUserChanges(changes, (userId) => {
    readings.delete(userId)
    if (people.delete(userId)) openServices()
  })

  function find(userId: string): Person | Promise<Person> {
    const known = people.get(userId)
    const isCurrent = known?.settings === live.current()
    if (known && isCurrent && Math.abs(clock() - known.readAt) < READ_AGAIN_MS) return known
    const underWay = readings.get(userId)
    if (underWay) return underWay
    const reading: Promise<Person> = services.list(userId).then(
      (listed) => {
        // They were changed meanwhile.
        if (readings.get(userId) !== reading) return find(userId)
        readings.delete(userId)
        return keep(userId, listed)
      },
      () => {
        readings.delete(userId)
        if (known && isCurrent) return known
        throw new Refusal('storage_unavailable', UNAVAILABLE, { 'Retry-After': '5' })
      },
    )
    readings.set(userId, reading)
    return reading
  }

  function keep(userId: string, listed: readonly PersonService[]): Person {
    const settings = live.current()
    const content = JSON.stringify(listed.map((service) => [service.id, service.slug, service.settings]))
    const known = people.get(userId)
    if (known?.settings === settings && known.services === content) {
      known.readAt = clock()
      return known
    }
    const theirs = callable(userId, listed, settings)
    const bound = new Map<string, BoundEngine>()
    const person: Person = { settings, services: content, readAt: clock(), theirs, bound, search: settings.mine }
    people.set(userId, person)
    const opened = openServices()
    const slots = theirs.flatMap(({ id, engine, settings, identity }): Slot[] => {
      const service = opened.get(identity)
      if (!service) return []
      const searcher = { engine, settings, ask: service.ask }
      bound.set(id, searcher)
      return [{ name: engine.slug, weight: 1, engines: { web: [searcher] } }]
    })
    if (slots.length > 0) person.search = settings.searchMine(slots)
    return person
  }

  return {
    async of(userId, yours) {
      const { search, theirs } = await find(userId)
      if (search.slotNames.length === 0) return undefined
      return labelledSearch(search, new Set(theirs.map(({ engine }) => engine.slug)), yours)
    },
    async try(userId, serviceId, text) {
      const { bound } = await find(userId)
      return await tryBound(bound.get(serviceId), { tab: 'web', text })
    },
    close: () => pool.close(),
  }
}

/** The services that this instance can call, each with a slug that nothing else of the search has. */
function callable(userId: string, listed: readonly PersonService[], { configuration, mine }: LiveSettings): Theirs[] {
  const known = listed.flatMap(({ id, engine, settings }) => (engine && settings ? [{ id, engine, settings }] : []))
  const names = namesBeside(
    mine.slotNames,
    known.map(({ engine }) => engine.slug),
  )
  const hosts = allowedHosts(configuration)
  return known.map(({ id, engine, settings }, at) => {
    const { baseUrl } = settings
    const url = parseAddress(baseUrl)
    const isTrustedAddress = url !== undefined && judgeAddress(url, hosts) === 'allowed'
    // With another token, its circuit breaker begins anew.
    const identity = JSON.stringify([userId, id, settings, isTrustedAddress, configuration.operatorContact])
    return {
      id,
      // Slots and the cache tell engines apart by it.
      engine: { ...engine, slug: names[at] ?? engine.slug },
      settings,
      identity,
      open: () => openService({ baseUrl, isTrustedAddress }, configuration),
    }
  })
}
