import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { expect, it } from 'vitest'
import { PRESET_KINDS } from './service-pages.ts'

it('every service that Bowerbird knows can be chosen, in one list', () => {
  const presets = ALL_ENGINES.filter(({ settings }) => settings.baseUrl.fallback === undefined)
  expect(Object.values(PRESET_KINDS).flat().toSorted()).toEqual(presets.map(({ slug }) => slug).toSorted())
})
