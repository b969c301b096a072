// The main content of an HTML page, as Mozilla's Readability finds it on linkedom's tree, and the page's metadata.
import { Readability } from '@mozilla/readability'
import { Parser } from 'htmlparser2'
import { parseHTML } from 'linkedom'
import type { Block } from './blocks.ts'
import { oneLine } from './clean-text.ts'
import { type ContentFormat, type ExtractedPage, UnreadablePage } from './extracted-page.ts'
import { isHiddenByStyle } from './hidden-by-style.ts'
import type { PageNode } from './page-node.ts'
import { readBlocks } from './read-blocks.ts'
import { toPlain, writeBlocks } from './write-blocks.ts'

export const MAX_TITLE_LENGTH = 500
export const MAX_NAME_LENGTH = 200
const LANGUAGE_TAG = /^[a-z]{2,3}(?:[-_][a-z\d]{1,8}){0,4}$/i

export interface ReadOptions {
  /** For relative links. */
  address: string
  format: ContentFormat
}

/** Throws UnreadablePage. */
export function readHtmlPage(html: string, { address, format }: ReadOptions): ExtractedPage {
  assertWithinLimits(html)
  const { document } = parseHTML(hasRoot(html) ? html : `<!doctype html><html><body>${html}</body></html>`)
  // A tag without an end, at the very beginning.
  if (!document.documentElement) throw new UnreadablePage('no_content')
  preparePage(document)
  const article = new Readability<PageNode>(document, { serializer: asPageNode, keepClasses: true }).parse()
  if (!article?.content) throw new UnreadablePage('no_content')
  const title = oneLine(article.title ?? '', MAX_TITLE_LENGTH)
  const byline = oneLine(article.byline ?? '', MAX_NAME_LENGTH)
  const blocks = withoutTitleAndByline(
    readBlocks(article.content, { base: baseOf(document, address), withPictures: format === 'blocks' }),
    { title, byline },
  )
  return {
    type: 'html',
    title,
    byline,
    siteName: oneLine(article.siteName ?? '', MAX_NAME_LENGTH),
    language: languageOf(article.lang ?? ''),
    published: isoTime(article.publishedTime ?? ''),
    ...writeBlocks(blocks, format),
  }
}

/** All blocks of a piece of HTML that is content as a whole. Throws UnreadablePage. */
export function blocksOfFragment(html: string, { address, format }: ReadOptions): Block[] {
  assertWithinLimits(html)
  const { document } = parseHTML(`<!doctype html><html><body>${html}</body></html>`)
  removeHidden(document)
  return readBlocks(asPageNode(document.body), { base: address, withPictures: format === 'blocks' })
}

const MAX_DEPTH = 100
const MAX_ELEMENTS = 20_000

/**
 * Throws UnreadablePage for a page that would take too long, before its tree is built. The time to build a tree grows
 * with the square of its depth, so a hundred kilobytes of nested tags would keep a CPU busy for minutes. Counting needs
 * a single pass of the same parser, and stops at the first tag too many. The deepest real page we measured had 51
 * levels.
 */
function assertWithinLimits(html: string): void {
  let depth = 0
  let elements = 0
  const parser = new Parser({
    onopentagname() {
      depth += 1
      elements += 1
      if (depth > MAX_DEPTH || elements > MAX_ELEMENTS) throw new UnreadablePage('too_complex')
    },
    onclosetag() {
      depth -= 1
    },
  })
  parser.write(html)
  parser.end()
}

interface PageElement {
  readonly localName: string
  readonly textContent: string | null
  readonly parentElement: PageElement | null
  readonly childNodes: Iterable<PageElement>
  remove: () => void
  append: (...nodes: PageElement[]) => void
  replaceWith: (node: PageElement) => void
  getAttribute: (name: string) => string | null
}

interface PageDocument {
  querySelectorAll: (selector: string) => Iterable<PageElement>
  createElement: (name: string) => PageElement
}

function removeHidden(document: PageDocument): void {
  for (const element of document.querySelectorAll('[style]')) {
    // A page that is hidden as a whole is shown by its own script.
    const isPage = element.localName === 'html' || element.localName === 'body'
    if (!isPage && isHiddenByStyle(element.getAttribute('style') ?? '')) element.remove()
  }
}

/** MediaWiki's edit links, and the links from footnotes back to the text. Neither is part of the article. */
const NOT_TEXT = '.mw-editsection, .mw-cite-backlink'

/**
 * Keeps Readability from dropping content: it mistakes a heading with an edit link for a list of links, and every footer
 * for the footer of the page.
 */
function preparePage(document: PageDocument): void {
  removeHidden(document)
  for (const link of document.querySelectorAll(NOT_TEXT)) link.remove()
  // Each parent is checked once, however many headings it has.
  const parents = new Set<PageElement>()
  for (const heading of document.querySelectorAll('h2, h3, h4, h5, h6')) {
    const parent = heading.parentElement
    if (parent?.localName !== 'div' || parents.has(parent)) continue
    parents.add(parent)
    if (hasNoOtherText(parent, heading)) parent.replaceWith(heading)
  }
  for (const footer of document.querySelectorAll('blockquote footer')) {
    const paragraph = document.createElement('p')
    paragraph.append(...footer.childNodes)
    footer.replaceWith(paragraph)
  }
}

const hasNoOtherText = (parent: PageElement, heading: PageElement): boolean =>
  [...parent.childNodes].every((node) => node === heading || (node.textContent ?? '').trim() === '')

// Readability is typed for a browser's nodes; linkedom's have all that we use.
const asPageNode = (node: unknown): PageNode => node as PageNode

const hasRoot = (html: string): boolean => /<(?:html|body)[\s>]/i.test(html)

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
/** Room for `By` and the like, in any language. */
const MAX_LETTERS_AROUND_NAME = 12

/** Drops a first heading that repeats the title, and a first paragraph that repeats the author. */
function withoutTitleAndByline(blocks: Block[], { title, byline }: { title: string; byline: string }): Block[] {
  const [first, ...others] = blocks
  if (first?.kind !== 'heading' && first?.kind !== 'paragraph') return blocks
  const words = lettersOf(toPlain([first]))
  const [name, heading] = [lettersOf(byline), lettersOf(title)]
  if (first.kind === 'heading') return words === heading ? withoutTitleAndByline(others, { title: '', byline }) : blocks
  const isByline = name !== '' && words.endsWith(name) && words.length <= name.length + MAX_LETTERS_AROUND_NAME
  return isByline ? others : blocks
}

/** A page may set its own base address for relative links. */
function baseOf(document: { querySelector: (selector: string) => unknown }, address: string): string {
  const base = document.querySelector('base[href]') as PageNode | null // an element, or nothing
  const href = base?.getAttribute?.('href') ?? ''
  return href !== '' && URL.canParse(href, address) ? new URL(href, address).href : address
}

export const languageOf = (tag: string): string => (LANGUAGE_TAG.test(tag) ? tag.replaceAll('_', '-') : '')

export function isoTime(text: string): string {
  const time = Date.parse(text)
  return Number.isNaN(time) || time < 0 ? '' : new Date(time).toISOString()
}
