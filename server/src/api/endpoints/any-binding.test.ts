// Replies keep their shape for any binding: random bindings of all engines, each provider answering well, with
// nothing, with the bare minimum, with a refusal or not at all. The stage validates every reply against the OpenAPI
// document, with nothing missing and nothing extra.

import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { type Engine, TABS, type Tab } from '@bowerbird/engines/engine.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fixtureOf, settingsOf } from '../../../../engines/test/engine-cases.ts'
import { readFixture } from '../../../../engines/test/read-fixture.ts'
import { createResponseCache } from '../../cache/response-cache.ts'
import { createLog } from '../../log.ts'
import { OPERATOR } from '../../search/caller.ts'
import { planSearch } from '../../search/plan.ts'
import { createSearch } from '../../search/search.ts'
import type { SearchRequest } from '../../search/search-request.ts'
import type { BoundEngine, Slot } from '../../search/slots.ts'
import { readBinding } from '../../search/slots.ts'
import { setUpApi } from '../api.test-harness.ts'

const WEB_KEYS = 'title url description display_url favicon_url age source source_label sitelinks'.split(' ')
const RESULT_KEYS: Record<Tab, string[]> = {
  web: WEB_KEYS,
  science: WEB_KEYS,
  code: WEB_KEYS,
  images: 'title url source thumbnail'.split(' '),
  news: 'title url description age source hostname thumbnail'.split(' '),
  videos: 'title url age source duration hostname thumbnail'.split(' '),
}
const SLOTS = ['engine_a', 'engine_b', 'engine_c', 'engine_d', 'engine_e']
const SEARCHERS = ALL_ENGINES.filter(({ tabs }) => Object.keys(tabs).length > 0)
const BEHAVIOURS = ['page', 'page', 'bare', 'empty', 'refusal', 'timeout'] as const
type Behaviour = (typeof BEHAVIOURS)[number]

/** `brave` or `news:brave`, as in the settings. */
const word = fc
  .constantFrom(...TABS)
  .chain((tab) =>
    fc
      .record({ engine: fc.constantFrom(...SEARCHERS.filter(({ tabs }) => tab in tabs)), isForTab: fc.boolean() })
      .map(({ engine, isForTab }) => (isForTab ? `${tab}:${engine.slug}` : engine.slug)),
  )
const bindings = fc.array(fc.array(word, { maxLength: 3 }), { minLength: 0, maxLength: SLOTS.length })
const filters = fc.record({
  lang: fc.constantFrom('', 'de', 'ja', 'pt-BR'),
  safe: fc.constantFrom('', 'off'),
  date: fc.constantFrom('', 'w'),
  page: fc.constantFrom('1', '2'),
})

const log = createLog('silent')

function openSlots(written: readonly (readonly string[])[], behaviourOf: (engine: Engine) => Behaviour): Slot[] {
  const bind = (engine: Engine, tab: Tab): BoundEngine => ({
    engine,
    settings: settingsOf(engine),
    async ask(_request, _deadline, read) {
      const behaviour = behaviourOf(engine)
      if (behaviour === 'timeout') throw new UpstreamError('timeout', 'as the test wants it')
      return read(readFixture(`${fixtureOf(engine, tab)}-${behaviour}`))
    },
  })
  return written.map((words, at) => {
    const binding = readBinding([...new Set(words)].join(' '), ALL_ENGINES)
    if ('mistake' in binding) return expect.unreachable(binding.mistake)
    const bound = TABS.map((tab) => [
      tab,
      (binding[tab] ?? []).flatMap((slug) => SEARCHERS.filter((e) => e.slug === slug).map((e) => bind(e, tab))),
    ])
    return { name: SLOTS[at] ?? '', weight: 1, engines: Object.fromEntries(bound) }
  })
}

describe('any binding', () => {
  const api = setUpApi()

  it('every tab replies as documented: results with exactly their keys, or 503 when no engine answered', async () => {
    const seen = new Set<string>()
    const behaviours = fc.array(fc.constantFrom(...BEHAVIOURS), { minLength: 1, maxLength: 8 })
    const example = fc.record({ written: bindings, behaviours, given: filters, tab: fc.constantFrom(...TABS) })
    await fc.assert(
      fc.asyncProperty(example, async ({ written, behaviours: behaves, given, tab }) => {
        const behaviourOf = ({ slug }: Engine) =>
          behaves[SEARCHERS.findIndex((e) => e.slug === slug) % behaves.length] ?? 'page'
        const slots = openSlots(written, behaviourOf)
        const { search } = createSearch({
          slots,
          cache: createResponseCache({ shared: undefined, clock: () => api.now, maxAgeSeconds: 600, log }),
          startDeadline: () => createDeadline(5_000),
          clock: () => api.now,
          observe: () => undefined,
          log,
        })
        api.says.search = (name, request, watcher) => search({ caller: OPERATOR, tab: name, request }, watcher)
        const { status, json } = await api.get(`/api/v1/${tab}/?q=lamp&${new URLSearchParams(given).toString()}`)
        seen.add(`${tab} ${status}`)
        // Pictures have no date, so the endpoint ignores that filter.
        const request = api.asked.at(-1)?.[2] as SearchRequest
        const { engines: planned, skips } = planSearch({ caller: OPERATOR, tab, request }, slots)
        const mayAnswer = planned.filter(({ bound }) => behaviourOf(bound.engine) !== 'timeout')
        if (status === 503) {
          expect(Object.keys(json)).toEqual(['detail'])
          expect(mayAnswer.every(({ bound }) => behaviourOf(bound.engine) === 'refusal')).toBe(true)
          return
        }
        expect(status).toBe(200)
        // An outage never looks like an empty result.
        expect(planned.length === 0 ? skips.length : mayAnswer.length).toBeGreaterThan(0)
        const answerers = new Set(mayAnswer.map(({ slot }) => slot.name))
        for (const slot of json.engine) expect(answerers).toContain(slot)
        const engines: string[] = json.engine
        expect(engines).toEqual(SLOTS.filter((slot) => engines.includes(slot)))
        for (const result of json.results) {
          expect(Object.keys(result)).toEqual(RESULT_KEYS[tab])
          expect(result.url).toMatch(/^https?:\/\//)
          if (tab === 'web') expect([...json.engine, 'both', 'all']).toContain(result.source)
        }
      }),
      { numRuns: 160 },
    )
    // Both kinds of reply occurred on every tab, so the test was meaningful.
    expect([...seen].sort()).toEqual(TABS.flatMap((tab) => [`${tab} 200`, `${tab} 503`]).sort())
  })
})
