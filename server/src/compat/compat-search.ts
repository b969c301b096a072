// One search of a compatible API. Each API reads its own parameters into a tab and a request, and writes the results in
// its own shape; between the two they are alike.
import type { Tab } from '@bowerbird/engines/engine.ts'
import type { Call } from '../api/endpoint.ts'
import { setSearchHeaders } from '../api/endpoints/search-endpoint.ts'
import type { MergedHit } from '../search/merge.ts'
import type { Search, SearchAnswer } from '../search/search.ts'
import type { SearchRequest } from '../search/search-request.ts'
import { searchNote } from './search-note.ts'

export interface CompatAnswer {
  answer: SearchAnswer
  results: readonly MergedHit[]
  /** What there is to say about the answer; '' if it is complete and nothing was left out. */
  note: string
}

/** What a request of every compatible API starts from. */
export const PLAIN_REQUEST: Omit<SearchRequest, 'text'> = {
  engines: [],
  safe: true,
  lang: '',
  page: 1,
  date: undefined,
}

export async function searchFor(
  { caller, setHeader }: Pick<Call<unknown>, 'caller' | 'setHeader'>,
  search: Search,
  tab: Tab,
  request: SearchRequest,
): Promise<CompatAnswer> {
  const answer = await search.search({ caller, tab, request })
  setSearchHeaders(answer, setHeader)
  return { answer, results: answer.results, note: searchNote(answer, (slot) => search.labelOf(slot, tab)) }
}

export const withNote = <Found extends { note: string }>(found: Found, note: string | undefined): Found =>
  note ? { ...found, note: [found.note, note].filter(Boolean).join(' ') } : found

/** For an API without a member for warnings: one that no client knows, and none minds. Left out of a complete answer. */
export const noteMember = ({ answer, note }: Pick<CompatAnswer, 'answer' | 'note'>) =>
  note === '' ? {} : { bowerbird: { status: answer.status, note } }
