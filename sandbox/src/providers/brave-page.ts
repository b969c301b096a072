// Brave's reply for web results. Blocks without content are absent, and text carries entities (and <strong> unless
// `text_decorations=false`).
import type { Found } from '../corpus/corpus.ts'
import type { CorpusHit } from '../corpus/hits.ts'
import { BRAVE_IMAGES, braveAge, metaUrl, pageFetched } from './brave-fields.ts'
import type { BraveParameters } from './brave-parameters.ts'
import { escapeHtml } from './escape-html.ts'

interface BravePage {
  parameters: BraveParameters
  /** The query that was searched. */
  text: string
  altered: string | undefined
  found: Found<CorpusHit>
  now: number
}

export function presentBravePage({ parameters, text, altered, found, now }: BravePage): unknown {
  const shown = parameters.showsWeb ? found.hits : []
  const reached = (parameters.offset + 1) * parameters.count
  return {
    type: 'search',
    query: {
      original: parameters.q,
      ...(altered !== undefined && { altered }),
      cleaned: text,
      spellcheck_off: !parameters.spellcheck,
      show_strict_warning: false,
      is_navigational: false,
      is_news_breaking: false,
      country: parameters.country,
      bad_results: false,
      should_fallback: false,
      more_results_available: reached < found.total && parameters.offset < 9,
      search_operators: { applied: false, cleaned_query: text, sites: [] },
    },
    ...(shown.length > 0 && {
      mixed: {
        type: 'mixed',
        main: shown.map((_, index) => ({ type: 'web', index, all: false })),
        top: [],
        side: [],
      },
      web: {
        type: 'search',
        family_friendly: !shown.some((hit) => hit.isAdult),
        mutated_by_goggles: false,
        results: shown.map((hit) => presentHit(hit, parameters.highlights ? text : '', now)),
      },
    }),
  }
}

function presentHit(hit: CorpusHit, highlight: string, now: number): unknown {
  return {
    type: 'search_result',
    subtype: 'generic',
    is_live: false,
    is_source_local: false,
    is_source_both: false,
    title: escapeHtml(hit.title),
    url: hit.url,
    description: highlighted(escapeHtml(hit.sentences.join(' ')), escapeHtml(highlight)),
    ...(hit.publishedAt !== undefined && braveAge(hit.publishedAt, now)),
    page_fetched: pageFetched(hit.mark, now),
    language: 'en',
    family_friendly: !hit.isAdult,
    content_type: 'text/html',
    profile: { name: hit.siteName, long_name: hit.host, url: hit.url, img: `${BRAVE_IMAGES}/profile/${hit.host}.png` },
    meta_url: metaUrl(hit),
    ...(hit.mark % 3 !== 0 && {
      thumbnail: {
        src: `${BRAVE_IMAGES}/thumbnail/${hit.host}.jpg`,
        original: `https://${hit.host}/cover.jpg`,
        logo: hit.mark % 7 === 0,
      },
    }),
    ...(hit.sitelinks.length > 0 && {
      deep_results: {
        buttons: hit.sitelinks.map((link) => ({ type: 'button_result', title: escapeHtml(link.title), url: link.url })),
        links: [],
        news: [],
        videos: [],
        images: [],
      },
    }),
  }
}

function highlighted(description: string, words: string): string {
  const at = words === '' ? -1 : description.toLowerCase().indexOf(words.toLowerCase())
  if (at < 0) return description
  const end = at + words.length
  return `${description.slice(0, at)}<strong>${description.slice(at, end)}</strong>${description.slice(end)}`
}
