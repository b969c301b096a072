// Keeps Readability from dropping content: it mistakes a heading with an edit link for a list of links, and every
// footer for the footer of the page.

interface PageElement {
  readonly localName: string
  readonly textContent: string | null
  readonly parentElement: PageElement | null
  readonly childNodes: Iterable<PageElement>
  remove: () => void
  append: (...nodes: PageElement[]) => void
  replaceWith: (node: PageElement) => void
}

interface PageDocument {
  querySelectorAll: (selector: string) => Iterable<PageElement>
  createElement: (name: string) => PageElement
}

/** MediaWiki's links in the text that aren't part of it. */
const NOT_TEXT = '.mw-editsection, .mw-cite-backlink'

export function preparePage(document: PageDocument): void {
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
