// The API endpoint that a search is counted under: compatible APIs have no usage counts of their own.
import type { Tab } from '@bowerbird/engines/engine.ts'

export const ENDPOINT_OF_TAB: Record<Tab, string> = {
  web: 'web_search',
  images: 'image_search',
  news: 'news_search',
  videos: 'video_search',
  science: 'science_search',
  code: 'code_search',
}
