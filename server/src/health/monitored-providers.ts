// Which providers `status/` lists, and under which names. A slot's web provider goes by the name of the slot, which is
// what clients know; everything else by the provider's own. So `slug` and `group` together name an entry, and `slug`
// alone does not: Brave may serve images, news and videos, each with a health of its own (docs/decisions/0007).
import { TABS, type Tab } from '../providers/engine.ts'

export interface MonitoredProvider {
  /**
   * The provider's own slug. With `group` it is what health and history are kept under, so that a provider newly
   * bound to a slot does not inherit what was observed of its predecessor.
   */
  provider: string
  /** As it is listed. */
  slug: string
  name: string
  /** The tab it serves, or `suggest`. */
  group: string
  /** Observed from real searches, or by a periodic check. */
  monitor: 'query' | 'probe'
}

/** As much of a bound engine and of a slot as matters here. */
interface Bound {
  engine: { slug: string; name: string }
}

interface BoundSlot {
  name: string
  engines: Partial<Record<Tab, readonly Bound[]>>
}

/** One entry for each provider and what it serves: the web first, each tab in slot order, suggestions last. */
export function monitoredProviders(slots: readonly BoundSlot[], suggesters: readonly Bound[]): MonitoredProvider[] {
  const listed: MonitoredProvider[] = []
  for (const group of TABS) {
    for (const slot of slots) {
      for (const [i, { engine }] of (slot.engines[group] ?? []).entries()) {
        // A slot may have several web providers; only one can go by its name.
        const slug = group === 'web' && i === 0 ? slot.name : engine.slug
        listed.push({ provider: engine.slug, slug, name: engine.name, group, monitor: 'query' })
      }
    }
  }
  for (const { engine } of suggesters) {
    listed.push({ provider: engine.slug, slug: engine.slug, name: engine.name, group: 'suggest', monitor: 'query' })
  }
  return listed
}
