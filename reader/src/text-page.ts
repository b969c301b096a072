// Pages that are text already: plain text, Markdown and JSON.
import type { Block, Run } from './blocks.ts'
import { visibleText } from './clean-text.ts'
import {
  type ContentFormat,
  type ExtractedPage,
  MAX_CONTENT_LENGTH,
  type PageContent,
  type Section,
  UnreadablePage,
} from './extracted-page.ts'
import { truncateSections, writeBlocks } from './write-blocks.ts'

type TextType = 'json' | 'markdown' | 'text'

const FENCE = /^\s{0,3}(`{3,}|~{3,})/
const ATX_HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.{0,499})$/
/** Where HTML or a picture would begin. */
const ACTIVE = /<(?=[a-z/!?])|!(?=\[)/gi

/** Throws UnreadablePage. */
export function readTextPage(
  decoded: string,
  { type, format }: { type: TextType; format: ContentFormat },
): ExtractedPage {
  const text = visibleText(decoded).trim().slice(0, MAX_CONTENT_LENGTH)
  if (text === '') throw new UnreadablePage('no_content')
  return {
    type: type === 'json' ? 'json' : 'text',
    title: '',
    byline: '',
    siteName: '',
    language: '',
    published: '',
    ...contentOf(text, type, format),
  }
}

function contentOf(text: string, type: TextType, format: ContentFormat): PageContent {
  if (format === 'text') return { content: text }
  if (format === 'sections') {
    const sections = type === 'markdown' ? markdownSections(text) : [{ heading: '', level: 0, text }]
    return { content: '', sections: truncateSections(sections, MAX_CONTENT_LENGTH) }
  }
  if (format === 'markdown' && type === 'markdown') return { content: escapeActive(text).slice(0, MAX_CONTENT_LENGTH) }
  return writeBlocks(type === 'json' ? [{ kind: 'code', text, language: 'json' }] : paragraphsOf(text), format)
}

const paragraphsOf = (text: string): Block[] => text.split(/\n[^\S\n]*\n\s*/).map(paragraphOf)

const paragraphOf = (text: string): Block => {
  const lines = text.split('\n').map((line): Run => ({ text: line.trim() }))
  return { kind: 'paragraph', runs: lines.flatMap((line, at) => (at === 0 ? [line] : [{ text: '\n' }, line])) }
}

/** Keeps Markdown as written, except that HTML and pictures outside code are escaped, so that nothing loads or runs. */
function escapeActive(markdown: string): string {
  return linesOf(markdown)
    .map(({ line, isCode }) => (isCode ? line : line.replace(ACTIVE, '\\$&')))
    .join('\n')
}

/** A heading may end with the same marks as it begins with: `## Tides ##`. */
const withoutClosingMarks = (words: string): string => words.trimEnd().replace(/[ \t]+#+$/, '')

/** Splits Markdown at its headings. The text of a section stays Markdown. */
function markdownSections(markdown: string): Section[] {
  const sections = [{ heading: '', level: 0, lines: [] as string[] }]
  for (const { line, isCode } of linesOf(markdown)) {
    const [, marks = '', words] = (isCode ? null : ATX_HEADING.exec(line)) ?? []
    if (words === undefined) sections.at(-1)?.lines.push(line)
    else sections.push({ heading: withoutClosingMarks(words), level: marks.length, lines: [] })
  }
  return sections
    .map(({ lines, ...section }) => ({ ...section, text: lines.join('\n').trim() }))
    .filter(({ heading, text }) => heading !== '' || text !== '')
}

/** Splits into lines, each marked as code if it is in a fenced code block. The fences count as code too. */
function linesOf(markdown: string): { line: string; isCode: boolean }[] {
  let fence: string | undefined
  return markdown.split('\n').map((line) => {
    const mark = FENCE.exec(line)?.[1]
    if (fence === undefined) {
      fence = mark
      return { line, isCode: mark !== undefined }
    }
    if (mark?.startsWith(fence)) fence = undefined
    return { line, isCode: true }
  })
}
