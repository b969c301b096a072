// Searching for tests of its pages: the real search, the real cache and the real adapters over their fixtures. Only the
// network is missing: what a provider answers, or that it fails, is the test's to say.
import { setTimeout as sleep } from 'node:timers/promises'
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { type Engine, type ProviderReply, TABS, type Tab } from '@bowerbird/engines/engine.ts'
import { crossref } from '@bowerbird/engines/science/crossref.ts'
import { UpstreamError, type UpstreamErrorKind } from '@bowerbird/engines/upstream-error.ts'
import { brave } from '@bowerbird/engines/web/brave.ts'
import { mojeek } from '@bowerbird/engines/web/mojeek.ts'
import { readFixture } from '../../../../engines/test/read-fixture.ts'
import { createResponseCache } from '../../cache/response-cache.ts'
import { createLog } from '../../log.ts'
import { createSearch, type Search } from '../../search/search.ts'
import type { BoundEngine, Slot } from '../../search/slots.ts'

/** What a provider does: answers with this fixture, with this body, or fails. */
type Behaviour = (
  | { fixture: string }
  | { body: unknown }
  | { fails: UpstreamErrorKind; retryAfterSeconds?: number }
) & {
  afterMs?: number
}

export type Behaviours = Partial<
  Record<'brave' | 'mojeek' | 'openverse' | 'crossref' | 'karakeep' | 'shelf' | 'other' | 'third', Behaviour>
>

const log = createLog('silent')

interface StagedSearch {
  search: Search
  /** The calls to providers so far: the slug and the tab. */
  calls: string[]
}

const documentOf = (slug: string) => ALL_ENGINES.find((engine) => engine.slug === slug) as Engine // we ship it
const [openverse, karakeep] = [documentOf('openverse'), documentOf('karakeep')]

const SLOTS = { engine_a: [brave], engine_b: [mojeek], engine_c: [openverse, crossref] }

export const openStagedSearch = (behaviours: Behaviours = {}, slots: Record<string, Engine[]> = SLOTS): StagedSearch =>
  openStage(behaviours, slots)

/** Two private services: Karakeep, and one that speaks like it. */
export const openStagedMine = (behaviours: Behaviours = {}): StagedSearch =>
  openStage(
    { shelf: { fixture: 'karakeep-web-empty' }, ...behaviours },
    { karakeep: [karakeep], shelf: [{ ...karakeep, slug: 'shelf', name: 'Shelf' }] },
  )

function openStage(behaviours: Behaviours, bound: Record<string, Engine[]>): StagedSearch {
  const calls: string[] = []
  const bind = (engine: Engine, tab: Tab): BoundEngine => ({
    engine,
    settings: { baseUrl: 'https://provider.test', linkUrl: 'https://link.test', apiKey: 'key' },
    async ask(_request, _deadline, read) {
      calls.push(`${engine.slug} ${tab}`)
      const behaviour = behaviours[engine.slug as keyof Behaviours] ?? { fixture: `${engine.slug}-${tab}-page` }
      if (behaviour.afterMs) await sleep(behaviour.afterMs)
      return read(replyOf(behaviour))
    },
  })
  const slots = Object.entries(bound).map(
    ([name, engines]): Slot => ({
      name,
      weight: 1,
      engines: Object.fromEntries(
        TABS.map((tab) => [
          tab,
          engines.filter(({ tabs }) => tabs[tab] !== undefined).map((engine) => bind(engine, tab)),
        ]).filter(([, bound]) => bound?.length),
      ),
    }),
  )
  const search = createSearch({
    slots,
    cache: createResponseCache({ shared: undefined, clock: Date.now, maxAgeSeconds: 600, log }),
    startDeadline: () => createDeadline(5_000),
    clock: Date.now,
    observe: () => undefined,
    log,
  })
  return { search, calls }
}

function replyOf(behaviour: Behaviour): ProviderReply {
  if ('fixture' in behaviour) return readFixture(behaviour.fixture)
  if ('body' in behaviour) return { status: 200, headers: {}, body: JSON.stringify(behaviour.body) }
  const { fails, retryAfterSeconds } = behaviour
  throw new UpstreamError(fails, 'as the test wants it', { retryAfterSeconds })
}
