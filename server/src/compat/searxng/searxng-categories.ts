// SearXNG's categories for each of our tabs. Results carry the first category of their tab; some clients query only
// engines that are in both `general` and `web`.
import { OPTIONAL_TABS, TABS, type Tab } from '@bowerbird/engines/engine.ts'
import type { SearxngEngines } from './searxng-engines.ts'

export const CATEGORIES: Readonly<Record<Tab, readonly [string, ...string[]]>> = {
  web: ['general', 'web'],
  images: ['images'],
  news: ['news'],
  videos: ['videos'],
  science: ['science'],
  code: ['it'],
}

export const TAB_BY_CATEGORY: ReadonlyMap<string, Tab> = new Map(
  TABS.flatMap((tab) => CATEGORIES[tab].map((category) => [category, tab] as const)),
)

/** An optional tab that no engine serves is treated like a category that only other instances have. */
export const isOffered = (tab: Tab, { list }: SearxngEngines): boolean =>
  !OPTIONAL_TABS.has(tab) || list.some((engine) => engine.tab === tab)
