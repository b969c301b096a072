// Reads a picture of a page, unless it is a tracking pixel or an icon.
import type { Block } from './blocks.ts'
import { collapsed } from './clean-text.ts'
import { attributeOf, type PageNode } from './page-node.ts'
import { resolveLink } from './resolve-link.ts'

const SMALLEST = 48
const LARGEST = 20_000
const LONGEST_TEXT = 300

/** `node` is an `img`. */
export function pictureOf(node: PageNode, base: string): Extract<Block, { kind: 'picture' }> | undefined {
  const [width, height] = [sizeOf(node, 'width'), sizeOf(node, 'height')]
  if ((width ?? SMALLEST) < SMALLEST || (height ?? SMALLEST) < SMALLEST) return undefined
  const source = attributeOf(node, 'src').trim()
  const address = source === '' ? '' : resolveLink(source, base)
  if (address === '') return undefined
  const text = collapsed(attributeOf(node, 'alt')).trim().slice(0, LONGEST_TEXT).toWellFormed()
  return { kind: 'picture', address, text, ...(width && height && { width, height }) }
}

function sizeOf(node: PageNode, name: 'width' | 'height'): number | undefined {
  const text = attributeOf(node, name)
  return /^\d{1,5}$/.test(text) && Number(text) <= LARGEST ? Number(text) : undefined
}
