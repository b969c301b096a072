// The text of the first pages that a search found, for the compatible APIs whose results can have it. Pages are read and
// counted as with `include=content`.
import type { Call } from '../api/endpoint.ts'
import type { PageContents } from '../api/endpoints/page-contents.ts'

const MAX_PAGES = 5
const MAX_CHARACTERS = 8_000

export interface PageTexts {
  /** One for each address; '' if it wasn't read. */
  texts: readonly string[]
  /** Why some have no text, or not all of it; '' if there is nothing to say. */
  note: string
}

export async function readTexts(
  call: Call<unknown>,
  contents: PageContents,
  addresses: readonly string[],
): Promise<PageTexts> {
  const lengths = { content_results: MAX_PAGES, content_length: MAX_CHARACTERS, content_tokens: 0 }
  const pages = await contents.readFirst(call, { ...lengths, text: '', addresses })
  const reasons = pages.map(({ content_reason }) => content_reason)
  const failed = reasons.filter((reason) => reason !== '' && reason !== 'not_requested')
  const notes = [
    failed.length > 0 && `Pages without text: ${failed.length} (${[...new Set(failed)].join(', ')}).`,
    reasons.includes('not_requested') && `Only the first ${MAX_PAGES} pages were read.`,
    pages.some((page) => page.content_truncated) && `Pages are cut off after ${MAX_CHARACTERS} characters.`,
  ]
  return { texts: pages.map(({ content = '' }) => content), note: notes.filter(Boolean).join(' ') }
}
