// Writes blocks as Markdown (CommonMark, with GitHub's tables). The text of a page is escaped, so nothing in it can
// pass for a heading, a link, a picture or HTML that the page's own structure does not have.
import type { Block, Run } from './blocks.ts'

/** Special anywhere in a line. An underscore inside a word isn't. */
const SPECIAL = /[\\`*[\]<]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w+;)|~(?=~)/gu
/** Special at the start of a line, as is a dot or bracket after a number there. */
const AT_LINE_START = /^(\d{0,9})(?:(?<!\d)(?:#{1,6}|[-+])(?=\s|$)|(?<!\d)(?:>|~~~)|(?<=\d)[.)](?=\s|$))/
/** A line that would underline a heading or begin a table. */
const UNDERLINE = /^[\s|:=-]+$/

const escaped = (text: string): string => text.replace(SPECIAL, '\\$&')

function escapedStart(line: string): string {
  if (UNDERLINE.test(line)) return `\\${line.trimStart()}`
  return line.replace(AT_LINE_START, (start, digits: string) => `${digits}\\${start.slice(digits.length)}`)
}

export const toMarkdown = (blocks: readonly Block[]): string => blocks.map(blockMarkdown).join('\n\n')

function blockMarkdown(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${withEscapedEnd(inline(block.runs).replace(/\n/g, ' '))}`
    case 'paragraph':
      return linesOf(inline(block.runs)).map(escapedStart).join('  \n')
    case 'quote':
      return prefixed(toMarkdown(block.blocks), '> ', '> ')
    case 'code':
      return fenced(block.text, block.language)
    case 'list':
      return listMarkdown(block)
    case 'table':
      return tableMarkdown(block.rows)
    case 'picture':
      return escaped(block.text)
    case 'rule':
    default:
      return '---'
  }
}

/** Hashes at the end of a heading would vanish. A pattern for them would try each row of hashes from every one in it. */
function withEscapedEnd(heading: string): string {
  let end = heading.length
  while (heading[end - 1] === '#') end -= 1
  return end === heading.length ? heading : `${heading.slice(0, end)}\\${heading.slice(end)}`
}

const linesOf = (text: string): string[] => text.split('\n')

/** Prefixes the first line with `first` and all others with `others`, trimmed on empty lines. */
const prefixed = (text: string, first: string, others: string): string =>
  linesOf(text)
    .map((line, at) => (at === 0 ? first + line : line === '' ? others.trimEnd() : others + line))
    .join('\n')

/** A page may have more of them than a function takes arguments. */
function longestTicks(text: string): number {
  let longest = 0
  for (const [ticks] of text.matchAll(/`+/g)) longest = Math.max(longest, ticks.length)
  return longest
}

function fenced(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestTicks(text) + 1))
  return `${fence}${language}\n${text}\n${fence}`
}

function listMarkdown({ isOrdered, start, items }: Extract<Block, { kind: 'list' }>): string {
  const written = items.map((blocks, at) => {
    const mark = isOrdered ? `${start + at}. ` : '- '
    return prefixed(itemMarkdown(blocks), mark, ' '.repeat(mark.length))
  })
  const isLoose = items.some((blocks) => blocks.filter(({ kind }) => kind !== 'list').length > 1)
  return written.join(isLoose ? '\n\n' : '\n')
}

/** A list right after its item's text needs no empty line between them. */
const itemMarkdown = (blocks: readonly Block[]): string =>
  blocks
    .map((block, at) => (at === 0 ? '' : block.kind === 'list' && at === 1 ? '\n' : '\n\n') + blockMarkdown(block))
    .join('')

function tableMarkdown(rows: readonly Run[][][]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const [header = [], ...others] = rows.map((cells) => cells.map(cellMarkdown))
  return [row(header), row(header.map(() => '---')), ...others.map(row)].join('\n')
}

// A bar ends the cell even in code, and can be escaped even there.
const cellMarkdown = (runs: readonly Run[]): string => inline(runs).replace(/\n/g, ' ').replaceAll('|', '\\|')

function inline(runs: readonly Run[]): string {
  const pieces: string[] = []
  for (let at = 0; at < runs.length; ) {
    const { link } = runs[at] ?? { text: '' }
    let end = at + 1
    if (link !== undefined) while (runs[end]?.link === link) end += 1
    const words = runs.slice(at, end).map(runMarkdown).join('')
    // An exclamation mark before a link would turn it into a picture.
    if (link !== undefined && pieces.at(-1)?.endsWith('!')) pieces.push(`${pieces.pop()?.slice(0, -1)}\\!`)
    if (words !== '') pieces.push(link === undefined ? words : linked(words, link))
    at = end
  }
  return pieces.join('')
}

/** Splits off the white space on both sides. */
function trimmed(text: string): [before: string, inner: string, after: string] {
  const inner = text.trim()
  const start = text.length - text.trimStart().length
  return [text.slice(0, start), inner, text.slice(start + inner.length)]
}

/** Keeps the white space around a link's text outside the link. */
function linked(words: string, link: string): string {
  const [before, inner, after] = trimmed(words)
  return inner === '' ? words : `${before}[${inner.replace(/\n/g, ' ')}](${linkAddress(link)})${after}`
}

/** A link's address, without what would end it in Markdown. */
export const linkAddress = (link: string): string =>
  link.replace(/[()\\<>]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

function runMarkdown({ text, isCode, isStrong, isEmphasised }: Run): string {
  const [before, inner, after] = trimmed(text)
  if (inner === '') return text
  // Only asterisks are used, so the opening and the closing mark are the same.
  const mark = (isStrong ? '**' : '') + (isEmphasised ? '*' : '')
  return before + mark + (isCode ? codeSpan(inner) : escaped(inner)) + mark + after
}

function codeSpan(text: string): string {
  const fence = '`'.repeat(longestTicks(text) + 1)
  const gap = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return fence + gap + text + gap + fence
}
