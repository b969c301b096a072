// `include=content`: the text of the first pages that a search found, for a key that also has the scope `read`. For
// limits and usage, each page counts as a request to `read/`; a page that can't be read isn't counted. One deadline
// covers all of them: a slow page is left out, and `content_reason` says so.
//
// With `content_tokens`, results have the passages that the query is about instead of the beginning of each page. The
// budget is for all results together, because that is what a language model has room for.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { type Passage, passagesOf, rankPassages } from '@bowerbird/reader/passages.ts'
import { markdownWindowOf } from '@bowerbird/reader/text-window.ts'
import { z } from 'zod'
import { Refusal } from '../../errors.ts'
import { READ_SCOPE } from '../../keys/scopes.ts'
import { READ_FAILURES, type ReadOutcome } from '../../reader/reader.ts'
import type { Call } from '../endpoint.ts'
import type { PageReading } from '../page-reading.ts'
import type { Admit } from '../pipeline/admission.ts'
import { requireScope } from '../pipeline/authenticate.ts'
import { numberParam } from './number-param.ts'

const DEADLINE_MS = 4_000

export const contentParams = {
  content_results: numberParam('With `include=content`: how many results to read, from the first.', {
    min: 1,
    max: 20,
    defaultValue: 3,
  }),
  content_length: numberParam('With `include=content`: the most characters of each page.', {
    min: 1,
    max: 8_000,
    defaultValue: 2_000,
  }),
  content_tokens: numberParam(
    'With `include=content`: instead of `content`, the `passages` that fit the query best, up to about so many tokens in all results together; 0 for `content`.',
    { min: 0, max: 32_000, defaultValue: 0 },
  ),
}

/** The members that a result has with `include=content`. */
export const contentShape = {
  content: z
    .string()
    .optional()
    .describe(
      'Only with `include=content`, without `content_tokens`: the main content of the page as Markdown, or empty.',
    ),
  passages: z
    .array(
      z.object({
        block: z.int().describe('The number of the paragraph, list, table or heading in the page, from 1.'),
        start: z.int().describe('Where it begins: `start` of `read/` to go on reading there, with `format=markdown`.'),
        heading: z.string().describe('The heading above it, or empty.'),
        text: z.string().describe('Markdown without links.'),
      }),
    )
    .optional()
    .describe(
      'Only with `content_tokens`: the passages of the page that fit the query best, in the order of the page.',
    ),
  content_truncated: z
    .boolean()
    .optional()
    .describe('Only with `include=content`: whether the page has more; `read/` has all of it.'),
  content_reason: z
    .enum(['', 'not_requested', 'rate_limited', 'busy', ...READ_FAILURES])
    .optional()
    .describe(
      'Only with `include=content`: why there is nothing of the page. `not_requested` is beyond `content_results`; ' +
        '`rate_limited`: a limit of the key; `busy`: too many pages are being read; the others as in `read/`.',
    ),
}

type ContentReason = NonNullable<z.output<(typeof contentShape)['content_reason']>>
interface Content {
  content?: string
  passages?: Passage[]
  content_truncated: boolean
  content_reason: ContentReason
}
type ContentParams = z.output<z.ZodObject<typeof contentParams>>

interface WantedContents extends ContentParams {
  /** What the passages are chosen by. */
  text: string
  addresses: readonly string[]
}

/** What reading needs of a request. */
type ReadingCall = Pick<Call<unknown>, 'key' | 'setHeader'> & Partial<Pick<Call<unknown>, 'isHead' | 'events'>>

export interface PageContents {
  /** Reads the first `content_results` addresses. Returns one element per address, read or not. */
  readFirst: (call: ReadingCall, wanted: WantedContents) => Promise<Content[]>
}

/** Throws the 403 for a key without the scope. */
export const requireReadScope = ({ key }: Pick<Call<unknown>, 'key'>): void => requireScope(key, READ_SCOPE)

/** What was read of a page, or why it wasn't. */
type Reading = ReadOutcome | ContentReason

export function createPageContents(reader: PageReading, admit: Admit): PageContents {
  async function tryToAdmit({ key, setHeader }: ReadingCall) {
    try {
      return await admit(key, { header: setHeader }, 'read')
    } catch (error) {
      if (error instanceof Refusal) return undefined
      throw error
    }
  }

  async function read(
    call: ReadingCall,
    address: string,
    endsAt: number,
  ): Promise<ReadOutcome | 'rate_limited' | 'busy'> {
    const admission = await tryToAdmit(call)
    if (!admission) return 'rate_limited'
    try {
      const withinMs = Math.max(1, endsAt - performance.now())
      const outcome = await reader.read(address, { format: 'markdown', withinMs }, call.key)
      if (outcome.ok) admission.count()
      else admission.giveBack()
      return outcome
    } catch (error) {
      admission.giveBack()
      if (!(error instanceof UpstreamError)) throw error
      return 'busy'
    }
  }

  return {
    async readFirst(call, wanted) {
      const { addresses, content_results: maxResults } = wanted
      const endsAt = performance.now() + DEADLINE_MS
      // Read nothing for a HEAD request or for a client that has disconnected.
      const isWanted = !call.isHead && !call.events?.signal.aborted
      const first = isWanted ? addresses.slice(0, maxResults) : []
      const outcomes = await Promise.all(first.map((address) => read(call, address, endsAt)))
      const readings = addresses.map((_, at): Reading => outcomes[at] ?? 'not_requested')
      return wanted.content_tokens > 0 ? await passagesIn(readings, wanted) : contentsOf(readings, wanted)
    },
  }
}

const reasonOf = (reading: Reading): ContentReason =>
  typeof reading === 'string' ? reading : reading.ok ? '' : reading.reason

const markdownOf = (reading: Reading): string => (typeof reading === 'object' && reading.ok ? reading.page.content : '')

const contentsOf = (readings: readonly Reading[], { content_length: maxLength }: ContentParams): Content[] =>
  readings.map((reading) => {
    const markdown = markdownOf(reading)
    const { content, length } = markdownWindowOf(markdown, 0, maxLength)
    return { content, content_truncated: length < markdown.length, content_reason: reasonOf(reading) }
  })

async function passagesIn(
  readings: readonly Reading[],
  { text, content_tokens: maxTokens }: WantedContents,
): Promise<Content[]> {
  const pages: Passage[][] = []
  const ranking = rankPassages(text)
  for (const reading of readings) {
    const passages = passagesOf(markdownOf(reading))
    ranking.add(passages)
    pages.push(passages)
    // Twenty long pages take a while, in which others want to be served.
    await nextTurn()
  }
  const chosen = ranking.choose(maxTokens)
  return readings.map((reading, at) => {
    const passages = chosen[at] ?? []
    const isWhole = passages.length === pages[at]?.length
    return { passages, content_truncated: !isWhole, content_reason: reasonOf(reading) }
  })
}
