// Writes what a search found as RSS 2.0 and as JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/). Not as Atom, where
// every entry must have a date: many results have none, and we invent none.
//
// Readers show a description in RSS as HTML, so what an engine found is escaped twice there: once more than XML needs. A
// title is plain text.
import { describeHit, publishedAtOf } from '../../search/hit-facts.ts'
import { pageAddress } from '../../search/merge.ts'
import type { SearchAnswer } from '../../search/search.ts'
import { canonicalAddress } from '../../text/canonical-address.ts'
import { escapeMarkup } from '../../text/escape-markup.ts'

export interface FeedItem {
  /** The same for all addresses of a page, so that no reader shows it twice. */
  id: string
  url: string
  title: string
  /** '' if nothing else is known. */
  text: string
  /** In milliseconds since 1970; undefined if no engine knows it. */
  publishedAt: number | undefined
}

export interface FeedDocument {
  title: string
  description: string
  /** The page with the same results. */
  pageUrl: string
  feedUrl: string
  /** A BCP 47 tag, or '' for any. */
  language: string
  /** How long readers needn't ask again. */
  lifeSeconds: number
  items: readonly FeedItem[]
}

export const feedItemsOf = ({ results }: Pick<SearchAnswer, 'results'>): FeedItem[] =>
  results.map((result) => {
    const { hit } = result
    // Of the page that was found, whatever address a rule shows it under. A page may have several pictures.
    const page = canonicalAddress(pageAddress(result))
    const id = hit.kind === 'image' ? `${page} ${hit.thumbnailUrl}` : page
    const { url, title } = hit
    return { id, url, title: title || url, text: describeHit(hit), publishedAt: realTime(publishedAtOf(hit)) }
  })

/** No calendar has a day for a time that is too far away, and writing it would fail. */
const realTime = (at: number | undefined): number | undefined =>
  at !== undefined && Number.isNaN(new Date(at).getTime()) ? undefined : at

export function rssFeed({ title, description, pageUrl, feedUrl, language, lifeSeconds, items }: FeedDocument): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${escapeMarkup(title)}</title>
<link>${escapeMarkup(pageUrl)}</link>
<description>${escapeMarkup(escapeMarkup(description))}</description>
${language && `<language>${escapeMarkup(language)}</language>\n`}<ttl>${lifeSeconds / 60}</ttl>
<atom:link href="${escapeMarkup(feedUrl)}" rel="self" type="application/rss+xml"/>
${items.map(rssItem).join('')}</channel>
</rss>
`
}

const rssItem = ({ id, url, title, text, publishedAt }: FeedItem): string => `<item>
<title>${escapeMarkup(title)}</title>
<link>${escapeMarkup(url)}</link>
<description>${escapeMarkup(escapeMarkup(text))}</description>
${publishedAt === undefined ? '' : `<pubDate>${new Date(publishedAt).toUTCString()}</pubDate>\n`}<guid isPermaLink="false">${escapeMarkup(id)}</guid>
</item>
`

export const jsonFeed = ({ title, description, pageUrl, feedUrl, language, items }: FeedDocument): string =>
  JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: pageUrl,
    feed_url: feedUrl,
    description,
    ...(language && { language }),
    items: items.map(({ id, url, title, text, publishedAt }) => ({
      id,
      url,
      title,
      // Required, even if the title says everything.
      content_text: text || title,
      ...(publishedAt !== undefined && { date_published: new Date(publishedAt).toISOString() }),
    })),
  })
