// Blocks in the format that was asked for, within the length that is given.
import type { Block } from './blocks.ts'
import { type ContentFormat, LONGEST_CONTENT } from './extracted-page.ts'
import { toMarkdown } from './markdown.ts'
import { toPlain } from './plain.ts'
import { UnreadablePage } from './unreadable-page.ts'

/** Throws UnreadablePage if there is nothing to write. */
export function writeBlocks(blocks: readonly Block[], format: ContentFormat): string {
  const content = format === 'markdown' ? toMarkdown(blocks) : toPlain(blocks)
  if (content.trim() === '') throw new UnreadablePage('no_content')
  return content.slice(0, LONGEST_CONTENT).toWellFormed()
}
