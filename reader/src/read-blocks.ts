// Reads the blocks of a part of a page. The depth of a page is limited before its tree is built (`page-limits.ts`), so
// recursion is safe here.
//
// Left out: scripts, forms and everything embedded. Pictures too, unless they are requested: a picture in Markdown is
// loaded by the program that shows it, which tells the picture's host who is reading. The website shows them through
// its own proxy.

import type { Block, Run } from './blocks.ts'
import { visibleText } from './clean-text.ts'
import { BREAK, tidyRuns } from './normalise-runs.ts'
import { attributeOf, isElement, isText, nameOf, type PageNode } from './page-node.ts'
import { pictureOf } from './read-picture.ts'
import { readTable } from './read-table.ts'
import { resolveLink } from './resolve-link.ts'
import { raisedText } from './superscripts.ts'

type Marks = Omit<Run, 'text'>

const names = (list: string): Set<string> => new Set(list.split(' '))

const SKIPPED = names(
  'script style noscript template svg math iframe object embed canvas audio video picture img map button input select ' +
    'textarea option datalist progress meter dialog link meta title head nav',
)
/** Everything else is inline. */
const CONTAINERS = names(
  'address article aside body caption center details dd div dl dt fieldset figcaption figure footer form header ' +
    'hgroup html legend main menu p search section summary table tbody td tfoot th thead tr',
)
const HEADING = /^h([1-6])$/
const CODE = names('code kbd samp tt var')
const STRONG = names('b strong')
const EMPHASIS = names('em i cite dfn')

/** The text of a link from a heading to itself. */
const PERMALINK = /^[#¶§🔗\s]*$/u
const isPermalink = (node: PageNode): boolean =>
  nameOf(node) === 'a' && attributeOf(node, 'href').startsWith('#') && PERMALINK.test(node.textContent ?? '')

/** undefined: the text is in the node's children. */
const textOf = (node: PageNode): string | undefined => (isText(node) ? (node.textContent ?? '') : raisedText(node))
const isSkipped = (node: PageNode): boolean => !isElement(node) || SKIPPED.has(nameOf(node)) || isPermalink(node)
const LANGUAGE =
  /(?:^|\s)(?:(?:language|lang|brush:)-?\s?|highlight-(?:source-)?(?!default|none|text))([A-Za-z][\w+#-]{0,19})(?:\s|$)/

interface ReadTerms {
  /** The address of the page, for relative links. */
  base: string
  withPictures: boolean
}

export const readBlocks = (parent: PageNode, terms: ReadTerms): Block[] => new BlockReader(terms).blocksIn(parent, {})

const MOST_PICTURES = 50

class BlockReader {
  readonly #base: string
  #picturesLeft: number

  constructor({ base, withPictures }: ReadTerms) {
    this.#base = base
    this.#picturesLeft = withPictures ? MOST_PICTURES : 0
  }

  blocksIn(parent: PageNode, marks: Marks): Block[] {
    const blocks: Block[] = []
    let pieces: Run[] = []
    // Placed after their paragraph, so that its text isn't interrupted.
    let pictures: Block[] = []
    const endParagraph = () => {
      const runs = tidyRuns(pieces)
      if (runs.length > 0) blocks.push({ kind: 'paragraph', runs })
      blocks.push(...pictures)
      pieces = []
      pictures = []
    }
    const visit = (node: PageNode, around: Marks): void => {
      const text = textOf(node)
      if (text !== undefined) pieces.push({ ...around, text })
      if (this.#picturesLeft > 0) pictures.push(...this.#pictureIn(node))
      if (text !== undefined || isSkipped(node)) return
      if (nameOf(node) === 'br') {
        pieces.push(BREAK)
        return
      }
      const own = this.#blockOf(node, around)
      if (own) {
        endParagraph()
        blocks.push(...own)
        return
      }
      const isContainer = CONTAINERS.has(nameOf(node))
      if (isContainer) endParagraph()
      const inside = this.#marksOf(node, around)
      for (const child of node.childNodes) visit(child, inside)
      if (isContainer) endParagraph()
    }
    for (const child of parent.childNodes) visit(child, marks)
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

  /** All text inside as one line, across blocks. */
  runsIn(parent: PageNode, marks: Marks): Run[] {
    const pieces: Run[] = []
    const visit = (node: PageNode, around: Marks): void => {
      const text = textOf(node)
      if (text !== undefined) pieces.push({ ...around, text })
      if (text !== undefined || isSkipped(node)) return
      const name = nameOf(node)
      const parts = name === 'br' || name === 'li' || CONTAINERS.has(name)
      if (parts) pieces.push({ text: ' ' })
      const inside = this.#marksOf(node, around)
      for (const child of node.childNodes) visit(child, inside)
      if (parts) pieces.push({ text: ' ' })
    }
    for (const child of parent.childNodes) visit(child, marks)
    return tidyRuns(pieces)
  }

  /** undefined: the element has no block kind. */
  #blockOf(node: PageNode, marks: Marks): Block[] | undefined {
    const name = nameOf(node)
    const level = HEADING.exec(name)?.[1]
    if (level !== undefined) {
      return some(this.runsIn(node, marks), (runs) => [{ kind: 'heading', level: Number(level), runs }])
    }
    switch (name) {
      case 'hr':
        return [{ kind: 'rule' }]
      case 'pre':
        return codeBlock(node)
      case 'blockquote':
        return some(this.blocksIn(node, marks), (blocks) => [{ kind: 'quote', blocks }])
      case 'ul':
      case 'ol':
        return this.#list(node, marks)
      case 'dt':
        return some(this.runsIn(node, { ...marks, isStrong: true }), (runs) => [{ kind: 'paragraph', runs }])
      case 'table':
        return readTable(node, (cell) => this.runsIn(cell, marks))
      default:
        return undefined
    }
  }

  #list(node: PageNode, marks: Marks): Block[] {
    const isOrdered = nameOf(node) === 'ol'
    const items: Block[][] = []
    for (const child of node.childNodes) {
      if (nameOf(child) === 'li') {
        const blocks = this.blocksIn(child, marks)
        if (blocks.length > 0) items.push(blocks)
      } else if (nameOf(child) === 'ul' || nameOf(child) === 'ol') {
        // Not valid, but common: it belongs to the item before.
        const nested = this.#list(child, marks)
        const before = items.at(-1)
        if (before) before.push(...nested)
        else items.push(nested)
      }
    }
    const given = Number.parseInt(attributeOf(node, 'start'), 10)
    const start = isOrdered && given >= 0 && given < 1e9 ? given : 1
    return some(items, () => [{ kind: 'list', isOrdered, start, items }])
  }

  #marksOf(node: PageNode, marks: Marks): Marks {
    const name = nameOf(node)
    if (STRONG.has(name)) return { ...marks, isStrong: true }
    if (EMPHASIS.has(name)) return { ...marks, isEmphasised: true }
    if (CODE.has(name)) return { ...marks, isCode: true }
    if (name !== 'a') return marks
    const link = this.#linkOf(attributeOf(node, 'href').trim())
    return link === '' ? marks : { ...marks, link }
  }

  /** '' if a reader couldn't follow it. */
  #linkOf(href: string): string {
    return href === '' || href.startsWith('#') ? '' : resolveLink(href, this.#base)
  }
}

const some = <Item>(items: Item[], block: (items: Item[]) => Block[]): Block[] => (items.length > 0 ? block(items) : [])

function codeBlock(node: PageNode): Block[] {
  const text = visibleText(rawText(node)).replace(/^(?:[ \t]*\n)+|\s+$/g, '')
  if (text === '') return []
  const [first] = [...node.childNodes].filter(isElement)
  const classes = [node, first, node.parentNode].map((place) => (place ? attributeOf(place, 'class') : ''))
  return [{ kind: 'code', text, language: classes.map((own) => LANGUAGE.exec(own)?.[1]).find(Boolean) ?? '' }]
}

function rawText(node: PageNode): string {
  if (isText(node)) return node.textContent ?? ''
  if (isSkipped(node)) return ''
  if (nameOf(node) === 'br') return '\n'
  return [...node.childNodes].map(rawText).join('')
}
