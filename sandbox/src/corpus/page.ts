// An invented page, as every engine knows it. How an engine shows it (address, snippet, date) is the engine's own
// matter.
import type { Entry } from './entry.ts'

interface PageText {
  /** Percent-encoded, begins with a slash, never ends with one. */
  path: string
  title: string
  /** Two or three. Engines show different parts of them, as real engines do. */
  sentences: readonly string[]
}

export interface Page extends Entry {
  siteName: string
  /** Parts of the same site, for engines that show sitelinks. */
  sections: readonly string[]
  /** Composed only when asked, because most pages of a universe are never on the page shown. */
  write(): PageText
}
