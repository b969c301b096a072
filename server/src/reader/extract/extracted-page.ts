// What the reader takes out of a page.

export interface ExtractedPage {
  type: 'html' | 'pdf' | 'json' | 'text'
  title: string
  /** As the page names its author. */
  byline: string
  siteName: string
  /** A language tag, or '' if the page says nothing. */
  language: string
  /** ISO 8601, or ''. */
  published: string
  content: string
}

export type ContentFormat = 'markdown' | 'text'

/** Of the content, in characters; what is beyond is not given. */
export const LONGEST_CONTENT = 250_000
