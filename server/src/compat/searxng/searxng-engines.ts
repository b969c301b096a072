// Our slots under the names that SearXNG's clients see and send: the display names of the engines that serve a tab. A
// slot's own name (`engine_a`) works too.
import { OPTIONAL_TABS, TABS, type Tab } from '@bowerbird/engines/engine.ts'
import { VERSION } from '../../config/version.ts'
import type { Search } from '../../search/search.ts'

export interface SearxngEngines {
  list: readonly { name: string; slot: string; tab: Tab }[]
  nameOf: (slot: string, tab: Tab) => string
  /** Whether an engine has this name, in lower case. */
  has: (name: string) => boolean
  /** The slots of a tab that the names refer to. Empty if none of the names is ours; a search then uses all slots. */
  slotsOf: (names: readonly string[], tab: Tab) => string[]
  /** The tab that the names imply, for a request without a category. */
  tabOf: (names: readonly string[]) => Tab
}

/** Names of engines that other instances have: `bing images`, `google news`, `youtube`. */
const HINTS: readonly [RegExp, Tab][] = [
  [/ images?$/, 'images'],
  [/ news$/, 'news'],
  [/(?: videos?|^youtube)$/, 'videos'],
]

export function createSearxngEngines(search: Pick<Search, 'slotNames' | 'labelOf'>): SearxngEngines {
  // A request separates names with commas, so no name may contain one.
  const nameOf = (slot: string, tab: Tab) => search.labelOf(slot, tab).replaceAll(', ', ' + ')
  const list = TABS.flatMap((tab) =>
    search.slotNames.flatMap((slot) => {
      const name = nameOf(slot, tab)
      return name === '' ? [] : [{ name, slot, tab }]
    }),
  )
  /** A request may name thousands. */
  function enginesNamed(names: readonly string[]) {
    const byName = Map.groupBy(
      list.flatMap((engine) =>
        [...new Set([engine.slot, engine.name.toLowerCase()])].map((name) => ({ name, engine })),
      ),
      ({ name }) => name,
    )
    return names.flatMap((name) => byName.get(name)?.map(({ engine }) => engine) ?? [])
  }
  return {
    list,
    nameOf,
    has: (name) => enginesNamed([name]).length > 0,
    slotsOf: (names, tab) => [
      ...new Set(enginesNamed(names).flatMap((engine) => (engine.tab === tab ? [engine.slot] : []))),
    ],
    tabOf(names) {
      const ours = enginesNamed(names)
      if (ours.length > 0) return ours.some(({ tab }) => tab === 'web') ? 'web' : (ours[0]?.tab ?? 'web')
      return names.flatMap((name) => HINTS.find(([pattern]) => pattern.test(name))?.[1] ?? [])[0] ?? 'web'
    },
  }
}

/**
 * SearXNG's categories for each of our tabs. Results carry the first category of their tab; some clients query only
 * engines that are in both `general` and `web`.
 */
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

/**
 * Onyx connects only to an instance that names this repository. It names whose API this is; `instance_name` and `version`
 * name the program.
 */
const BRAND = {
  PRIVACYPOLICY_URL: '',
  CONTACT_URL: '',
  GIT_URL: 'https://github.com/searxng/searxng',
  GIT_BRANCH: '',
  DOCS_URL: '',
}

/**
 * GET /searxng/config: tells clients which engines and categories there are. Some clients refuse a filter that no
 * engine here claims to support, so ours claim every filter that their tab has: an engine that cannot honour one is
 * skipped, and the reply says so.
 */
export const searxngConfig = (searxng: SearxngEngines) => ({
  categories: TABS.filter((tab) => isOffered(tab, searxng)).map((tab) => CATEGORIES[tab][0]),
  engines: searxng.list.map(({ name, slot, tab }) => ({
    name,
    categories: CATEGORIES[tab],
    shortcut: slot.replace('engine_', ''),
    enabled: true,
    paging: true,
    language_support: true,
    languages: [],
    regions: [],
    safesearch: true,
    time_range_support: tab !== 'images',
    timeout: 3,
  })),
  plugins: [],
  instance_name: 'Bowerbird',
  locales: { en: 'English', de: 'Deutsch', es: 'Español', fr: 'Français' },
  default_locale: '',
  autocomplete: '',
  safe_search: 1,
  default_theme: 'simple',
  version: VERSION,
  brand: BRAND,
  limiter: {
    enabled: false,
    'botdetection.ip_limit.link_token': false,
    'botdetection.ip_lists.pass_searxng_org': false,
  },
  doi_resolvers: [],
  default_doi_resolver: '',
  public_instance: false,
})
