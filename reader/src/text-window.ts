// Cuts a part out of a page's text, so that a long page can be read in pieces. A part never ends in half a surrogate
// pair, unless nothing else fits. A caller's own `start` may fall inside a pair; that half becomes U+FFFD, because some
// clients can't parse JSON with a lone surrogate.
//
// A part of Markdown must be as harmless as the whole. Code isn't escaped, so a cut through code would turn an `<img>` in
// an example into a picture. So a block of code is closed where a part ends and opened again where the next one starts,
// and in any other line that was cut, everything that could be active is escaped.

export function windowOf(content: string, start: number, length: number): string {
  const part = content.slice(start, start + length)
  const last = part.charCodeAt(part.length - 1)
  const isCut = last >= 0xd800 && last <= 0xdbff && start + part.length < content.length
  return (isCut && part.length > 1 ? part.slice(0, -1) : part).toWellFormed()
}

export interface TextWindow {
  content: string
  /** How much of the page it is. The content of a part of Markdown may be a little longer. */
  length: number
}

/** `markdown` is from `markdown.ts`. */
export function markdownWindowOf(markdown: string, start: number, length: number): TextWindow {
  const part = windowOf(markdown, start, length)
  if (part === '') return { content: '', length: 0 }
  const end = start + part.length
  const isHeadCut = start > 0 && markdown[start - 1] !== '\n'
  const isTailCut = end < markdown.length && markdown[end] !== '\n'
  // A fence that was cut through counts as seen at the start, and as not seen yet at the end.
  const opened = openFence(markdown.slice(0, isHeadCut ? lineEnd(markdown, start) : start))
  const unclosed = openFence(markdown.slice(0, isTailCut ? lineStart(markdown, end) : end))
  const lines = part.split('\n')
  if (isHeadCut && !opened) lines[0] = inert(lines[0] ?? '')
  if (isTailCut && !unclosed && (lines.length > 1 || !isHeadCut)) lines.push(inert(lines.pop() ?? ''))
  if (opened) {
    const head = isHeadCut ? lines.shift() : undefined
    const isCutFence = isHeadCut && !openFence(markdown.slice(0, lineStart(markdown, start)))
    if (head !== undefined && !isCutFence) lines.unshift(opened.prefix + head)
    lines.unshift(opened.prefix + opened.ticks)
  }
  if (unclosed) lines.push(unclosed.prefix + unclosed.ticks)
  return { content: lines.join('\n'), length: part.length }
}

interface Fence {
  /** Of a quote or a list around it. */
  prefix: string
  ticks: string
}

const FENCE = /^((?:> |- |\d+\. | )*)(`{3,})([\w+#-]*)$/gm

/** The fence that is open at the end of the text. It is always longer than any inside the code. */
function openFence(text: string): Fence | undefined {
  let open: Fence | undefined
  for (const [, prefix = '', ticks = '', language = ''] of text.matchAll(FENCE)) {
    if (!open) open = { prefix: prefix.replace(/[-\d.]/g, ' '), ticks }
    else if (ticks === open.ticks && language === '') open = undefined
  }
  return open
}

const lineStart = (text: string, position: number): number => text.lastIndexOf('\n', position - 1) + 1

function lineEnd(text: string, position: number): number {
  const end = text.indexOf('\n', position)
  return end === -1 ? text.length : end
}

/** Code, HTML, pictures, and links to anything but the web. */
const ACTIVE = /\\.|[`<]|!(?=\[)|\](?=\((?!https?:))/g

const inert = (line: string): string => line.replace(ACTIVE, (found) => (found.startsWith('\\') ? found : `\\${found}`))
