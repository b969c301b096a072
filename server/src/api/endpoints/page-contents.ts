// `include=content`: the text of the first pages that a search found, for a key that also has the scope `read`. For
// limits and usage, each page counts as a request to `read/`; a page that can't be read isn't counted. One deadline
// covers all of them: a slow page is left out, and `content_reason` says so.

import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
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
    max: 5,
    defaultValue: 3,
  }),
  content_length: numberParam('With `include=content`: the most characters of each page.', {
    min: 1,
    max: 8_000,
    defaultValue: 2_000,
  }),
}

/** The members that a result has with `include=content`. */
export const contentShape = {
  content: z
    .string()
    .optional()
    .describe('Only with `include=content`: the main content of the page as Markdown, or empty.'),
  content_truncated: z
    .boolean()
    .optional()
    .describe('Only with `include=content`: whether the page has more; `read/` has all of it.'),
  content_reason: z
    .enum(['', 'not_requested', 'rate_limited', 'busy', ...READ_FAILURES])
    .optional()
    .describe(
      'Only with `include=content`: why `content` is empty. `not_requested` is beyond `content_results`; ' +
        '`rate_limited`: a limit of the key; `busy`: too many pages are being read; the others as in `read/`.',
    ),
}

type ContentReason = NonNullable<z.output<(typeof contentShape)['content_reason']>>
interface Content {
  content: string
  content_truncated: boolean
  content_reason: ContentReason
}
type ContentParams = z.output<z.ZodObject<typeof contentParams>>

export interface PageContents {
  /** Reads the first `content_results` addresses. Returns one element per address, read or not. */
  readFirst: (call: Call<unknown>, wanted: ContentParams, addresses: readonly string[]) => Promise<Content[]>
}

/** Throws the 403 for a key without the scope. */
export const requireReadScope = ({ key }: Pick<Call<unknown>, 'key'>): void => requireScope(key, READ_SCOPE)

const unread = (reason: ContentReason): Content => ({
  content: '',
  content_truncated: false,
  content_reason: reason,
})

export function createPageContents(reader: PageReading, admit: Admit): PageContents {
  async function tryToAdmit({ key, setHeader }: Call<unknown>) {
    try {
      return await admit(key, { header: setHeader }, 'read')
    } catch (error) {
      if (error instanceof Refusal) return undefined
      throw error
    }
  }

  async function read(
    call: Call<unknown>,
    address: string,
    endsAt: number,
  ): Promise<ReadOutcome | 'rate_limited' | 'busy'> {
    const verdict = await tryToAdmit(call)
    if (!verdict) return 'rate_limited'
    try {
      const withinMs = Math.max(1, endsAt - performance.now())
      const outcome = await reader.read(address, { format: 'markdown', withinMs }, call.key)
      if (outcome.ok) verdict.count()
      else verdict.giveBack()
      return outcome
    } catch (error) {
      verdict.giveBack()
      if (!(error instanceof UpstreamError)) throw error
      return 'busy'
    }
  }

  return {
    async readFirst(call, { content_results: maxResults, content_length: length }, addresses) {
      const endsAt = performance.now() + DEADLINE_MS
      // Read nothing for a HEAD request or for a client that has disconnected.
      const isWanted = !call.isHead && !call.events?.signal.aborted
      const first = isWanted ? addresses.slice(0, maxResults) : []
      const outcomes = await Promise.all(first.map((address) => read(call, address, endsAt)))
      return addresses.map((_, at) => contentOf(outcomes[at] ?? 'not_requested', length))
    },
  }
}

function contentOf(outcome: ReadOutcome | ContentReason, length: number): Content {
  if (typeof outcome === 'string') return unread(outcome)
  if (!outcome.ok) return unread(outcome.reason)
  const { content, length: shown } = markdownWindowOf(outcome.page.content, 0, length)
  return { content, content_truncated: shown < outcome.page.content.length, content_reason: '' }
}
