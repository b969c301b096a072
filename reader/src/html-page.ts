// The main content of an HTML page, as Mozilla's Readability finds it on linkedom's tree, and the page's metadata.
import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import type { Block } from './blocks.ts'
import { oneLine } from './clean-text.ts'
import type { ContentFormat, ExtractedPage } from './extracted-page.ts'
import { requireModestPage } from './page-limits.ts'
import type { PageNode } from './page-node.ts'
import { toPlain } from './plain.ts'
import { preparePage } from './prepare-page.ts'
import { readBlocks } from './read-blocks.ts'
import { UnreadablePage } from './unreadable-page.ts'
import { writeBlocks } from './write-blocks.ts'

const LONGEST_TITLE = 500
const LONGEST_NAME = 200
const LANGUAGE_TAG = /^[a-z]{2,3}(?:[-_][a-z\d]{1,8}){0,4}$/i

interface PageTerms {
  address: string
  format: ContentFormat
}

/** Throws UnreadablePage. */
export function readHtmlPage(html: string, { address, format }: PageTerms): ExtractedPage {
  requireModestPage(html)
  const { document } = parseHTML(hasRoot(html) ? html : `<!doctype html><html><body>${html}</body></html>`)
  preparePage(document)
  const article = new Readability<PageNode>(document, { serializer: asPageNode, keepClasses: true }).parse()
  if (!article?.content) throw new UnreadablePage('no_content')
  const title = oneLine(article.title ?? '', LONGEST_TITLE)
  const byline = oneLine(article.byline ?? '', LONGEST_NAME)
  const blocks = withoutOpening(
    readBlocks(article.content, { base: baseOf(document, address), withPictures: format === 'blocks' }),
    { title, byline },
  )
  return {
    type: 'html',
    title,
    byline,
    siteName: oneLine(article.siteName ?? '', LONGEST_NAME),
    language: languageOf(article.lang ?? ''),
    published: dateOf(article.publishedTime ?? ''),
    ...writeBlocks(blocks, format),
  }
}

// Readability is typed for a browser's nodes; linkedom's have all that we use.
const asPageNode = (node: unknown): PageNode => node as PageNode

const hasRoot = (html: string): boolean => /<(?:html|body)[\s>]/i.test(html)

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
/** Room for `By` and the like, in any language. */
const AROUND_NAME = 12

/** Drops a first heading that repeats the title, and a first paragraph that repeats the author. */
function withoutOpening(blocks: Block[], { title, byline }: { title: string; byline: string }): Block[] {
  const [first, ...others] = blocks
  if (first?.kind !== 'heading' && first?.kind !== 'paragraph') return blocks
  const words = lettersOf(toPlain([first]))
  const [name, heading] = [lettersOf(byline), lettersOf(title)]
  if (first.kind === 'heading') return words === heading ? withoutOpening(others, { title: '', byline }) : blocks
  const isName = name !== '' && words.endsWith(name) && words.length <= name.length + AROUND_NAME
  return isName ? others : blocks
}

/** A page may set its own base address for relative links. */
function baseOf(document: { querySelector: (selector: string) => unknown }, address: string): string {
  const base = document.querySelector('base[href]') as PageNode | null // an element, or nothing
  const href = base?.getAttribute?.('href') ?? ''
  return href !== '' && URL.canParse(href, address) ? new URL(href, address).href : address
}

export const languageOf = (tag: string): string => (LANGUAGE_TAG.test(tag) ? tag.replaceAll('_', '-') : '')

export function dateOf(text: string): string {
  const time = Date.parse(text)
  return Number.isNaN(time) || time < 0 ? '' : new Date(time).toISOString()
}
