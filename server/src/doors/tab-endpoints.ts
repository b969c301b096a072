// Under which of the API's endpoints a search is counted: a door has no usage of its own.
import type { Tab } from '../providers/engine.ts'

export const ENDPOINT_OF_TAB: Record<Tab, string> = {
  web: 'web_search',
  images: 'image_search',
  news: 'news_search',
  videos: 'video_search',
  science: 'science_search',
  code: 'code_search',
}
