// A worker thread that extracts one page after another. It has its own memory, and `extractor.ts` ends it when a page
// takes too long, so that no page can harm the process.
import { parentPort } from 'node:worker_threads'
import { extractPage, type FetchedPage } from './extract-page.ts'
import { type ExtractedPage, UnreadablePage, type UnreadableReason } from './extracted-page.ts'

export type Extraction = { ok: true; page: ExtractedPage } | { ok: false; reason: UnreadableReason }

async function extract(fetched: FetchedPage): Promise<Extraction> {
  try {
    return { ok: true, page: await extractPage(fetched) }
  } catch (error) {
    if (error instanceof UnreadablePage) return { ok: false, reason: error.reason }
    // Parsers fail in various ways on badly broken pages, stack overflow included.
    return { ok: false, reason: 'too_complex' }
  }
}

parentPort?.on('message', (fetched: FetchedPage) => {
  void extract(fetched).then((extraction) => parentPort?.postMessage(extraction, []))
})
parentPort?.postMessage('ready', [])
