// Pages that are text already: plain text, Markdown and JSON.
import { Marked } from 'marked'
import type { Block, Run } from './blocks.ts'
import { visibleLines } from './clean-text.ts'
import { type ExtractedPage, MAX_CONTENT_LENGTH, type PageContent, UnreadablePage } from './extracted-page.ts'
import { blocksOfFragment, type ReadOptions } from './html-page.ts'
import { writeBlocks } from './write-blocks.ts'

interface TextOptions extends ReadOptions {
  type: 'json' | 'markdown' | 'text'
}

/** Throws UnreadablePage. */
export function readTextPage(decoded: string, options: TextOptions): ExtractedPage {
  const text = visibleLines(decoded).trim().slice(0, MAX_CONTENT_LENGTH)
  if (text === '') throw new UnreadablePage('no_content')
  return {
    type: options.type === 'json' ? 'json' : 'text',
    title: '',
    byline: '',
    siteName: '',
    language: '',
    published: '',
    ...contentOf(text, options),
  }
}

function contentOf(text: string, { type, ...options }: TextOptions): PageContent {
  // Read like HTML and then written by our own writer: what is active in a page's Markdown doesn't survive that.
  if (type === 'markdown')
    return writeBlocks(blocksOfFragment(markdown.parse(text, { async: false }), options), options.format)
  const { format } = options
  if (format === 'text') return { content: text }
  if (format === 'sections') return { content: '', sections: [{ heading: '', level: 0, text }] }
  return writeBlocks(type === 'json' ? [{ kind: 'code', text, language: 'json' }] : paragraphsOf(text), format)
}

const markdown = new Marked()

const paragraphsOf = (text: string): Block[] => text.split(/\n[^\S\n]*\n\s*/).map(paragraphOf)

const paragraphOf = (text: string): Block => {
  const lines = text.split('\n').map((line): Run => ({ text: line.trim() }))
  return { kind: 'paragraph', runs: lines.flatMap((line, at) => (at === 0 ? [line] : [{ text: '\n' }, line])) }
}
