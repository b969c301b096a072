// Writes blocks as plain text: what Markdown shows, without its marks.
import type { Block, Run } from './blocks.ts'

export const toPlain = (blocks: readonly Block[]): string => blocks.map(blockPlain).join('\n\n')

const words = (runs: readonly Run[]): string => runs.map(({ text }) => text).join('')

function blockPlain(block: Block): string {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return words(block.runs)
    case 'quote':
      return toPlain(block.blocks)
    case 'code':
      return block.text
    case 'list':
      return block.items
        .map((item, at) => `${block.isOrdered ? `${block.start + at}.` : '-'} ${toPlain(item).replace(/\n+/g, '\n  ')}`)
        .join('\n')
    case 'table':
      return block.rows.map((cells) => cells.map(words).join('\t')).join('\n')
    case 'picture':
      return block.text
    case 'rule':
    default:
      return '---'
  }
}
