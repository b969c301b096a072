// What the reader takes out of a page.
import type { Section } from './sections.ts'

export interface PageContent {
  /** Empty with the format `sections`. */
  content: string
  /** Only with the format `sections`. */
  sections?: Section[] | undefined
}

export interface ExtractedPage extends PageContent {
  type: 'html' | 'pdf' | 'json' | 'text'
  title: string
  /** As the page names its author. */
  byline: string
  siteName: string
  /** A language tag, or '' if the page says nothing. */
  language: string
  /** ISO 8601, or ''. */
  published: string
}

/** `blocks`: as JSON, for `parse-blocks.ts`. */
export type ContentFormat = 'markdown' | 'text' | 'sections' | 'blocks'

/** Of the content, in characters; what is beyond is not given. */
export const LONGEST_CONTENT = 250_000
