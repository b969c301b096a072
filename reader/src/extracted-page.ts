// The result of extracting a page.
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
  /** A language tag, or '' if the page has none. */
  language: string
  /** ISO 8601, or ''. */
  published: string
}

/** `blocks`: as JSON, for `parse-blocks.ts`. */
export type ContentFormat = 'markdown' | 'text' | 'sections' | 'blocks'

/** The most characters of content; the rest is cut off. */
export const LONGEST_CONTENT = 250_000
