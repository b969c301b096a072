// The tool that reads a page: the same as `GET /api/v1/read/`, in pieces that a model can afford.

import { httpAddress } from '@bowerbird/engines/parsing/http-address.ts'
import { z } from 'zod'
import { windowOf } from '../../api/endpoints/page-window.ts'
import { MOST_CHARACTERS, NO_PAGE_ADDRESS, readablePage, readOrRefuse } from '../../api/endpoints/read-endpoint.ts'
import { Refusal } from '../../errors.ts'
import { oneLine } from './one-line.ts'
import { defineTool } from './tool.ts'

const LENGTH = 8_000

export const readTool = defineTool({
  name: 'read',
  title: 'Read a page',
  description:
    'The main text of a page that a search has returned, as Markdown, 8,000 characters at a time. Use the exact URL from the results.',
  params: z.object({
    url: z
      .string({ error: 'Send the URL of a page.' })
      .trim()
      .refine((text) => httpAddress(text) !== '', NO_PAGE_ADDRESS)
      .describe('The URL, as a search returned it.'),
    start: z.coerce
      .number({ error: 'Send a whole number.' })
      .int('Send a whole number.')
      .min(0, 'Send a whole number from 0.')
      .max(MOST_CHARACTERS, `Send at most ${MOST_CHARACTERS}.`)
      .optional()
      .describe('Where to go on, in characters; 0 by default.'),
  }),
  reply: z.object({
    url: z.string(),
    title: z.string(),
    published: z.string(),
    content: z.string(),
    start: z.number(),
    total: z.number(),
  }),
  scope: 'read',
  countedAs: () => 'read',
  async run({ params: { url, start = 0 }, key, services: { reader } }) {
    if (!reader) throw new Refusal(503, 'This instance reads no pages.')
    const { page } = await readOrRefuse(await readablePage(reader, key, url), 'markdown')
    const content = windowOf(page.content, start, LENGTH)
    const total = page.content.length
    const end = start + content.length
    const title = oneLine(page.title)
    const facts = [url, oneLine(page.byline), page.published.slice(0, 10)].filter(Boolean).join(' · ')
    const rest =
      end < total ? `Characters ${start} to ${end} of ${total}. Go on with start ${end}.` : 'End of the page.'
    return {
      // Everything after the empty line comes from the page; everything before it is ours.
      text: [title, facts, rest, '', content].join('\n'),
      structured: { url, title, published: page.published, content, start, total },
    }
  },
})
