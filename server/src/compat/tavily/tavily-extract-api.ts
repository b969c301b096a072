// The compatible APIs that read pages: POST /tavily/extract as Tavily's own clients send it, and Open WebUI's external
// loader, which does the same in another format. Each page is a request to `read/`: the first is the one that came in,
// and the others pass the limits one by one. A page that cannot be read isn't counted, and Tavily's format names it.

import { httpAddress } from '@bowerbird/engines/parsing/http-address.ts'
import type { ExtractedPage } from '@bowerbird/reader/extracted-page.ts'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { PageReading } from '../../api/api-services.ts'
import type { Call } from '../../api/endpoint.ts'
import { NO_PAGE_ADDRESS, readablePage, readOrRefuse } from '../../api/endpoints/read-endpoint.ts'
import type { Admission, Admit } from '../../api/pipeline/admission.ts'
import { inParallel } from '../../api/pipeline/in-parallel.ts'
import { Refusal } from '../../errors.ts'
import { type CompatFrame, mountCompatRoute, readBodyAs, sentenceOf } from '../mount-compat-route.ts'
import { MAX_BODY_BYTES, OPENWEBUI_FORMAT, TAVILY_FORMAT } from './tavily-api.ts'

const MOST_PAGES = 20
const AT_ONCE = 4
const HOW_MANY = `Send an address, or a list of 1 to ${MOST_PAGES}.`

const Members = z.object({
  urls: z
    .union([z.string().transform((url) => [url]), z.array(z.string())], { error: HOW_MANY })
    .refine(({ length }) => length >= 1 && length <= MOST_PAGES, HOW_MANY),
  format: z.enum(['markdown', 'text']).catch('markdown'),
})

type ExtractParams = z.output<typeof Members>

interface FoundPage {
  url: string
  page: ExtractedPage
}

interface FailedPage {
  url: string
  error: string
}

export function mountExtract(frame: CompatFrame, reader: PageReading): void {
  const { admit } = frame.services
  const readAll = (call: Call<ExtractParams>) => readPages(call, { reader, admit })
  const extract = {
    methods: ['POST'] as const,
    scope: 'read' as const,
    countedAs: () => 'read',
    read: (request: FastifyRequest) => readBodyAs(request, Members, MAX_BODY_BYTES),
  }
  mountCompatRoute<ExtractParams>(frame, {
    ...extract,
    path: '/tavily/extract',
    handle: async (call) => {
      const started = performance.now()
      const { found, failed, settle } = await readAll(call)
      settle()
      return {
        results: found.map(({ url, page }) => ({ url, raw_content: page.content, images: [] })),
        failed_results: failed,
        response_time: Math.round(performance.now() - started) / 1_000,
      }
    },
    ...TAVILY_FORMAT,
  })
  mountCompatRoute<ExtractParams>(frame, {
    ...extract,
    path: '/openwebui/load',
    handle: async (call) => {
      const { found, failed, settle } = await readAll(call)
      // The format can't name a page that failed, and an empty list would mean that there was nothing to read.
      if (found.length === 0) throw new Refusal(422, failed[0]?.error ?? HOW_MANY)
      settle()
      return found.map(({ url, page }) => ({
        page_content: page.content,
        metadata: { source: url, title: page.title },
      }))
    },
    ...OPENWEBUI_FORMAT,
  })
}

interface PageReader {
  reader: PageReading
  admit: Admit
}

/** `settle` refunds the request if its first page could not be read; not needed if all of it is refused. */
async function readPages(call: Call<ExtractParams>, { reader, admit }: PageReader) {
  const { key, params, verdict, setHeader } = call
  const urls = [...new Set(params.urls)]

  async function readPage(at: number, url: string): Promise<FoundPage | FailedPage> {
    let further: Admission | undefined
    try {
      if (at > 0) further = await admit(key, { header: setHeader }, 'read')
      if (httpAddress(url) === '') throw new Refusal(400, NO_PAGE_ADDRESS)
      const { page } = await readOrRefuse(await readablePage(reader, key, url), params.format)
      further?.count()
      return { url, page }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      further?.giveBack()
      return { url, error: sentenceOf(error.body) }
    }
  }

  const outcomes: (FoundPage | FailedPage)[] = []
  await inParallel(urls.entries(), AT_ONCE, async ([at, url]) => {
    outcomes[at] = await readPage(at, url)
  })
  const found = outcomes.filter((outcome) => 'page' in outcome)
  const failed = outcomes.filter((outcome) => 'error' in outcome)
  const settle = () => {
    if (failed[0]?.url === urls[0]) verdict.giveBack()
  }
  return { found, failed, settle }
}
