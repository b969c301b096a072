// GET /searxng/config: tells clients which engines and categories there are. Some clients refuse a filter that no
// engine here claims to support, so ours claim every filter that their tab has: an engine that cannot honour one is
// skipped, and the reply says so.

import { TABS } from '@bowerbird/engines/engine.ts'
import { VERSION } from '../../config/version.ts'
import { CATEGORIES, isOffered } from './searxng-categories.ts'
import type { SearxngEngines } from './searxng-engines.ts'

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
  brand: {},
  limiter: {
    enabled: false,
    'botdetection.ip_limit.link_token': false,
    'botdetection.ip_lists.pass_searxng_org': false,
  },
  doi_resolvers: [],
  default_doi_resolver: '',
  public_instance: false,
})
