// Cuts a part out of a page's sections, so that a long page can be read in pieces; `text-window.ts` of the reader does so
// with texts.
import type { Section } from '@bowerbird/reader/extracted-page.ts'
import { windowOf } from '@bowerbird/reader/text-window.ts'

/**
 * Positions count the characters of each heading and text. A section that began before the window repeats its heading.
 */
export function sectionsWindowOf(sections: readonly Section[], start: number, length: number) {
  const end = start + length
  const shown: Section[] = []
  let at = 0
  let reached = start
  for (const { heading, level, text } of sections) {
    const textAt = at + heading.length
    const endsAt = textAt + text.length
    if (at < end && endsAt > start) {
      const from = Math.max(textAt, start)
      const part = windowOf(text, from - textAt, Math.max(0, end - from))
      shown.push({ heading, level, text: part })
      reached = Math.min(end, from + part.length)
    }
    at = endsAt
  }
  return { sections: shown, length: reached - start, total: at }
}
