// Engine slots: the names that clients use (`engine_a`), and what the operator bound to them (`ENGINE_A=brave`), so
// that a vendor can be replaced without breaking clients. If every provider of a slot lacks its key, the slot is still
// a known name, just without a provider.
import type { Deadline } from '@bowerbird/engines/deadline.ts'
import {
  type Engine,
  type EngineRequest,
  type EngineSettings,
  type ProviderReply,
  TABS,
  type Tab,
} from '@bowerbird/engines/engine.ts'
import type { SettingValues } from '@bowerbird/engines/setting.ts'
import type { CalibratedWeights, WeightOrigin } from './calibration/calibrated-weights.ts'
import type { ThinRule } from './thin.ts'

/** An engine that is ready to be queried. */
export interface BoundEngine {
  engine: Engine
  settings: SettingValues<EngineSettings>
  /** Sends the request and returns what `read` makes of the reply, which decides whether the call succeeded. */
  ask: <T>(request: EngineRequest, deadline: Deadline, read: (reply: ProviderReply) => T) => Promise<T>
}

export interface Slot {
  /** The name that clients use: `engine_a`. */
  name: string
  /** How much its ranking counts in the merge. */
  weight: number
  /** Left out: it is the default. */
  weightFrom?: WeightOrigin
  /** Weights of its engines that replace its own. Left out: there are none. */
  calibrated?: CalibratedWeights | undefined
  /** It is only queried if the other engines find too little; undefined: always. */
  when?: ThinRule | undefined
  engines: Partial<Record<Tab, BoundEngine[]>>
}

/** These three slots always exist, bound or not. */
export const FIXED_SLOTS = ['engine_a', 'engine_b', 'engine_c'] as const

/** An operator's setting for a slot: which engines serve which tab. */
export type SlotBinding = Partial<Record<Tab, string[]>>

/** Reads `marginalia images:openverse`: a plain name serves every tab it supports, `tab:name` overrides one tab. */
export function readBinding(text: string, engines: readonly Engine[]): SlotBinding | { mistake: string } {
  const general: string[] = []
  const special: SlotBinding = {}
  for (const word of text.split(/[\s,]+/).filter(Boolean)) {
    const [before = '', after] = word.toLowerCase().split(':')
    const slug = after ?? before
    const engine = engines.find((candidate) => candidate.slug === slug)
    if (!engine) return { mistake: `names an unknown engine. Use ${engines.map((e) => e.slug).join(', ')}.` }
    if (after === undefined) {
      general.push(slug)
      continue
    }
    const tab = TABS.find((candidate) => candidate === before)
    if (!tab) return { mistake: `names an unknown tab. Use ${TABS.join(', ')}.` }
    if (!servesTab(engine, tab)) return { mistake: `binds ${slug} to ${tab}, which it does not support.` }
    special[tab] = [...(special[tab] ?? []), slug]
  }
  const binding: SlotBinding = {}
  for (const tab of TABS) {
    const slugs = special[tab] ?? general.filter((slug) => engines.some((e) => e.slug === slug && servesTab(e, tab)))
    if (slugs.length > 0) binding[tab] = slugs
  }
  return binding
}

/** With MINE as one more, for lists of what is bound. No search of a tab asks it. */
export const withMine = (
  slots: ReadonlyMap<string, SlotBinding>,
  mine: readonly string[],
): ReadonlyMap<string, SlotBinding> => (mine.length === 0 ? slots : new Map([...slots, ['mine', { web: [...mine] }]]))

const servesTab = (engine: Engine, tab: Tab): boolean => tab in engine.tabs
