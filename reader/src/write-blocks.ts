// Writes blocks in the requested format, up to the maximum length.
import type { Block } from './blocks.ts'
import { type ContentFormat, LONGEST_CONTENT, type PageContent } from './extracted-page.ts'
import { toMarkdown } from './markdown.ts'
import { toPlain } from './plain.ts'
import { shortened, toSections } from './sections.ts'
import { UnreadablePage } from './unreadable-page.ts'

/** JSON needs about twice as many characters. */
const LONGEST_JSON = 2 * LONGEST_CONTENT

/** Throws UnreadablePage if there is nothing to write. */
export function writeBlocks(blocks: readonly Block[], format: ContentFormat): PageContent {
  if (format === 'sections') {
    const sections = toSections(blocks)
    if (sections.length === 0) throw new UnreadablePage('no_content')
    return { content: '', sections: shortened(sections, LONGEST_CONTENT) }
  }
  const content = format === 'markdown' ? toMarkdown(blocks) : toPlain(blocks)
  if (content.trim() === '') throw new UnreadablePage('no_content')
  return { content: format === 'blocks' ? asJson(blocks) : content.slice(0, LONGEST_CONTENT).toWellFormed() }
}

/** As many whole blocks as fit. */
function asJson(blocks: readonly Block[]): string {
  const kept: string[] = []
  let length = 0
  for (const block of blocks) {
    const json = JSON.stringify(block)
    length += json.length + 1
    if (length > LONGEST_JSON) break
    kept.push(json)
  }
  if (kept.length === 0) throw new UnreadablePage('too_large')
  return `[${kept.join(',')}]`
}
