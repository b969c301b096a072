// The result of extracting a page, or the reason why it couldn't be read.

export interface Section {
  /** Empty for the text before the first heading. */
  heading: string
  /** 1 to 6; 0 without a heading. */
  level: number
  text: string
}

export interface PageContent {
  /** Empty with the format `sections`. */
  content: string
  /** Only with the format `sections`. */
  sections?: Section[] | undefined
  /** The first addresses that the content links to, each once; left out if there are none. */
  links?: string[] | undefined
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

/** `blocks`: as JSON, for `parseBlocks`. */
export type ContentFormat = 'markdown' | 'text' | 'sections' | 'blocks'

/** The most characters of content; the rest is cut off. */
export const MAX_CONTENT_LENGTH = 250_000

/** A page with more is a list, and a program that reads on needs few. */
export const MAX_LINKS = 200

/** Clients see the reason, so it reveals nothing about where the page is. */
export type UnreadableReason = 'too_large' | 'too_complex' | 'not_text' | 'no_content'

export class UnreadablePage extends Error {
  readonly reason: UnreadableReason

  constructor(reason: UnreadableReason, options?: ErrorOptions) {
    super(`the page is unreadable: ${reason}`, options)
    this.reason = reason
  }
}
