import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { expect, it } from 'vitest'
import { Caller, OPERATOR } from './caller.ts'
import { planSearch } from './plan.ts'
import type { SearchRequest } from './search-request.ts'
import type { Slot } from './slots.ts'

const SLOTS: Slot[] = ['brave', 'bowerbird'].map((slug) => ({
  name: slug,
  weight: 1,
  engines: {
    web: ALL_ENGINES.filter((engine) => engine.slug === slug).map((engine) => ({
      engine,
      settings: { baseUrl: '' },
      ask: () => Promise.reject(new Error('not part of a plan')),
    })),
  },
}))

const REQUEST: SearchRequest = { text: 'lamp', engines: [], safe: true, lang: '', page: 1, date: undefined }

const planned = (caller: Caller) => {
  const { engines, skips } = planSearch({ caller, tab: 'web', request: REQUEST }, SLOTS)
  return { asked: engines.map(({ slot }) => slot.name), skips }
}

it('an instance asks another one for its own callers, but not for another instance', () => {
  expect(planned(OPERATOR)).toEqual({ asked: ['brave', 'bowerbird'], skips: [] })
  expect(planned(new Caller({ isRelayed: true }))).toEqual({
    asked: ['brave'],
    skips: [{ slot: 'bowerbird', name: 'Bowerbird', reason: 'loop' }],
  })
})
