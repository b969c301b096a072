// What the slots of a search are called, by tab: for people, for programs, and as their providers' terms require.
import type { Tab } from '@bowerbird/engines/engine.ts'
import { commonIndexOf } from './indexes.ts'
import { regionsTakenBy } from './regions.ts'
import type { BoundEngine, Slot } from './slots.ts'

export interface SlotNames {
  /** Display names of the engines that serve a tab of a slot. */
  engineNamesOf: (slot: string, tab: Tab) => readonly string[]
  /** The same as one text, for programs: `source_label`. */
  labelOf: (slot: string, tab: Tab) => string
  /** The one index that the engines of a slot show in a tab; '' if there are several, or one doesn't say. */
  indexOf: (slot: string, tab: Tab) => string
  /** The countries that an engine can favour in a tab, whatever the language. */
  regionsOf: (tab: Tab) => readonly string[]
  /** The attributions that those engines' terms require beside their results, one text each. */
  attributionsOf: (slot: string, tab: Tab) => readonly string[]
  slotNames: readonly string[]
}

export function createSlotNames(slots: readonly Slot[]): SlotNames {
  const engineNames = bySlotAndTab(slots, (bound) => bound.map(({ engine }) => engine.name))
  const engineNamesOf = (slot: string, tab: Tab) => engineNames.get(`${slot} ${tab}`) ?? []
  const indexes = bySlotAndTab(slots, commonIndexOf)
  const attributions = bySlotAndTab(slots, (bound) =>
    bound.map(({ engine }) => engine.terms.attribution).filter((text) => text !== ''),
  )
  return {
    slotNames: slots.map((slot) => slot.name),
    engineNamesOf,
    labelOf: (slot, tab) => engineNamesOf(slot, tab).join(', '),
    indexOf: (slot, tab) => indexes.get(`${slot} ${tab}`) ?? '',
    regionsOf: (tab) =>
      regionsTakenBy(slots.flatMap(({ engines }) => (engines[tab] ?? []).map(({ engine }) => engine.tabs[tab]))),
    attributionsOf: (slot, tab) => attributions.get(`${slot} ${tab}`) ?? [],
  }
}

function bySlotAndTab<Value>(slots: readonly Slot[], of: (bound: BoundEngine[]) => Value): Map<string, Value> {
  const values = new Map<string, Value>()
  for (const { name, engines } of slots) {
    for (const [tab, bound] of Object.entries(engines)) values.set(`${name} ${tab}`, of(bound))
  }
  return values
}
