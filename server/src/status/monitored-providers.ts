// Which providers `status/` lists, and under which names. A slot's web provider goes by the name of the slot, which is
// what clients know; everything else by the provider's own. So `slug` and `group` together name an entry, and `slug`
// alone does not: Brave may serve images, news and videos, each with a health of its own (docs/decisions/0007).
import { TABS, type Tab } from '../engines/engine.ts'

export interface MonitoredProvider {
  /** The provider's own slug. With `group` it is what health and history are kept under, so that a provider newly
   * bound to a slot does not inherit what was observed of its predecessor. */
  provider: string
  /** As it is listed. */
  slug: string
  name: string
  /** The tab it serves, or `suggest`. */
  group: string
  /** Observed from real searches, or by a periodic check. */
  monitor: 'query' | 'probe'
}

/** As much of a slot as matters here. */
interface BoundSlot {
  name: string
  engines: Partial<Record<Tab, readonly { engine: { slug: string; name: string } }[]>>
}

/** One entry for each provider and tab it serves: the web first, each tab in slot order. */
export const providersOfSlots = (slots: readonly BoundSlot[]): MonitoredProvider[] =>
  TABS.flatMap((tab) =>
    slots.flatMap((slot) =>
      (slot.engines[tab] ?? []).map(({ engine: { slug, name } }, i) => ({
        provider: slug,
        // A slot may have several web providers; only one can go by its name.
        slug: tab === 'web' && i === 0 ? slot.name : slug,
        name,
        group: tab,
        monitor: 'query' as const,
      })),
    ),
  )
