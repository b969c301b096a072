// Writes blocks as sections: each heading with the plain text below it, up to the next heading.
import type { Block } from './blocks.ts'
import { toPlain } from './plain.ts'

export interface Section {
  /** Empty for the text before the first heading. */
  heading: string
  /** 1 to 6; 0 without a heading. */
  level: number
  text: string
}

export function toSections(blocks: readonly Block[]): Section[] {
  const sections: (Omit<Section, 'text'> & { blocks: Block[] })[] = [{ heading: '', level: 0, blocks: [] }]
  for (const block of blocks) {
    if (block.kind === 'heading') {
      sections.push({ heading: toPlain([block]).replace(/\n/g, ' '), level: block.level, blocks: [] })
    } else sections.at(-1)?.blocks.push(block)
  }
  return sections
    .map(({ blocks: own, ...section }) => ({ ...section, text: toPlain(own) }))
    .filter(({ heading, text }) => heading !== '' || text !== '')
}

/** Truncates to `most` characters, headings included. */
export function shortened(sections: readonly Section[], most: number): Section[] {
  let left = most
  const kept: Section[] = []
  for (const { heading, level, text } of sections) {
    if (left <= 0) break
    const section = { heading: heading.slice(0, left).toWellFormed(), level, text: '' }
    left -= section.heading.length
    section.text = text.slice(0, Math.max(0, left)).toWellFormed()
    left -= section.text.length
    kept.push(section)
  }
  return kept
}
