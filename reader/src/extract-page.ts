// Extracts the content of a page from its bytes. Runs in a process of its own (`extract-process.ts`).
import { type ContentFormat, type ExtractedPage, UnreadablePage } from './extracted-page.ts'
import { readHtmlPage } from './html-page.ts'
import { readTextPage } from './text-page.ts'

export interface FetchedPage {
  bytes: Uint8Array
  contentType: string
  /** For relative links. */
  address: string
  format: ContentFormat
}

/** Throws UnreadablePage. */
export async function extractPage({ bytes, contentType, address, format }: FetchedPage): Promise<ExtractedPage> {
  const type = pageType(bytes, contentType)
  if (type === undefined) throw new UnreadablePage('not_text')
  if (type === 'pdf') {
    // Two megabytes of code that most pages don't need.
    const { readPdfPage } = await import('./pdf-page.ts')
    return await readPdfPage(bytes, format)
  }
  const text = decodePage(bytes, contentType)
  return type === 'html' ? readHtmlPage(text, { address, format }) : readTextPage(text, { type, address, format })
}

type PageType = 'html' | 'pdf' | 'json' | 'markdown' | 'text'

const START_BYTES = 1_024
const HTML_START = /^\s*(?:<!--.{0,500}?-->\s*)?<(?:!doctype\s+html|html|head|body|title|meta)\b/is

/** Looks at the bytes first, then at the Content-Type. undefined: a type that we can't read. */
function pageType(bytes: Uint8Array, contentType: string): PageType | undefined {
  const start = Buffer.from(bytes.subarray(0, START_BYTES)).toString('latin1')
  if (start.slice(0, START_BYTES).includes('%PDF-')) return 'pdf'
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const isUtf16 = /^(?:\xff\xfe|\xfe\xff)/.test(start)
  if (start.includes('\0') && !isUtf16) return undefined
  if (mediaType === 'text/html' || mediaType === 'application/xhtml+xml' || HTML_START.test(start)) return 'html'
  if (mediaType === 'application/json' || mediaType.endsWith('+json')) return 'json'
  if (mediaType === 'text/markdown' || mediaType === 'text/x-markdown') return 'markdown'
  return mediaType === 'text/plain' || mediaType === '' ? 'text' : undefined
}

const META_CHARSET = /<meta[^<>]{0,200}?charset\s{0,5}=[\s"']{0,5}([\w:.-]{2,40})/i
const HEADER_CHARSET = /charset\s*=\s*"?([\w:.-]{2,40})/i
/** A page must declare its encoding near the start; this is more than enough. */
const HEAD_BYTES = 4_096

/**
 * Decodes in the encoding of the byte order mark, the Content-Type header or the page's own meta element, in this order,
 * as browsers do. Without any: UTF-8 if it is valid, and otherwise windows-1252, as most old pages are.
 */
function decodePage(bytes: Uint8Array, contentType: string): string {
  const label = byteOrderMarkEncoding(bytes) ?? HEADER_CHARSET.exec(contentType)?.[1] ?? declaredEncoding(bytes)
  return (label === undefined ? undefined : decodeAs(bytes, label)) ?? decodeByGuess(bytes)
}

function byteOrderMarkEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : undefined
}

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const label = META_CHARSET.exec(Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1'))?.[1]
  // The declaration was readable as ASCII, so the page is not UTF-16, whatever it claims.
  return label && /^utf-?16/i.test(label) ? 'utf-8' : label
}

/** undefined: there is no such encoding. */
function decodeAs(bytes: Uint8Array, label: string): string | undefined {
  try {
    return new TextDecoder(label).decode(bytes)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function decodeByGuess(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Text that isn't UTF-8 is in a single-byte encoding; the commonest of them can decode any bytes.
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
