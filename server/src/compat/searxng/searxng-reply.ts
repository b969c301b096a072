// Writes an answer in SearXNG's format, field by field and type by type: its clients read strings without checking for
// null, sort by `score`, and assume that `engines` and `category` are there. `answers` are strings, because clients
// pass them to a language model as they are.
import type { Hit, Tab } from '@bowerbird/engines/engine.ts'
import { wikipediaCard } from '../../cards/wikipedia-card.ts'
import { describeHit, publicationDate, publishedAtOf } from '../../search/hit-facts.ts'
import type { MergedHit } from '../../search/merge.ts'
import type { SearchAnswer } from '../../search/search.ts'
import { canonicalAddress } from '../../text/canonical-address.ts'
import { escapeMarkup } from '../../text/escape-markup.ts'
import { missingEngines } from '../search-note.ts'
import { CATEGORIES } from './searxng-engines.ts'

const TEMPLATE: Record<Tab, string> = {
  web: 'default.html',
  images: 'images.html',
  news: 'default.html',
  videos: 'videos.html',
  science: 'default.html',
  code: 'default.html',
}

/** What stands beside the results. */
export interface Extras {
  /** The text of the instant answer, or ''. */
  instant: string
  infoboxes: object[]
  suggestions: readonly string[]
}

export const NO_EXTRAS: Extras = { instant: '', infoboxes: [], suggestions: [] }

/** The article about what the query names, if there is one. */
export function infoboxesOf(cards: Readonly<Record<string, unknown>> | undefined): object[] {
  const read = wikipediaCard.reply.safeParse(cards?.['wikipedia'])
  if (!read.success) return []
  const { title, summary, url, image, facts, sources } = read.data
  return [
    {
      infobox: title,
      id: url,
      content: summary,
      img_src: image?.url ?? '',
      urls: sources.map(({ name, url: address }) => ({ title: name, url: address })),
      attributes: facts.map(({ label, values }) => ({ label, value: values.map(({ text }) => text).join(', ') })),
      engine: 'wikipedia',
      engines: ['wikipedia'],
    },
  ]
}

export interface SearxngParts extends Extras {
  /** The query without its modifiers. */
  text: string
  /** One for each category. */
  answers: readonly SearchAnswer[]
  /** Categories without an answer, and why. */
  failed: readonly (readonly [category: string, reason: string])[]
  /** The display names of the engines that serve a tab in a slot. */
  nameOf: (slot: string, tab: Tab) => string
  maxResults: number | undefined
}

/** The results of all categories, best first. */
const shownResults = ({ answers, maxResults }: Pick<SearxngParts, 'answers' | 'maxResults'>) =>
  answers
    .flatMap(({ tab, results }) => results.map((merged) => ({ tab, merged })))
    .sort((left, right) => right.merged.score - left.merged.score)
    .slice(0, maxResults)

export function searxngReply(parts: SearxngParts) {
  const { text, answers, failed, nameOf, instant, infoboxes, suggestions } = parts
  const shown = shownResults(parts)
  return {
    ...emptyReply(text),
    number_of_results: shown.length,
    results: shown.map(({ tab, merged }) => searxngResult(merged, tab, (slot) => nameOf(slot, tab))),
    answers: instant === '' ? [] : [instant],
    corrections: [...new Set(answers.map(({ correction }) => correction).filter(Boolean))],
    infoboxes,
    suggestions: suggestions.filter((suggestion) => suggestion !== text),
    unresponsive_engines: [
      ...answers.flatMap(({ tab, reports }) =>
        missingEngines(reports, (slot) => nameOf(slot, tab)).map(({ engine, reason }) => [engine, reason]),
      ),
      ...failed,
    ],
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

function searxngResult({ hit, slots, score, contributions }: MergedHit, tab: Tab, nameOf: (slot: string) => string) {
  const { title, url } = hit
  const engines = slots.map(nameOf)
  return {
    url,
    title,
    content: describeHit(hit),
    publishedDate: publicationDate(hit) || null,
    thumbnail: hit.kind === 'web' ? '' : hit.thumbnailUrl,
    img_src: hit.kind === 'image' ? (hit.imageUrl ?? hit.thumbnailUrl) : '',
    thumbnail_src: hit.kind === 'image' ? hit.thumbnailUrl : '',
    ...(hit.kind === 'image' && hit.width && { resolution: `${hit.width} x ${hit.height}` }),
    iframe_src: hit.kind === 'video' ? videoEmbedUrl(url) : '',
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

interface Feed extends Pick<SearxngParts, 'text' | 'answers' | 'maxResults'> {
  /** Scheme and host of this instance. */
  baseUrl: string
}

/** Writes the same results as an RSS 2.0 feed, for feed readers. */
export function searxngRss({ text, baseUrl, ...parts }: Feed): string {
  const results = shownResults(parts)
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">
<channel>
<title>${escapeMarkup(`${text} · Bowerbird`)}</title>
<link>${escapeMarkup(`${baseUrl}/search?q=${encodeURIComponent(text)}`)}</link>
<description>${escapeMarkup(`Search results for “${text}”`)}</description>
<opensearch:totalResults>${results.length}</opensearch:totalResults>
<opensearch:startIndex>1</opensearch:startIndex>
<opensearch:itemsPerPage>${results.length}</opensearch:itemsPerPage>
<opensearch:Query role="request" searchTerms="${escapeMarkup(text)}" startPage="${parts.answers[0]?.request.page ?? 1}"/>
${results.map(({ merged: { hit } }) => rssItem(hit)).join('')}</channel>
</rss>
`
}

/** Writes them as a page, in which programs look for `article.result`, and in that for `a[rel=noreferrer]` and `p.content`. */
export function searxngHtml(parts: Pick<SearxngParts, 'text' | 'answers' | 'maxResults'>): string {
  const title = escapeMarkup(`${parts.text} · Bowerbird`)
  const articles = shownResults(parts).map(({ merged: { hit } }) => {
    const content = 'description' in hit ? hit.description : ''
    return `<article class="result"><h3><a href="${escapeMarkup(hit.url)}" rel="noreferrer">${escapeMarkup(hit.title)}</a></h3><p class="content">${escapeMarkup(content)}</p></article>\n`
  })
  return `<!doctype html>
<html><head><meta charset="utf-8"><title>${title}</title></head>
<body><main id="main_results">
${articles.join('')}</main></body></html>
`
}

function rssItem(hit: Hit): string {
  const published = publishedAtOf(hit)
  return `<item>
<title>${escapeMarkup(hit.title)}</title>
<link>${escapeMarkup(hit.url)}</link>
<description>${escapeMarkup('description' in hit ? hit.description : '')}</description>
${published === undefined ? '' : `<pubDate>${new Date(published).toUTCString()}</pubDate>\n`}<guid isPermaLink="false">${escapeMarkup(canonicalAddress(hit.url))}</guid>
</item>
`
}

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
