// Writes an answer in SearXNG's format, field by field and type by type: its clients read strings without checking for
// null, sort by `score`, and assume that `engines` and `category` are there. `answers` are strings, because clients
// pass them to a language model as they are.
import type { HitOf, Tab } from '@bowerbird/engines/engine.ts'
import type { EngineReport } from '../../search/engine-report.ts'
import type { MergedHit } from '../../search/merge.ts'
import type { SearchAnswer } from '../../search/search.ts'
import { CATEGORIES } from './searxng-categories.ts'
import { videoEmbed } from './video-embed.ts'

const TEMPLATE: Record<Tab, string> = {
  web: 'default.html',
  images: 'images.html',
  news: 'default.html',
  videos: 'videos.html',
  science: 'default.html',
  code: 'default.html',
}

/** SearXNG's own wording where it has one. */
const REASONS: Record<Extract<EngineReport, { outcome: 'failed' }>['kind'], string> = {
  timeout: 'timeout',
  unreachable: 'HTTP connection error',
  throttled: 'too many requests',
  blocked: 'access denied',
  rejected: 'access denied',
  malformed: 'parsing error',
  overBudget: 'budget used up',
  open: 'Suspended: repeated failures',
  busy: 'too many requests',
}
const SKIPS: Record<Extract<EngineReport, { outcome: 'skipped' }>['reason'], string> = {
  safe: 'no safe search',
  date: 'no time range',
  lang: 'language not supported',
  page: 'no such page',
  length: 'query too long',
}

export interface SearxngParts {
  answer: SearchAnswer<Tab>
  /** The display names of the engines that serve the tab in a slot. */
  nameOf: (slot: string) => string
  /** An instant answer that is certain, or ''. */
  instant: string
  most: number | undefined
}

export function searxngReply({ answer, nameOf, instant, most }: SearxngParts) {
  const { tab, request, results, correction } = answer
  const shown = results.slice(0, most)
  return {
    query: request.text,
    number_of_results: shown.length,
    results: shown.map((merged) => searxngResult(merged, tab, nameOf)),
    answers: instant === '' ? [] : [instant],
    corrections: correction === '' ? [] : [correction],
    infoboxes: [],
    suggestions: [],
    unresponsive_engines: unresponsiveOf(answer.reports, nameOf),
  }
}

/** The reply past the last page, for which no engine is queried. */
export const emptyReply = (query: string) => ({
  query,
  number_of_results: 0,
  results: [],
  answers: [],
  corrections: [],
  infoboxes: [],
  suggestions: [],
  unresponsive_engines: [],
})

/** The engines that failed or were skipped, and why. An engine that simply has no such page has not failed. */
const unresponsiveOf = (reports: readonly EngineReport[], nameOf: (slot: string) => string) =>
  reports.flatMap((report): [string, string][] => {
    if (report.outcome === 'failed') return [[nameOf(report.slot), REASONS[report.kind]]]
    if (report.outcome === 'skipped' && report.reason !== 'page') return [[nameOf(report.slot), SKIPS[report.reason]]]
    return []
  })

type AnyHit = HitOf[Tab] & Partial<HitOf['web'] & HitOf['news'] & HitOf['videos'] & HitOf['images']>

function searxngResult(
  { hit, slots, score, contributions }: MergedHit<HitOf[Tab]>,
  tab: Tab,
  nameOf: (slot: string) => string,
) {
  // The hits of each tab have some of these members.
  const { title, url, description, publishedAt, publisher, thumbnailUrl = '' }: AnyHit = hit
  const engines = slots.map(nameOf)
  return {
    url,
    title,
    content: description ?? publisher ?? '',
    publishedDate: publishedAt === undefined ? null : new Date(publishedAt).toISOString(),
    thumbnail: thumbnailUrl,
    img_src: tab === 'images' ? thumbnailUrl : '',
    thumbnail_src: tab === 'images' ? thumbnailUrl : '',
    iframe_src: tab === 'videos' ? videoEmbed(url) : '',
    engine: engines[0] ?? '',
    engines,
    parsed_url: partsOf(url),
    template: TEMPLATE[tab],
    positions: contributions.map(({ rank }) => rank),
    score,
    category: CATEGORIES[tab][0],
    priority: '',
  }
}

/** As Python's urlparse: scheme, host, path, parameters, query, fragment. */
function partsOf(address: string): string[] {
  const url = URL.parse(address)
  if (!url) return ['', '', address, '', '', '']
  return [url.protocol.slice(0, -1), url.host, url.pathname, '', url.search.slice(1), url.hash.slice(1)]
}
