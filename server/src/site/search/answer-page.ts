// GET /answer: repeats the instant answer of a results page for the reader's own time zone. A page is rendered before
// the zone is known, so its days are in UTC; the script, which knows the zone, requests answers that depend on it here.
// So the zone is in no URL that is shown, stored or shared, and in no cookie. Without JavaScript, the answer stays in
// UTC and says so.
import { readTimeZone } from '@bowerbird/answers/lib/zones.ts'
import { isTooLong } from '../../search/read-filters.ts'
import { definePage, type Verbatim } from '../http/page.ts'
import { ANSWER_PATH, askAnswer } from './answer-box.ts'
import { instantView } from './instant-view.ts'
import { parseSearchQuery, SearchParams, writtenParam } from './search-query.ts'

const nothing: Verbatim = { contentType: 'text/plain', content: '', status: 204 }

export const answerPage = definePage({
  method: 'GET',
  path: ANSWER_PATH,
  access: 'searcher',
  quota: 'search',
  isData: true,
  query: SearchParams.extend({ tz: writtenParam }),
  async handle(context): Promise<Verbatim> {
    const { query, preferences, services } = context
    const searchQuery = parseSearchQuery(query, preferences, services.search.slotNames)
    const zone = readTimeZone(query.tz)
    const { text } = searchQuery.request
    if (zone === undefined || text === '' || isTooLong(text)) return nothing
    const given = await askAnswer(context, searchQuery, zone)
    if (!given?.usesZone) return nothing
    return {
      contentType: 'text/html; charset=utf-8',
      content: instantView(context, given.answer).text,
      headers: { 'Cache-Control': 'no-store' },
    }
  },
})
