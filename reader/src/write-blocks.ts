// Writes blocks in the requested format, up to the maximum length.
import type { Block, Run } from './blocks.ts'
import {
  type ContentFormat,
  MAX_CONTENT_LENGTH,
  MAX_LINKS,
  type PageContent,
  type Section,
  UnreadablePage,
} from './extracted-page.ts'
import { linkAddress, toMarkdown } from './markdown.ts'
import { markdownWindowOf, windowOf } from './text-window.ts'

/** JSON needs about twice as many characters. */
const MAX_JSON_LENGTH = 2 * MAX_CONTENT_LENGTH

/** Throws UnreadablePage if there is nothing to write. */
export function writeBlocks(blocks: readonly Block[], format: ContentFormat): PageContent {
  const links = [...new Set(linksIn(blocks))].slice(0, MAX_LINKS)
  return { ...contentOf(blocks, format), ...(links.length > 0 && { links }) }
}

/** As Markdown shows them. */
function linksIn(blocks: readonly Block[]): string[] {
  const ofRuns = (runs: readonly Run[]) => runs.flatMap(({ link }) => (link === undefined ? [] : [linkAddress(link)]))
  return blocks.flatMap((block) => {
    switch (block.kind) {
      case 'heading':
      case 'paragraph':
        return ofRuns(block.runs)
      case 'quote':
        return linksIn(block.blocks)
      case 'list':
        return block.items.flatMap(linksIn)
      case 'table':
        return block.rows.flat().flatMap(ofRuns)
      case 'code':
      case 'picture':
      case 'rule':
      default:
        return []
    }
  })
}

function contentOf(blocks: readonly Block[], format: ContentFormat): PageContent {
  if (format === 'sections') {
    const sections = toSections(blocks)
    if (sections.length === 0) throw new UnreadablePage('no_content')
    return { content: '', sections: truncateSections(sections, MAX_CONTENT_LENGTH) }
  }
  const content = format === 'markdown' ? toMarkdown(blocks) : toPlain(blocks)
  if (content.trim() === '') throw new UnreadablePage('no_content')
  if (format === 'blocks') return { content: asJson(blocks) }
  if (format === 'markdown') return { content: markdownWindowOf(content, 0, MAX_CONTENT_LENGTH).content }
  return { content: windowOf(content, 0, MAX_CONTENT_LENGTH) }
}

/** As many whole blocks as fit. */
function asJson(blocks: readonly Block[]): string {
  const kept: string[] = []
  let length = 0
  for (const block of blocks) {
    const json = JSON.stringify(block)
    length += json.length + 1
    if (length > MAX_JSON_LENGTH) break
    kept.push(json)
  }
  if (kept.length === 0) throw new UnreadablePage('too_large')
  return `[${kept.join(',')}]`
}

/** The text that Markdown would show, without its syntax. */
export const toPlain = (blocks: readonly Block[]): string => blocks.map(blockPlain).join('\n\n')

const textOf = (runs: readonly Run[]): string => runs.map(({ text }) => text).join('')

function blockPlain(block: Block): string {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return textOf(block.runs)
    case 'quote':
      return toPlain(block.blocks)
    case 'code':
      return block.text
    case 'list':
      return block.items
        .map((item, at) => `${block.isOrdered ? `${block.start + at}.` : '-'} ${toPlain(item).replace(/\n+/g, '\n  ')}`)
        .join('\n')
    case 'table':
      return block.rows.map((cells) => cells.map(textOf).join('\t')).join('\n')
    case 'picture':
      return block.text
    case 'rule':
    default:
      return '---'
  }
}

/** Each heading with the plain text below it, up to the next heading. */
function toSections(blocks: readonly Block[]): Section[] {
  const sections: (Omit<Section, 'text'> & { blocks: Block[] })[] = [{ heading: '', level: 0, blocks: [] }]
  for (const block of blocks) {
    if (block.kind === 'heading') {
      sections.push({ heading: toPlain([block]).replace(/\n/g, ' '), level: block.level, blocks: [] })
    } else sections.at(-1)?.blocks.push(block)
  }
  return sections
    .map(({ blocks: sectionBlocks, ...section }) => ({ ...section, text: toPlain(sectionBlocks) }))
    .filter(({ heading, text }) => heading !== '' || text !== '')
}

/** Truncates to `maxLength` characters, headings included. */
function truncateSections(sections: readonly Section[], maxLength: number): Section[] {
  let left = maxLength
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
