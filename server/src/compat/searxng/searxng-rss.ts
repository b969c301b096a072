// The same results as an RSS 2.0 feed, for feed readers.
import type { HitOf, Tab } from '@bowerbird/engines/engine.ts'
import type { SearchAnswer } from '../../search/search.ts'
import { canonicalAddress } from '../../text/canonical-address.ts'

interface Feed {
  answer: SearchAnswer<Tab> | undefined
  query: string
  /** Scheme and host of this instance. */
  baseUrl: string
}

export function searxngRss({ answer, query, baseUrl }: Feed): string {
  const results = answer?.results ?? []
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">
<channel>
<title>${xml(`${query} · Bowerbird`)}</title>
<link>${xml(`${baseUrl}/search?q=${encodeURIComponent(query)}`)}</link>
<description>${xml(`Search results for “${query}”`)}</description>
<opensearch:totalResults>${results.length}</opensearch:totalResults>
<opensearch:startIndex>1</opensearch:startIndex>
<opensearch:itemsPerPage>${results.length}</opensearch:itemsPerPage>
<opensearch:Query role="request" searchTerms="${xml(query)}" startPage="${answer?.request.page ?? 1}"/>
${results.map(({ hit }) => item(hit)).join('')}</channel>
</rss>
`
}

function item(hit: HitOf[Tab]): string {
  const published = 'publishedAt' in hit ? hit.publishedAt : undefined
  return `<item>
<title>${xml(hit.title)}</title>
<link>${xml(hit.url)}</link>
<description>${xml('description' in hit ? hit.description : '')}</description>
${published === undefined ? '' : `<pubDate>${new Date(published).toUTCString()}</pubDate>\n`}<guid isPermaLink="false">${xml(canonicalAddress(hit.url))}</guid>
</item>
`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** Characters that XML 1.0 cannot represent in any form, unpaired surrogates included. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const xml = (text: string): string =>
  text.replaceAll(FORBIDDEN, '').replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')
