// The process that extracts one page after another. Pages are hostile, so it is started with nothing to steal and
// nothing to reach (`extract-process-arguments.ts`), and `extractor.ts` ends it if a page takes too long or too much memory.
//
// Reads a page from standard input and writes one line of JSON to file descriptor 3, because libraries may print to
// standard output. It has nothing to do in between, so it simply blocks.
import { readSync, writeFileSync } from 'node:fs'
import { extractPage, type FetchedPage } from './extract-page.ts'
import { UnreadablePage } from './extracted-page.ts'
import type { PageExtraction } from './extraction.ts'

const INPUT = 0
const OUTPUT = 3
const LENGTH_BYTES = 4

// A Ctrl-C or a stop of the service reaches the whole group; `extractor.ts` decides when this process ends.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)

// Without it, PDF.js unpacks in JavaScript: slowly enough for the memory limit to be noticed in time.
Reflect.deleteProperty(globalThis, 'DecompressionStream')

/** Exits if the service has closed the pipe or has ended. */
function receive(length: number): Buffer {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length; ) {
    const received = readSync(INPUT, bytes, { offset: at })
    if (received === 0) process.exit()
    at += received
  }
  return bytes
}

const receivePart = (): Buffer => receive(receive(LENGTH_BYTES).readUInt32LE())

const send = (message: PageExtraction | 'ready'): void => writeFileSync(OUTPUT, `${JSON.stringify(message)}\n`)

async function extract(page: FetchedPage): Promise<PageExtraction> {
  try {
    return { ok: true, page: await extractPage(page) }
  } catch (error) {
    if (error instanceof UnreadablePage) return { ok: false, reason: error.reason }
    // Parsers fail in various ways on badly broken pages, stack overflow included.
    return { ok: false, reason: 'too_complex' }
  }
}

send('ready')
for (;;) {
  // From our own service: `extractor.ts` writes the two parts.
  const about = JSON.parse(receivePart().toString()) as Omit<FetchedPage, 'bytes'>
  send(await extract({ ...about, bytes: receivePart() }))
  // The next page starts with the memory of the last one free.
  globalThis.gc?.()
}
