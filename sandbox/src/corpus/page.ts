// An invented page, shared by all engines. How it is shown (address, snippet, date) depends on the engine.
import type { Entry } from './entry.ts'

interface PageText {
  /** Percent-encoded, begins with a slash, never ends with one. */
  path: string
  title: string
  /** Two or three. Engines show different parts of them, like real engines. */
  sentences: readonly string[]
}

export interface Page extends Entry {
  siteName: string
  /** Parts of the same site, for engines that show sitelinks. */
  sections: readonly string[]
  /** Composed on demand, because most pages of a universe are never shown. */
  write(): PageText
}
