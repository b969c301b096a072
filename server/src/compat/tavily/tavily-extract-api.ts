// The compatible APIs that read pages: POST /tavily/extract as Tavily's own clients send it, and Open WebUI's external
// loader, which does the same in another format. Each page counts as a request to `read/`: the first as the request
// itself, and every other one is admitted on its own. A page that cannot be read isn't counted, and Tavily's format
// names it.

import { httpAddress } from '@bowerbird/engines/parsing/http-address.ts'
import type { ExtractedPage } from '@bowerbird/reader/extracted-page.ts'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Call } from '../../api/endpoint.ts'
import { INVALID_PAGE_URL, readOrRefuse, requireReadablePage } from '../../api/endpoints/read-endpoint.ts'
import type { PageReading } from '../../api/page-reading.ts'
import type { Admission, Admit } from '../../api/pipeline/admission.ts'
import { inParallel } from '../../api/pipeline/in-parallel.ts'
import type { FieldsToRead } from '../../api/pipeline/read-body.ts'
import { Refusal } from '../../errors.ts'
import { type CompatFrame, mountCompatRoute, readBodyAs, sentenceOf } from '../mount-compat-route.ts'
import { MAX_BODY_BYTES, OPENWEBUI_FORMAT, TAVILY_FORMAT } from './tavily-api.ts'

const MAX_PAGES = 20
const MAX_CONCURRENT_PAGES = 4
const COUNT_HINT = `Send an address, or a list of 1 to ${MAX_PAGES}.`

/** A body has room for thirty thousand values: zod would look at each of them before it counts. */
function isAddressOrList(value: unknown): boolean {
  if (!Array.isArray(value)) return typeof value === 'string'
  return value.length >= 1 && value.length <= MAX_PAGES && value.every((url) => typeof url === 'string')
}

const ExtractSchema = z.object({
  urls: z.custom<string | string[]>(isAddressOrList, COUNT_HINT).transform((urls) => [urls].flat()),
  format: z.enum(['markdown', 'text']).catch('markdown'),
})

type ExtractParams = z.output<typeof ExtractSchema>

interface ExtractParts {
  reader: PageReading
  admit: Admit
}

interface FoundPage {
  url: string
  page: ExtractedPage
}

interface FailedPage {
  url: string
  error: string
}

export function mountExtract(frame: CompatFrame, parts: ExtractParts): void {
  const readAll = (call: Call<ExtractParams>) => readPages(call, parts)
  const extract = {
    methods: ['POST'] as const,
    scope: 'read' as const,
    countedAs: () => 'read',
    fields: { names: Object.keys(ExtractSchema.shape), maxBytes: MAX_BODY_BYTES },
  }
  const read = (request: FastifyRequest, fields: FieldsToRead) => readBodyAs(request, ExtractSchema, fields)
  const extractPages = async (call: Call<ExtractParams>) => {
    const started = performance.now()
    const { found, failed, refundIfFirstFailed } = await readAll(call)
    refundIfFirstFailed()
    return {
      results: found.map(({ url, page }) => ({ url, raw_content: page.content, images: [] })),
      failed_results: failed,
      response_time: Math.round(performance.now() - started) / 1_000,
    }
  }
  const loadPages = async (call: Call<ExtractParams>) => {
    const { found, failed, refundIfFirstFailed } = await readAll(call)
    // The format can't name a page that failed, and an empty list would mean that there was nothing to read.
    if (found.length === 0) throw new Refusal('page_unreadable', failed[0]?.error ?? COUNT_HINT)
    refundIfFirstFailed()
    return found.map(({ url, page }) => ({
      page_content: page.content,
      metadata: { source: url, title: page.title },
    }))
  }
  mountCompatRoute(frame, {
    ...extract,
    path: '/tavily/extract',
    begin: () => ({ read, handle: extractPages }),
    ...TAVILY_FORMAT,
  })
  mountCompatRoute(frame, {
    ...extract,
    path: '/openwebui/load',
    begin: () => ({ read, handle: loadPages }),
    ...OPENWEBUI_FORMAT,
  })
}

/** `refundIfFirstFailed` takes back the request itself, which stands for the first page; a refusal does that anyway. */
async function readPages(call: Call<ExtractParams>, { reader, admit }: ExtractParts) {
  const { key, params, setHeader } = call
  const urls = [...new Set(params.urls)]

  async function readPage(at: number, url: string): Promise<FoundPage | FailedPage> {
    let admission: Admission | undefined
    try {
      if (at > 0) admission = await admit(key, { header: setHeader }, 'read')
      if (httpAddress(url) === '') throw new Refusal('parameter_invalid', INVALID_PAGE_URL)
      const { page } = await readOrRefuse(await requireReadablePage(reader, key, url), params.format)
      admission?.count()
      return { url, page }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      admission?.giveBack()
      return { url, error: sentenceOf(error.body) }
    }
  }

  const outcomes: (FoundPage | FailedPage)[] = []
  await inParallel(urls.entries(), MAX_CONCURRENT_PAGES, async ([at, url]) => {
    outcomes[at] = await readPage(at, url)
  })
  const found = outcomes.filter((outcome) => 'page' in outcome)
  const failed = outcomes.filter((outcome) => 'error' in outcome)
  const refundIfFirstFailed = () => {
    if (failed[0]?.url === urls[0]) call.admission.giveBack()
  }
  return { found, failed, refundIfFirstFailed }
}
