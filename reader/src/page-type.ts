// Detects the type of a page, from its bytes first and then from its Content-Type.

export type PageType = 'html' | 'pdf' | 'json' | 'markdown' | 'text'

const START_BYTES = 1_024
const HTML_START = /^\s*(?:<!--.{0,500}?-->\s*)?<(?:!doctype\s+html|html|head|body|title|meta)\b/is

/** undefined: not a type that we read. */
export function pageType(bytes: Uint8Array, contentType: string): PageType | undefined {
  const start = Buffer.from(bytes.subarray(0, START_BYTES)).toString('latin1')
  if (start.slice(0, START_BYTES).includes('%PDF-')) return 'pdf'
  const name = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const isWide = /^(?:\xff\xfe|\xfe\xff)/.test(start)
  if (start.includes('\0') && !isWide) return undefined
  if (name === 'text/html' || name === 'application/xhtml+xml' || HTML_START.test(start)) return 'html'
  if (name === 'application/json' || name.endsWith('+json')) return 'json'
  if (name === 'text/markdown' || name === 'text/x-markdown') return 'markdown'
  return name === 'text/plain' || name === '' ? 'text' : undefined
}
