// Reads the blocks of a part of a page. The depth of a page is limited before its tree is built (`assertWithinLimits`), so
// recursion is safe here.
//
// Left out: scripts, forms and everything embedded. Pictures too, unless they are requested: a picture in Markdown is
// loaded by the program that shows it, which tells the picture's host who is reading. The website shows them through
// its own proxy.

import type { Block, Run } from './blocks.ts'
import { collapsed, visibleLines } from './clean-text.ts'
import { attributeOf, isElement, isText, nameOf, type PageNode } from './page-node.ts'
import { readTable } from './read-table.ts'

type Style = Omit<Run, 'text'>

const BREAK: Run = { text: '\n' }

const setOf = (list: string): Set<string> => new Set(list.split(' '))

const SKIPPED = setOf(
  'script style noscript template svg math iframe object embed canvas audio video picture img map button input select ' +
    'textarea option datalist progress meter dialog link meta title head nav',
)
/** Everything else is inline. */
const CONTAINERS = setOf(
  'address article aside body caption center details dd div dl dt fieldset figcaption figure footer form header ' +
    'hgroup html legend main menu p search section summary table tbody td tfoot th thead tr',
)
const HEADING = /^h([1-6])$/
const CODE = setOf('code kbd samp tt var')
const STRONG = setOf('b strong')
const EMPHASIS = setOf('em i cite dfn')

/** The text of a link from a heading to itself. */
const PERMALINK = /^[#¶§🔗\s]*$/u
const isPermalink = (node: PageNode): boolean =>
  nameOf(node) === 'a' && attributeOf(node, 'href').startsWith('#') && PERMALINK.test(node.textContent ?? '')

/** undefined: the text is in the node's children. */
const textOf = (node: PageNode): string | undefined =>
  isText(node) ? (node.textContent ?? '') : superOrSubscriptText(node)
const isSkipped = (node: PageNode): boolean => !isElement(node) || SKIPPED.has(nameOf(node)) || isPermalink(node)
const LANGUAGE =
  /(?:^|\s)(?:(?:language|lang|brush:)-?\s?|highlight-(?:source-)?(?!default|none|text))([A-Za-z][\w+#-]{0,19})(?:\s|$)/

interface BlockOptions {
  /** The address of the page, for relative links. */
  base: string
  withPictures: boolean
}

export const readBlocks = (parent: PageNode, options: BlockOptions): Block[] =>
  new BlockReader(options).blocksIn(parent, {})

const MAX_PICTURES = 50

class BlockReader {
  readonly #base: string
  #picturesLeft: number

  constructor({ base, withPictures }: BlockOptions) {
    this.#base = base
    this.#picturesLeft = withPictures ? MAX_PICTURES : 0
  }

  blocksIn(parent: PageNode, style: Style): Block[] {
    const blocks: Block[] = []
    let pieces: Run[] = []
    // Placed after their paragraph, so that its text isn't interrupted.
    let pictures: Block[] = []
    const endParagraph = () => {
      const runs = normaliseRuns(pieces)
      if (runs.length > 0) blocks.push({ kind: 'paragraph', runs })
      blocks.push(...pictures)
      pieces = []
      pictures = []
    }
    const visit = (node: PageNode, around: Style): void => {
      const text = textOf(node)
      if (text !== undefined) pieces.push({ ...around, text })
      if (this.#picturesLeft > 0) pictures.push(...this.#pictureIn(node))
      if (text !== undefined || isSkipped(node)) return
      if (nameOf(node) === 'br') {
        pieces.push(BREAK)
        return
      }
      const ownBlocks = this.#blocksOf(node, around)
      if (ownBlocks) {
        endParagraph()
        blocks.push(...ownBlocks)
        return
      }
      const isContainer = CONTAINERS.has(nameOf(node))
      if (isContainer) endParagraph()
      const inside = this.#styleOf(node, around)
      for (const child of node.childNodes) visit(child, inside)
      if (isContainer) endParagraph()
    }
    for (const child of parent.childNodes) visit(child, style)
    endParagraph()
    return blocks
  }

  /** The picture of an `img`, or of a `picture` with an `img` inside. */
  #pictureIn(node: PageNode): Block[] {
    if (nameOf(node) === 'picture') return [...node.childNodes].flatMap((child) => this.#pictureIn(child))
    const picture = nameOf(node) === 'img' ? pictureOf(node, this.#base) : undefined
    if (!picture) return []
    this.#picturesLeft -= 1
    return [picture]
  }

  /** All text inside as one line, even if it is in several blocks. */
  runsIn(parent: PageNode, style: Style): Run[] {
    const pieces: Run[] = []
    const visit = (node: PageNode, around: Style): void => {
      const text = textOf(node)
      if (text !== undefined) pieces.push({ ...around, text })
      if (text !== undefined || isSkipped(node)) return
      const name = nameOf(node)
      const separatesWords = name === 'br' || name === 'li' || CONTAINERS.has(name)
      if (separatesWords) pieces.push({ text: ' ' })
      const inside = this.#styleOf(node, around)
      for (const child of node.childNodes) visit(child, inside)
      if (separatesWords) pieces.push({ text: ' ' })
    }
    for (const child of parent.childNodes) visit(child, style)
    return normaliseRuns(pieces)
  }

  /** undefined: the element is not a block of its own. */
  #blocksOf(node: PageNode, style: Style): Block[] | undefined {
    const name = nameOf(node)
    const level = HEADING.exec(name)?.[1]
    if (level !== undefined) {
      return ifAny(this.runsIn(node, style), (runs) => [{ kind: 'heading', level: Number(level), runs }])
    }
    switch (name) {
      case 'hr':
        return [{ kind: 'rule' }]
      case 'pre':
        return codeBlock(node)
      case 'blockquote':
        return ifAny(this.blocksIn(node, style), (blocks) => [{ kind: 'quote', blocks }])
      case 'ul':
      case 'ol':
        return this.#list(node, style)
      case 'dt':
        return ifAny(this.runsIn(node, { ...style, isStrong: true }), (runs) => [{ kind: 'paragraph', runs }])
      case 'table':
        return readTable(node, (cell) => this.runsIn(cell, style))
      default:
        return undefined
    }
  }

  #list(node: PageNode, style: Style): Block[] {
    const isOrdered = nameOf(node) === 'ol'
    const items: Block[][] = []
    for (const child of node.childNodes) {
      if (nameOf(child) === 'li') {
        const blocks = this.blocksIn(child, style)
        if (blocks.length > 0) items.push(blocks)
      } else if (nameOf(child) === 'ul' || nameOf(child) === 'ol') {
        // A list directly inside a list is not valid, but common: it belongs to the item before.
        const nested = this.#list(child, style)
        const before = items.at(-1)
        if (before) before.push(...nested)
        else items.push(nested)
      }
    }
    const startAttribute = Number.parseInt(attributeOf(node, 'start'), 10)
    const start = isOrdered && startAttribute >= 0 && startAttribute < 1e9 ? startAttribute : 1
    return ifAny(items, () => [{ kind: 'list', isOrdered, start, items }])
  }

  #styleOf(node: PageNode, style: Style): Style {
    const name = nameOf(node)
    if (STRONG.has(name)) return { ...style, isStrong: true }
    if (EMPHASIS.has(name)) return { ...style, isEmphasised: true }
    if (CODE.has(name)) return { ...style, isCode: true }
    if (name !== 'a') return style
    const link = this.#linkOf(attributeOf(node, 'href').trim())
    return link === '' ? style : { ...style, link }
  }

  /** '' if a reader couldn't follow it. */
  #linkOf(href: string): string {
    return href === '' || href.startsWith('#') ? '' : resolveLink(href, this.#base)
  }
}

const ifAny = <Item>(items: Item[], block: (items: Item[]) => Block[]): Block[] =>
  items.length > 0 ? block(items) : []

function codeBlock(node: PageNode): Block[] {
  const text = visibleLines(rawText(node))
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
  if (text === '') return []
  const [first] = [...node.childNodes].filter(isElement)
  const classes = [node, first, node.parentNode].map((place) => (place ? attributeOf(place, 'class') : ''))
  return [{ kind: 'code', text, language: classes.map((names) => LANGUAGE.exec(names)?.[1]).find(Boolean) ?? '' }]
}

function rawText(node: PageNode): string {
  if (isText(node)) return node.textContent ?? ''
  if (isSkipped(node)) return ''
  if (nameOf(node) === 'br') return '\n'
  return [...node.childNodes].map(rawText).join('')
}

const NUMBER = /^[-+−]?\d{1,6}$/
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉'
const SIGNS: Record<string, [superscript: string, subscript: string]> = {
  '+': ['⁺', '₊'],
  '-': ['⁻', '₋'],
  '−': ['⁻', '₋'],
}

/**
 * The text of a superscript or subscript number; undefined: the node isn't one. As plain digits, 10⁶ would read 106,
 * and the number of a footnote would run into the number before it.
 */
function superOrSubscriptText(node: PageNode): string | undefined {
  const name = nameOf(node)
  if (name !== 'sup' && name !== 'sub') return undefined
  const text = (node.textContent ?? '').trim()
  if (!NUMBER.test(text)) return undefined
  if ([...node.childNodes].some(isNoteLink)) return `[${text}]`
  const isSuperscript = name === 'sup'
  return text.replace(
    /./g,
    (sign) => SIGNS[sign]?.[isSuperscript ? 0 : 1] ?? (isSuperscript ? SUPERSCRIPTS : SUBSCRIPTS).charAt(Number(sign)),
  )
}

const isNoteLink = (node: PageNode): boolean =>
  isElement(node) && nameOf(node) === 'a' && attributeOf(node, 'href').includes('#')

const MIN_PICTURE_PIXELS = 48
const MAX_PICTURE_PIXELS = 20_000
const MAX_PICTURE_TEXT_LENGTH = 300

/** `node` is an `img`. undefined: it can't be shown, or is a tracking pixel or an icon. */
function pictureOf(node: PageNode, base: string): Extract<Block, { kind: 'picture' }> | undefined {
  const [width, height] = [sizeOf(node, 'width'), sizeOf(node, 'height')]
  if ((width ?? MIN_PICTURE_PIXELS) < MIN_PICTURE_PIXELS || (height ?? MIN_PICTURE_PIXELS) < MIN_PICTURE_PIXELS)
    return undefined
  const source = attributeOf(node, 'src').trim()
  const address = source === '' ? '' : resolveLink(source, base)
  if (address === '') return undefined
  const text = collapsed(attributeOf(node, 'alt')).trim().slice(0, MAX_PICTURE_TEXT_LENGTH).toWellFormed()
  return { kind: 'picture', address, text, ...(width && height && { width, height }) }
}

function sizeOf(node: PageNode, name: 'width' | 'height'): number | undefined {
  const text = attributeOf(node, name)
  return /^\d{1,5}$/.test(text) && Number(text) <= MAX_PICTURE_PIXELS ? Number(text) : undefined
}

const MAX_ADDRESS_LENGTH = 2048

/** The absolute http(s) URL of a link; '' if it is invalid, too long, of another scheme or has credentials. */
function resolveLink(href: string, base: string): string {
  const url = URL.parse(href, base)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return ''
  return url.href.length <= MAX_ADDRESS_LENGTH ? url.href : ''
}

const hasSameStyle = (one: Run, other: Run): boolean =>
  one.link === other.link &&
  Boolean(one.isCode) === Boolean(other.isCode) &&
  Boolean(one.isStrong) === Boolean(other.isStrong) &&
  Boolean(one.isEmphasised) === Boolean(other.isEmphasised)

/**
 * Turns the text of a paragraph, in the pieces between a page's tags, into runs: white space collapsed across tags, no
 * empty runs, and pieces that look the same joined.
 */
function normaliseRuns(pieces: readonly Run[]): Run[] {
  const runs: Run[] = []
  let endsInSpace = true
  for (const piece of pieces) {
    const last = runs.at(-1)
    if (piece === BREAK) {
      // Never first, and never two in a row: breaks must not draw gaps between paragraphs.
      if (last && last !== BREAK) {
        trimEnd(runs)
        runs.push(BREAK)
      }
      endsInSpace = true
      continue
    }
    let text = collapsed(piece.text)
    if (endsInSpace && text.startsWith(' ')) text = text.slice(1)
    if (text === '') continue
    endsInSpace = text.endsWith(' ')
    if (last && last !== BREAK && hasSameStyle(last, piece)) last.text += text
    else runs.push({ ...piece, text })
  }
  trimEnd(runs)
  return runs
}

/** Removes trailing breaks and spaces. */
function trimEnd(runs: Run[]): void {
  for (let last = runs.at(-1); last; last = runs.at(-1)) {
    if (last !== BREAK) last.text = last.text.trimEnd()
    if (last !== BREAK && last.text !== '') return
    runs.pop()
  }
}
