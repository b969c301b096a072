// GET /search: the results of one tab, with everything that is honest about them. The search is the API's own.
import { PAGE_SIZE, type Tab } from '../../providers/engine.ts'
import { Refusal } from '../../errors.ts'
import { isTooLong, LAST_PAGE, LONGEST_QUERY } from '../../search/read-filters.ts'
import type { SearchAnswer } from '../../search/search.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type View, type Visit } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'
import { pagination } from '../parts/pagination.ts'
import { type Asked, readAsked, SearchQuery } from './search-query.ts'
import { type BesideResults, besideResults } from './answer-box.ts'
import { filters } from './filters.ts'
import { type Presenting, presentingOf } from './presenting.ts'
import { createRenderedBefore } from './rendered-before.ts'
import { imageGrid, LISTS } from './result-lists.ts'
import { correction, failed, nothingFound, partialNote, smallPrint, state } from './search-notes.ts'

export const resultsPage = definePage({
  method: 'GET',
  path: '/search',
  access: 'searcher',
  spends: 'search',
  query: SearchQuery,
  async handle(visit) {
    const { query, preferences, services, words } = visit
    const asked = readAsked(query, preferences, services.search.slotNames)
    const { text } = asked.request
    const { ask, tooLong } = words.search
    if (text === '') return viewOf(visit, asked, { body: state(ask.title, [ask.help]) })
    if (isTooLong(text)) {
      return viewOf(visit, asked, { status: 400, body: state(tooLong.title, [tooLong.help(LONGEST_QUERY)]) })
    }
    const asking = besideOf(visit, asked)
    try {
      const answer = await services.search.search(asked.tab, asked.request)
      const beside = await asking
      const found = { answer, beside }
      return viewOf(visit, asked, {
        headers: beside.headers ?? {},
        body: () => resultsOf(visit, asked, found),
        madeOf: madeOf(found),
      })
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 503) throw error
      const { answer, headers } = await asking
      const body = html`${answer}${failed(visit, asked, error)}`
      return viewOf(visit, asked, { status: 503, headers: { ...error.headers, ...headers }, body })
    }
  },
})

/** Never rejects: results do not go missing because of what stands beside them. */
async function besideOf(visit: Visit, asked: Asked): Promise<BesideResults> {
  if (asked.tab !== 'web' || asked.request.page !== 1) return {}
  try {
    return await besideResults(visit, asked)
  } catch (error) {
    visit.services.log.error({ err: error }, 'nothing beside the results')
    return {}
  }
}

type Content = Pick<View, 'body' | 'status' | 'headers' | 'madeOf'>

function viewOf(visit: Visit, asked: Asked, content: Content): View {
  const { tab, request, keep } = asked
  const { frame } = visit.words
  return {
    title: request.text === '' ? frame.tabs[tab] : `${request.text} · ${frame.tabs[tab]}`,
    layout: 'results',
    search: { text: request.text, tab, keep, filters: request.text === '' ? html`` : filters(visit, asked) },
    ...content,
  }
}

interface Found {
  answer: SearchAnswer<Tab>
  beside: BesideResults
}

/** A page is for keeping when it is complete, and says the same to whoever asks. Ages are told by the minute. */
const madeOf = ({ answer, beside }: Found): readonly unknown[] | undefined =>
  answer.status === 'complete' && !beside.headers
    ? [answer.results, answer.correction, Math.floor(answer.now / MINUTE_MS), beside.answer?.text, beside.card]
    : undefined

function resultsOf(visit: Visit, asked: Asked, { answer, beside }: Found): Html {
  const { words } = visit
  const isEmpty = answer.results.length === 0
  return html`<div class="columns${asked.tab === 'images' && ' columns-images'}"><div class="column">
<h1 class="visually-hidden">${words.search.results}</h1>
${correction(visit, asked, answer.correction)}${partialNote(visit, answer)}${beside.answer}
${isEmpty ? nothingFound(visit, asked, answer) : listOf(visit, asked, answer)}
${pagesOf(visit, asked, answer)}${smallPrint(visit, answer)}
</div>${beside.card && html`<aside class="rail" aria-label="${words.search.card}">${beside.card}</aside>`}</div>`
}

const remembered = createRenderedBefore()
const MINUTE_MS = 60_000

/** Ages are told by the minute; what the pictures' addresses and the links depend on is in the variant as well. */
function listOf(visit: Visit, asked: Asked, answer: SearchAnswer<Tab>): Html {
  const { tab, request, keep } = asked
  const { locale, preferences } = visit
  const ways = tab === 'images' ? JSON.stringify([request.text, request.page, keep]) : String(preferences.newTab)
  const variant = `${locale} ${Math.floor(answer.now / MINUTE_MS)} ${ways}`
  return remembered(answer.results, variant, () => render(visit, asked, answer))
}

function render(visit: Visit, { tab, request, keep }: Asked, answer: SearchAnswer<Tab>): Html {
  const presenting = presentingOf(visit, answer)
  // The tab of an answer is the tab of its hits; the type checker does not see it through the name.
  if (tab !== 'images') return (LISTS[tab] as ListOf)(answer.results, presenting)
  const { results } = answer as SearchAnswer<'images'>
  const { text: q, page } = request
  return imageGrid(
    results.map(({ hit }) => hit),
    presenting,
    (id) => addressOf('/images/detail', { q, page: page === 1 ? '' : page, ...keep, id }),
  )
}

type ListOf = (results: SearchAnswer<Tab>['results'], presenting: Presenting) => Html

function pagesOf({ words }: Visit, { tab, request, keep }: Asked, { results }: SearchAnswer<Tab>): Html | false {
  const { text, page } = request
  const to = (number: number) =>
    addressOf('/search', { q: text, tab: tab === 'web' ? '' : tab, ...keep, page: number === 1 ? '' : number })
  const hasNext = results.length >= PAGE_SIZE && page < LAST_PAGE
  return pagination(
    { page, previous: page > 1 ? to(page - 1) : undefined, next: hasNext ? to(page + 1) : undefined },
    words.frame,
  )
}
