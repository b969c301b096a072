// Pages that are text already: plain text, Markdown and JSON.
import type { Block, Run } from './blocks.ts'
import { visibleText } from './clean-text.ts'
import { type ContentFormat, type ExtractedPage, LONGEST_CONTENT } from './extracted-page.ts'
import { toMarkdown } from './markdown.ts'
import { BREAK } from './tidy-runs.ts'
import { UnreadablePage } from './unreadable-page.ts'

type TextType = 'json' | 'markdown' | 'text'

const FENCE = /^\s{0,3}(`{3,}|~{3,})/
/** Where HTML or a picture would begin. */
const ACTIVE = /<(?=[a-z/!?])|!(?=\[)/gi

/** Throws UnreadablePage. */
export function readTextPage(
  decoded: string,
  { type, format }: { type: TextType; format: ContentFormat },
): ExtractedPage {
  const text = visibleText(decoded).trim().slice(0, LONGEST_CONTENT)
  if (text === '') throw new UnreadablePage('no_content')
  return {
    type: type === 'json' ? 'json' : 'text',
    title: '',
    byline: '',
    siteName: '',
    language: '',
    published: '',
    content: format === 'text' ? text : WRITERS[type](text).slice(0, LONGEST_CONTENT),
  }
}

const WRITERS: Record<TextType, (text: string) => string> = {
  json: (text) => toMarkdown([{ kind: 'code', text, language: 'json' }]),
  markdown: disarmed,
  text: (text) => toMarkdown(text.split(/\n[^\S\n]*\n\s*/).map(paragraphOf)),
}

const paragraphOf = (text: string): Block => {
  const lines = text.split('\n').map((line): Run => ({ text: line.trim() }))
  return { kind: 'paragraph', runs: lines.flatMap((line, at) => (at === 0 ? [line] : [BREAK, line])) }
}

/** Markdown stays as it was written, except that outside of code nothing in it loads or runs. */
function disarmed(markdown: string): string {
  let fence: string | undefined
  return markdown
    .split('\n')
    .map((line) => {
      const mark = FENCE.exec(line)?.[1]
      if (fence === undefined) {
        fence = mark
        return mark === undefined ? line.replace(ACTIVE, '\\$&') : line
      }
      if (mark?.startsWith(fence)) fence = undefined
      return line
    })
    .join('\n')
}
