// The providers that `status/` lists, and their names there. A slot's web provider has the name of the slot, which
// clients know. Any other provider has its own name, with the group appended if it serves several: Brave may serve
// images, news and videos, each with its own health (docs/decisions/0007). Names are unique.
import { TABS, type Tab } from '@bowerbird/engines/engine.ts'

export interface MonitoredProvider {
  /**
   * The provider's own slug. Together with `group` it is the key of health and history, so that a provider newly bound
   * to a slot does not inherit the observations of its predecessor.
   */
  provider: string
  /** Its name in `status/`. */
  slug: string
  name: string
  /** The tab it serves, `suggest` or `mine`. */
  group: string
  /** Observed in real searches, or by a periodic check. */
  monitor: 'query' | 'probe'
}

/** The relevant parts of a bound engine and of a slot. */
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
        // Two slots may use the same provider: outside the web tab it has one health, and one entry.
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

/** The private engines, which have a list of their own: only administrators see it. */
export const monitoredMine = (slots: readonly BoundSlot[]): MonitoredProvider[] =>
  slots.flatMap(({ engines: { web = [] } }) =>
    web.map(({ engine: { slug, name } }) => ({ provider: slug, slug, name, group: 'mine', monitor: 'query' })),
  )

/** Appends the group to the slug of a provider that serves several. Needs the complete list. */
export function withUniqueSlugs(listed: readonly MonitoredProvider[]): MonitoredProvider[] {
  const groupsOf = new Map<string, Set<string>>()
  for (const { provider, group } of listed) groupsOf.set(provider, (groupsOf.get(provider) ?? new Set()).add(group))
  return listed.map((entry) => {
    const isAlone = entry.slug !== entry.provider || groupsOf.get(entry.provider)?.size === 1
    return isAlone ? entry : { ...entry, slug: `${entry.slug}_${entry.group}` }
  })
}
