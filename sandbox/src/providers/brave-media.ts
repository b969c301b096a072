// Brave's replies for images, news and videos. The dedicated news endpoint names no publisher, images may carry
// `altered: null`, and durations are clock strings.
import type { Found } from '../corpus/corpus.ts'
import type { PictureHit, StoryHit, VideoHit } from '../corpus/hits.ts'
import { BRAVE_IMAGES, braveAge, metaUrl, pageFetched } from './brave-fields.ts'
import type { BraveParameters } from './brave-parameters.ts'
import { escapeHtml } from './escape-html.ts'
import { clock } from './wire-time.ts'

interface Asked {
  parameters: BraveParameters
  altered: string | undefined
  now: number
}

const queryBlock = ({ parameters, altered }: Asked, whenUnaltered: { altered?: null } = {}) => ({
  original: parameters.q,
  ...(altered === undefined ? whenUnaltered : { altered }),
  spellcheck_off: !parameters.spellcheck,
  show_strict_warning: false,
})

export const presentBraveImages = (asked: Asked, found: Found<PictureHit>): unknown => ({
  type: 'images',
  query: queryBlock(asked, { altered: null }),
  results: found.hits.map((hit) => ({
    type: 'image_result',
    title: escapeHtml(hit.title),
    url: hit.url,
    source: hit.host,
    page_fetched: pageFetched(hit.mark, asked.now),
    thumbnail: {
      src: `${BRAVE_IMAGES}/images/${hit.mark}.jpg`,
      width: hit.thumbnail.width,
      height: hit.thumbnail.height,
    },
    properties: {
      url: hit.imageUrl,
      placeholder: `${BRAVE_IMAGES}/p/${hit.mark}.jpg`,
      width: hit.width,
      height: hit.height,
    },
    meta_url: metaUrl(hit),
    confidence: ['low', 'medium', 'high'][hit.mark % 3],
  })),
  extra: { might_be_offensive: found.hits.some((hit) => hit.isAdult) },
})

export const presentBraveNews = (asked: Asked, found: Found<StoryHit>): unknown => ({
  type: 'news',
  query: queryBlock(asked),
  results: found.hits.map((hit) => ({
    type: 'news_result',
    title: escapeHtml(hit.title),
    url: hit.url,
    description: escapeHtml(hit.sentences.join(' ')),
    ...braveAge(hit.publishedAt, asked.now),
    page_fetched: pageFetched(hit.mark, asked.now),
    breaking: hit.mark % 20 === 0,
    ...(hit.mark % 6 !== 0 && {
      thumbnail: { src: `${BRAVE_IMAGES}/news/${hit.mark}.jpg`, original: hit.thumbnailUrl },
    }),
    meta_url: metaUrl(hit),
    extra_snippets: [],
  })),
})

export const presentBraveVideos = (asked: Asked, found: Found<VideoHit>): unknown => ({
  type: 'videos',
  query: queryBlock(asked),
  extra: { might_be_offensive: found.hits.some((hit) => hit.isAdult) },
  results: found.hits.map((hit) => ({
    type: 'video_result',
    title: escapeHtml(hit.title),
    url: hit.url,
    description: escapeHtml(hit.sentences.join(' ')),
    ...braveAge(hit.publishedAt, asked.now),
    page_fetched: pageFetched(hit.mark, asked.now),
    thumbnail: { src: `${BRAVE_IMAGES}/videos/${hit.mark}.jpg`, original: hit.thumbnailUrl },
    video: {
      duration: clock(hit.seconds).padStart(5, '0'),
      views: hit.views,
      creator: hit.channel,
      publisher: hit.platform,
      requires_subscription: false,
      tags: [],
      author: { name: hit.channel, url: `https://${hit.host}/`, long_name: hit.channel, img: '' },
    },
    meta_url: metaUrl(hit),
  })),
})

export const presentBraveSuggestions = (parameters: BraveParameters, completions: readonly string[]): unknown => ({
  type: 'suggest',
  query: { original: parameters.q },
  results: completions.map((query, index) => ({
    query,
    ...(parameters.isRich && { is_entity: index === 0, ...(index === 0 && { title: query, description: 'Subject' }) }),
  })),
})
