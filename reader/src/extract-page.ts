// Extracts the content of a page from its bytes. Runs in a worker thread (`extract-thread.ts`).
import { decodePage } from './decode-page.ts'
import type { ContentFormat, ExtractedPage } from './extracted-page.ts'
import { readHtmlPage } from './html-page.ts'
import { pageType } from './page-type.ts'
import { readTextPage } from './text-page.ts'
import { UnreadablePage } from './unreadable-page.ts'

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
  return type === 'html' ? readHtmlPage(text, { address, format }) : readTextPage(text, { type, format })
}
