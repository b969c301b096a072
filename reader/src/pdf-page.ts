// The text of a PDF, page by page. A PDF records where letters are, not what they mean: there are no headings, lists or
// tables to find.
import { extractText, getDocumentProxy, getMeta } from 'unpdf'
import type { Block } from './blocks.ts'
import { collapsed, oneLine } from './clean-text.ts'
import { type ContentFormat, type ExtractedPage, UnreadablePage } from './extracted-page.ts'
import { isoTime, languageOf, MAX_NAME_LENGTH, MAX_TITLE_LENGTH } from './html-page.ts'
import { writeBlocks } from './write-blocks.ts'

const MAX_PAGES = 200

/** Throws UnreadablePage. */
export async function readPdfPage(bytes: Uint8Array, format: ContentFormat): Promise<ExtractedPage> {
  const document = await open(bytes)
  try {
    return await readDocument(document, format)
  } finally {
    await document.loadingTask.destroy()
  }
}

async function readDocument(document: Awaited<ReturnType<typeof open>>, format: ContentFormat): Promise<ExtractedPage> {
  if (document.numPages > MAX_PAGES) throw new UnreadablePage('too_large')
  const { text: pages } = await extractText(document, { mergePages: false })
  const { info } = await getMeta(document, { parseDates: true })
  const textOf = (name: string, maxLength: number) =>
    oneLine(typeof info[name] === 'string' ? info[name] : '', maxLength)
  const blocks = pages.flatMap(paragraphsOf)
  const created: unknown = info['CreationDate']
  return {
    type: 'pdf',
    title: textOf('Title', MAX_TITLE_LENGTH),
    byline: textOf('Author', MAX_NAME_LENGTH),
    siteName: '',
    language: languageOf(textOf('Language', MAX_NAME_LENGTH)),
    published: created instanceof Date && !Number.isNaN(created.getTime()) ? isoTime(created.toISOString()) : '',
    ...writeBlocks(blocks, format),
  }
}

async function open(bytes: Uint8Array) {
  try {
    // The same memory: PDF.js refuses a Buffer.
    return await getDocumentProxy(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  } catch (cause) {
    throw new UnreadablePage('not_text', { cause })
  }
}

const paragraphsOf = (page: string): Block[] =>
  page
    .split(/\n\s*\n/)
    .map((text) => collapsed(text).trim())
    .filter((text) => text !== '')
    .map((text) => ({ kind: 'paragraph', runs: [{ text }] }))
