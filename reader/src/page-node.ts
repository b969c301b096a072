// The small part of the DOM that we use, so that code that walks a page depends neither on the browser's types nor on
// the parser.

export interface PageNode {
  readonly nodeType: number
  /** Lower case; undefined for anything but an element. */
  readonly localName?: string
  readonly parentNode: PageNode | null
  readonly childNodes: Iterable<PageNode>
  readonly textContent: string | null
  getAttribute?: (name: string) => string | null
}

export const isElement = ({ nodeType }: PageNode): boolean => nodeType === 1
export const isText = ({ nodeType }: PageNode): boolean => nodeType === 3 || nodeType === 4

export const nameOf = (node: PageNode): string => node.localName ?? ''
export const attributeOf = (node: PageNode, name: string): string => node.getAttribute?.(name) ?? ''
