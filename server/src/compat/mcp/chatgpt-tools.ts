// `/mcp?shape=chatgpt`: the two tools that ChatGPT's deep research and company knowledge look for, with exactly the
// parameters and replies they expect. A reply is one text that is JSON, and the same as structured content. The id of a
// result is its address.
import { httpAddress } from '@bowerbird/engines/parsing/http-address.ts'
import { markdownWindowOf } from '@bowerbird/reader/text-window.ts'
import { z } from 'zod'
import { readOrRefuse, requireReadablePage } from '../../api/endpoints/read-endpoint.ts'
import { setSearchHeaders } from '../../api/endpoints/search-endpoint.ts'
import type { PageReading } from '../../api/page-reading.ts'
import { Refusal } from '../../errors.ts'
import type { Search } from '../../search/search.ts'
import { queryText } from '../compat-params.ts'
import { ENDPOINT_OF_TAB } from '../mount-compat-route.ts'
import { namingFailures } from '../tools/naming-failures.ts'
import { defineTool, oneLine } from '../tools/tool.ts'

const asJson = (structured: Record<string, unknown>) => ({ text: JSON.stringify(structured), structured })

export const chatgptSearchTool = defineTool({
  name: 'search',
  title: 'Search the web',
  description: 'Search the web with several search engines at once. Returns titles and URLs.',
  params: z.object({ query: queryText.describe('What to search for.') }),
  reply: z.object({
    results: z.array(z.object({ id: z.string(), title: z.string(), url: z.string() })),
    status: z.string().optional().describe('Only if engines failed: partial or stale.'),
  }),
  scope: 'search',
  countedAs: () => ENDPOINT_OF_TAB.web,
  async run({ params: { query }, caller, setHeader }, { search }: { search: Search }) {
    const request = { text: query, engines: [], safe: true, lang: '', page: 1, date: undefined }
    const answer = await namingFailures(search.search({ caller, tab: 'web', request }), (slot) =>
      search.labelOf(slot, 'web'),
    )
    setSearchHeaders(answer, setHeader)
    const results = answer.results.map(({ hit: { url, title } }) => ({ id: url, title: oneLine(title) || url, url }))
    return asJson({ results, ...(answer.status !== 'complete' && { status: answer.status }) })
  },
})

/** What a conversation can hold; more of a page is read with the tool `read`. */
const MAX_TEXT_LENGTH = 100_000

export const chatgptFetchTool = (reader: PageReading | undefined) =>
  defineTool({
    name: 'fetch',
    title: 'Read a page',
    description: 'The main text of a page that a search has returned, as Markdown.',
    params: z.object({
      id: z
        .string({ error: 'Send the id of a result.' })
        .trim()
        .refine((text) => httpAddress(text) !== '', 'Send the id of a result, which is its URL.')
        .describe('The id of a result.'),
    }),
    reply: z.object({
      id: z.string(),
      title: z.string(),
      text: z.string(),
      url: z.string(),
      metadata: z.object({ published: z.string(), status: z.string().describe('complete or truncated') }),
    }),
    scope: 'read',
    countedAs: () => 'read',
    async run({ params: { id }, key }) {
      if (!reader) throw new Refusal('not_found', 'Reading pages is turned off on this instance.')
      const { page, address } = await readOrRefuse(await requireReadablePage(reader, key, id), 'markdown')
      const { content, length } = markdownWindowOf(page.content, 0, MAX_TEXT_LENGTH)
      const status = length < page.content.length ? 'truncated' : 'complete'
      const metadata = { published: page.published, status }
      return asJson({ id, title: oneLine(page.title) || id, text: content, url: address, metadata })
    },
  })
