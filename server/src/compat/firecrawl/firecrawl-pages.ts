// Firecrawl's scrape: the main content of a page as Markdown. What a program asks for beside it is named in `warning`,
// because some always ask for more than they use (LibreChat for `rawHtml`, Khoj for `excludeTags`). Refused are a request
// for other formats alone, and promises about a page that can't be kept here. Options about how to fetch it, such as
// `waitFor`, `mobile`, `proxy` and `maxAge`, are hints and ignored; headers are never sent on, and certificates always
// checked.

import { httpAddress } from '@bowerbird/engines/parsing/http-address.ts'
import type { ExtractedPage } from '@bowerbird/reader/extracted-page.ts'
import { z } from 'zod'
import type { Call } from '../../api/endpoint.ts'
import { INVALID_PAGE_URL, readOrRefuse, requireReadablePage } from '../../api/endpoints/read-endpoint.ts'
import type { PageReading } from '../../api/page-reading.ts'
import { isNothing, notOffered } from '../compat-params.ts'

/** LibreChat hangs up after 7.5 seconds. A page that arrives later is kept for the next attempt. */
const MAX_READ_MS = 7_000
const MAX_ITEMS = 20

/** `"markdown"` and `{ "type": "markdown" }` mean the same. */
export const typedItems = <Item extends z.ZodObject>(item: Item, error: string) =>
  z
    .custom<unknown[]>((value) => Array.isArray(value) && value.length <= MAX_ITEMS, error)
    .transform((items) => items.map((given) => (typeof given === 'string' ? { type: given } : given)))
    .pipe(z.array(item, { error }))

const FORMATS = 'Only markdown is offered here.'

const pageOptions = {
  formats: typedItems(z.object({ type: z.string({ error: FORMATS }).max(40, FORMATS) }, { error: FORMATS }), FORMATS)
    .transform((formats) => formats.map(({ type }) => type))
    .refine((formats) => formats.length === 0 || formats.includes('markdown'), FORMATS)
    .nullish(),
  onlyMainContent: z.unknown().optional(),
  includeTags: z.unknown().optional(),
  excludeTags: z.unknown().optional(),
  headers: z.unknown().optional(),
  actions: notOffered(),
  profile: notOffered(),
  redactPII: notOffered(),
  zeroDataRetention: notOffered(),
  lockdown: notOffered(),
}

/** The options of a search for the pages that it finds. */
export const PageOptions = z.object(pageOptions)
type PageOptions = z.output<typeof PageOptions>

/** '' if everything that was asked for is served. */
export function optionsNote({ formats, onlyMainContent, ...options }: PageOptions): string {
  const unserved = [
    ...(formats ?? []).filter((format) => format !== 'markdown'),
    ...(['includeTags', 'excludeTags', 'headers'] as const).filter((name) => !isNothing(options[name])),
    ...(onlyMainContent === false ? ['onlyMainContent=false'] : []),
  ]
  return unserved.length === 0 ? '' : `Not offered here, so left out: ${unserved.join(', ')}.`
}

export const ScrapeSchema = z.object({
  url: z
    .string({ error: INVALID_PAGE_URL })
    .trim()
    .refine((text) => httpAddress(text) !== '', INVALID_PAGE_URL),
  timeout: z.coerce.number({ error: 'Send milliseconds.' }).positive('Send milliseconds.').default(MAX_READ_MS),
  ...pageOptions,
})

export async function scrape(
  { key }: Pick<Call<unknown>, 'key'>,
  { url, timeout, ...options }: z.output<typeof ScrapeSchema>,
  reader: PageReading,
) {
  const withinMs = Math.min(timeout, MAX_READ_MS)
  const inTime: PageReading = {
    ...reader,
    read: (found, terms, reading) => reader.read(found, { ...terms, withinMs }, reading),
  }
  const { page, address } = await readOrRefuse(await requireReadablePage(inTime, key, url), 'markdown')
  const note = optionsNote(options)
  // OpenClaw shows the outer one to its model; Firecrawl's own clients keep the inner one.
  const warning = note === '' ? {} : { warning: note }
  return {
    success: true,
    data: { markdown: page.content, metadata: metadataOf(page, { asked: url, address }), ...warning },
    ...warning,
  }
}

const CONTENT_TYPES: Record<ExtractedPage['type'], string> = {
  html: 'text/html',
  pdf: 'application/pdf',
  json: 'application/json',
  text: 'text/plain',
}

const metadataOf = (
  { title, language, published, type }: ExtractedPage,
  { asked, address }: { asked: string; address: string },
) => ({
  title,
  ...(language !== '' && { language }),
  ...(published !== '' && { publishedTime: published }),
  sourceURL: asked,
  url: address,
  statusCode: 200,
  contentType: CONTENT_TYPES[type],
})
