// Which providers `status/` lists, and under which names. A slot's web provider goes by the name of the slot, which is
// what clients know; everything else by the provider's own, with the group behind it where the provider serves several:
// Brave may serve images, news and videos, each with a health of its own (docs/decisions/0007). No two are called alike.
import { TABS, type Tab } from '../providers/engine.ts'

export interface MonitoredProvider {
  /**
   * The provider's own slug. Together with `group` it is the key of health and history, so that a provider newly bound
   * to a slot does not inherit the observations of its predecessor.
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

/** The parts of a bound engine and of a slot that matter here. */
interface Bound {
  engine: { slug: string; name: string }
}

interface BoundSlot {
  name: string
  engines: Partial<Record<Tab, readonly Bound[]>>
}

/** One entry per provider and group: web first, each tab in slot order, suggestions last. */
export function monitoredProviders(slots: readonly BoundSlot[], suggesters: readonly Bound[]): MonitoredProvider[] {
  const listed: MonitoredProvider[] = []
  for (const group of TABS) {
    for (const slot of slots) {
      for (const [i, { engine }] of (slot.engines[group] ?? []).entries()) {
        // A slot may have several web providers; only one can be listed under its name.
        const slug = group === 'web' && i === 0 ? slot.name : engine.slug
        // Two slots may have the same provider: beyond the web it has one health, and one entry.
        if (slug === engine.slug && listed.some((entry) => entry.provider === engine.slug && entry.group === group))
          continue
        listed.push({ provider: engine.slug, slug, name: engine.name, group, monitor: 'query' })
      }
    }
  }
  for (const { engine } of suggesters) {
    listed.push({ provider: engine.slug, slug: engine.slug, name: engine.name, group: 'suggest', monitor: 'query' })
  }
  return listed
}

/** Of everything that is listed: a provider that serves several groups is told apart by the group. */
export function withUniqueSlugs(listed: readonly MonitoredProvider[]): MonitoredProvider[] {
  const groupsOf = new Map<string, Set<string>>()
  for (const { provider, group } of listed) groupsOf.set(provider, (groupsOf.get(provider) ?? new Set()).add(group))
  return listed.map((entry) => {
    const isAlone = entry.slug !== entry.provider || groupsOf.get(entry.provider)?.size === 1
    return isAlone ? entry : { ...entry, slug: `${entry.slug}_${entry.group}` }
  })
}
