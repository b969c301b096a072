// Engine slots: what clients name (`engine_a`) and what the operator bound to it (`ENGINE_A=brave`), so that a vendor can
// be replaced without breaking a client. A slot whose providers all lack a key stays a known name without a provider.
import { type Engine, TABS, type Tab } from '../providers/engine.ts'

/** The three that the specification names are always known, bound or not. */
export const SPECIFIED_SLOTS = ['engine_a', 'engine_b', 'engine_c'] as const

/** What an operator wrote for a slot: which engine serves which tab. */
export type SlotBinding = Partial<Record<Tab, string[]>>

/** Reads `marginalia images:openverse`: a plain name serves every tab it has, `tab:name` overrides one tab. */
export function readBinding(text: string, engines: readonly Engine[]): SlotBinding | { mistake: string } {
  const general: string[] = []
  const special: SlotBinding = {}
  for (const word of text.split(/[\s,]+/).filter(Boolean)) {
    const [before = '', after] = word.toLowerCase().split(':')
    const slug = after ?? before
    const engine = engines.find((candidate) => candidate.slug === slug)
    if (!engine)
      return { mistake: `names an engine that does not exist: use ${engines.map((e) => e.slug).join(', ')}.` }
    if (after === undefined) {
      general.push(slug)
      continue
    }
    const tab = TABS.find((candidate) => candidate === before)
    if (!tab) return { mistake: `names a tab that does not exist: use ${TABS.join(', ')}.` }
    if (!servesTab(engine, tab)) return { mistake: `binds ${slug} to ${tab}, which it does not serve.` }
    special[tab] = [...(special[tab] ?? []), slug]
  }
  const binding: SlotBinding = {}
  for (const tab of TABS) {
    const slugs = special[tab] ?? general.filter((slug) => engines.some((e) => e.slug === slug && servesTab(e, tab)))
    if (slugs.length > 0) binding[tab] = slugs
  }
  return binding
}

const servesTab = (engine: Engine, tab: Tab): boolean => tab in engine.tabs
