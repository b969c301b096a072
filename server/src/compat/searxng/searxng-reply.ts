// Writes an answer in SearXNG's format, field by field and type by type: its clients read strings without checking for
// null, sort by `score`, and assume that `engines` and `category` are there. `answers` are strings, because clients
// pass them to a language model as they are.
import type { HitOf, Tab } from '@bowerbird/engines/engine.ts'
import type { EngineReport } from '../../search/engine-report.ts'
import type { MergedHit } from '../../search/merge.ts'
import type { SearchAnswer } from '../../search/search.ts'
import { canonicalAddress } from '../../text/canonical-address.ts'
import { CATEGORIES } from './searxng-engines.ts'

const TEMPLATE: Record<Tab, string> = {
  web: 'default.html',
  images: 'images.html',
  news: 'default.html',
  videos: 'videos.html',
  science: 'default.html',
  code: 'default.html',
}

/** In SearXNG's own words where it has any. */
const FAILURE_REASONS: Record<Extract<EngineReport, { outcome: 'failed' }>['kind'], string> = {
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
const SKIP_REASONS: Record<Extract<EngineReport, { outcome: 'skipped' }>['reason'], string> = {
  safe: 'no safe search',
  date: 'no time range',
  lang: 'language not supported',
  page: 'no such page',
  length: 'query too long',
  loop: 'would ask in a circle',
}

export interface SearxngParts {
  answer: SearchAnswer<Tab>
  /** The display names of the engines that serve the tab in a slot. */
  nameOf: (slot: string) => string
  /** The text of the instant answer, or ''. */
  instant: string
  maxResults: number | undefined
}

export function searxngReply({ answer, nameOf, instant, maxResults }: SearxngParts) {
  const { tab, request, results, correction } = answer
  const shown = results.slice(0, maxResults)
  return {
    ...emptyReply(request.text),
    number_of_results: shown.length,
    results: shown.map((merged) => searxngResult(merged, tab, nameOf)),
    answers: instant === '' ? [] : [instant],
    corrections: correction === '' ? [] : [correction],
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
    if (report.outcome === 'failed') return [[nameOf(report.slot), FAILURE_REASONS[report.kind]]]
    if (report.outcome === 'skipped' && report.reason !== 'page')
      return [[nameOf(report.slot), SKIP_REASONS[report.reason]]]
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
    iframe_src: tab === 'videos' ? videoEmbedUrl(url) : '',
    engine: engines[0] ?? '',
    engines,
    parsed_url: parsedUrl(url),
    template: TEMPLATE[tab],
    positions: contributions.map(({ rank }) => rank),
    score,
    category: CATEGORIES[tab][0],
    priority: '',
  }
}

/** In the format of Python's `urlparse`: scheme, host, path, parameters, query, fragment. */
function parsedUrl(address: string): string[] {
  const url = URL.parse(address)
  if (!url) return ['', '', address, '', '', '']
  return [url.protocol.slice(0, -1), url.host, url.pathname, '', url.search.slice(1), url.hash.slice(1)]
}

interface Feed {
  answer: SearchAnswer<Tab> | undefined
  query: string
  /** Scheme and host of this instance. */
  baseUrl: string
}

/** Writes the same results as an RSS 2.0 feed, for feed readers. */
export function searxngRss({ answer, query, baseUrl }: Feed): string {
  const results = answer?.results ?? []
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">
<channel>
<title>${escapeXml(`${query} · Bowerbird`)}</title>
<link>${escapeXml(`${baseUrl}/search?q=${encodeURIComponent(query)}`)}</link>
<description>${escapeXml(`Search results for “${query}”`)}</description>
<opensearch:totalResults>${results.length}</opensearch:totalResults>
<opensearch:startIndex>1</opensearch:startIndex>
<opensearch:itemsPerPage>${results.length}</opensearch:itemsPerPage>
<opensearch:Query role="request" searchTerms="${escapeXml(query)}" startPage="${answer?.request.page ?? 1}"/>
${results.map(({ hit }) => rssItem(hit)).join('')}</channel>
</rss>
`
}

function rssItem(hit: HitOf[Tab]): string {
  const published = 'publishedAt' in hit ? hit.publishedAt : undefined
  return `<item>
<title>${escapeXml(hit.title)}</title>
<link>${escapeXml(hit.url)}</link>
<description>${escapeXml('description' in hit ? hit.description : '')}</description>
${published === undefined ? '' : `<pubDate>${new Date(published).toUTCString()}</pubDate>\n`}<guid isPermaLink="false">${escapeXml(canonicalAddress(hit.url))}</guid>
</item>
`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** Characters that XML 1.0 cannot represent in any form, unpaired surrogates included. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const escapeXml = (text: string): string =>
  text.replaceAll(FORBIDDEN, '').replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')

const VIDEO_ID = /^[\w-]{5,40}$/

/**
 * Returns the URL at which a video can be embedded in another page: SearXNG's clients show only videos that have one.
 * '' if we don't know the site.
 */
function videoEmbedUrl(address: string): string {
  const url = URL.parse(address)
  if (!url) return ''
  const host = url.hostname.replace(/^(?:www|m)\./, '')
  const [first = '', second = '', third = ''] = url.pathname.split('/').slice(1)
  if (host === 'youtube.com' && first === 'watch')
    return embedUrl('https://www.youtube-nocookie.com/embed/', url.searchParams.get('v'))
  if (host === 'youtu.be') return embedUrl('https://www.youtube-nocookie.com/embed/', first)
  if (host === 'vimeo.com') return embedUrl('https://player.vimeo.com/video/', first)
  if (host === 'dailymotion.com' && first === 'video')
    return embedUrl('https://www.dailymotion.com/embed/video/', second)
  // PeerTube, on any host.
  if (first === 'w') return embedUrl(`${url.origin}/videos/embed/`, second)
  return first === 'videos' && second === 'watch' ? embedUrl(`${url.origin}/videos/embed/`, third) : ''
}

const embedUrl = (base: string, id: string | null): string => (id !== null && VIDEO_ID.test(id) ? `${base}${id}` : '')
