// Cuts a part out of a page's text, so that a long page can be read in pieces. A part never ends in half a surrogate
// pair, unless nothing else fits. A caller's own `start` may fall inside a pair; that half becomes U+FFFD, because some
// clients can't parse JSON with a lone surrogate.
import type { Section } from '@bowerbird/reader/extracted-page.ts'

export function windowOf(content: string, start: number, length: number): string {
  const part = content.slice(start, start + length)
  const last = part.charCodeAt(part.length - 1)
  const isCut = last >= 0xd800 && last <= 0xdbff && start + part.length < content.length
  return (isCut && part.length > 1 ? part.slice(0, -1) : part).toWellFormed()
}

/**
 * The same for sections. Positions count the characters of each heading and text. A section that began before the
 * window repeats its heading.
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
