// Default replies of the services of the API in memory.

import type { Hit, Tab, WebHit } from '@bowerbird/engines/engine.ts'
import type { CostReader } from '../budget/cost-ledger.ts'
import { ALL_CARDS } from '../cards/all.ts'
import type { Cards } from '../cards/cards.ts'
import type { InstantAnswers } from '../cards/instant-answers.ts'
import type { ProviderStatusBoard } from '../health/provider-status.ts'
import type { Maps } from '../maps/maps.ts'
import type { ReadOutcome } from '../reader/reader.ts'
import { mergeRankings } from '../search/merge.ts'
import type { Search, SearchAnswer } from '../search/search.ts'
import type { SearchRequest } from '../search/search-request.ts'
import type { SearchWatcher } from '../search/search-watcher.ts'
import type { Suggest } from '../search/suggest.ts'
import type { Translate } from '../translate/translate.ts'
import type { KeyUsage } from './endpoints/key-endpoint.ts'
import type { PageReading } from './page-reading.ts'

export const NOW = Date.UTC(2026, 10, 15, 12)

type WithoutCaller<Service> = Service extends (caller: never, ...args: infer Args) => infer Result
  ? (...args: Args) => Result
  : never

export interface Says {
  search: (tab: Tab, request: SearchRequest, watcher?: SearchWatcher) => Promise<SearchAnswer>
  mine: Says['search']
  preview: (tab: Tab, request: SearchRequest) => ReturnType<Search['preview']>
  costs: CostReader['ofMonth']
  suggest: WithoutCaller<Suggest['suggest']>
  forward: WithoutCaller<Maps['forward']>
  reverse: WithoutCaller<Maps['reverse']>
  translate: WithoutCaller<Translate['translate']>
  languages: WithoutCaller<Translate['languages']>
  answer: WithoutCaller<InstantAnswers['answer']>
  cards: WithoutCaller<Cards['cards']>
  read: PageReading['read']
  status: ProviderStatusBoard['list']
  usage: KeyUsage['readUsage']
}

export const webHit = (own: Partial<WebHit> = {}): WebHit => ({
  kind: 'web',
  title: 'A title',
  url: 'https://example.org/',
  description: '',
  faviconUrl: '',
  publishedAt: undefined,
  sitelinks: [],
  ...own,
})

/** What reading a page gives. */
export const readPage = (content: string, own: Partial<ReadPage> = {}, address = 'https://example.org/') => ({
  ok: true as const,
  address,
  fetchedAt: NOW,
  page: { ...EMPTY_PAGE, content, ...own },
})
type ReadPage = (ReadOutcome & { ok: true })['page']
const EMPTY_PAGE = { type: 'html', title: '', byline: '', siteName: '', language: '', published: '' } as const

/** An answer of the search, from one engine unless given. */
export function found(
  tab: Tab,
  request: SearchRequest,
  own: Partial<SearchAnswer> & { hits?: readonly Hit[] } = {},
): SearchAnswer {
  const { hits = [], ...members } = own
  const ranking = { slot: 'engine_a', weight: 1, hits }
  return {
    tab,
    request,
    now: NOW,
    correction: '',
    results: mergeRankings([ranking]),
    isCurrent: undefined,
    engines: ['engine_a'],
    status: 'complete',
    reports: [{ slot: 'engine_a', outcome: 'ok', count: hits.length, ms: 12, cached: undefined, isStale: false }],
    filtered: 0,
    unchecked: [],
    blocked: 0,
    cut: 0,
    upstreamMs: 12,
    ...members,
  }
}

/** Everything answers, with empty results. */
export const silentServices = (): Says => ({
  search: async (tab, request) => found(tab, request),
  mine: async (tab, request) => found(tab, request),
  preview: async () => ({ engines: [], skips: [] }),
  costs: async () => [],
  suggest: async () => ({ suggestions: [], status: 'complete' }),
  forward: async () => ({ places: [], attribution: '' }),
  reverse: async () => ({ places: [], attribution: '' }),
  translate: async ({ text, source, target }) => ({ text, source, target, detected: '' }),
  languages: async () => [],
  answer: async () => null,
  read: async () => ({ ok: false, reason: 'unreachable' }),
  cards: async () => ({
    cards: Object.fromEntries(ALL_CARDS.map(({ kind }) => [kind, null])),
    reports: [],
    status: 'complete',
  }),
  status: async () => [],
  usage: async () => ({ counts: [], isComplete: true }),
})
