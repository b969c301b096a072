// Shows an instant answer above the results of a web search, and a card beside them. Both are fetched while the engines
// are called, each with its own deadline. An answer is shown even if no engine responded, and failures here never affect
// the results.
//
// A missing answer is reported, because the query asked for it; a missing card isn't.
import type { AnswerRequest, GivenAnswer } from '@bowerbird/answers/answers.ts'
import { readTimeZone } from '@bowerbird/answers/lib/zones.ts'
import type { Cards, CardsAnswer } from '../../cards/cards.ts'
import type { InstantAnswers } from '../../cards/instant-answers.ts'
import { Refusal } from '../../errors.ts'
import type { GuardMode } from '../../search/query-guard.ts'
import { isTooLong } from '../../search/read-filters.ts'
import type { Search } from '../../search/search.ts'
import type { ExtraScript } from '../assets.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type PageContext, type Verbatim } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'
import type { Pictures } from '../pictures.ts'
import type { ToolParts } from '../tools/define-tool.ts'
import { toolAboveResults } from '../tools/tool-pages.ts'
import { type OpenedTool, toolCalledBy, toolForAnswer } from '../tools/tools.ts'
import { factAnswer, readCardQuestion, type WikipediaCard } from './card-question.ts'
import { cardView } from './card-view.ts'
import { isGuarded } from './guard-page.ts'
import { instantView } from './instant-view.ts'
import { parseSearchQuery, SearchParams, type SearchQuery, textParam } from './search-query.ts'

/** What computes and fetches answers. */
interface AnswerParts extends ToolParts {
  answers: InstantAnswers
}

export interface AnswerBoxParts extends AnswerParts {
  cards: Cards
  pictures: Pictures | undefined
}

export interface AnswerPageParts {
  search: Search
  answers: InstantAnswers
  queryGuard: GuardMode
}

export interface AnswerBox {
  /** Above the first result. */
  answer?: Html
  /** Beside the results, or after the third: what private engines found, for a signed-in reader. */
  mine?: Html | false
  /** What the reader has just changed about a site. */
  changed?: Html | false
  /** Below that. */
  card?: Html
  /** For the page: `no-store` if the answer is random or about the reader, and what a tool needs. */
  headers?: Record<string, string>
  scripts?: readonly ExtraScript[]
  styles?: readonly string[]
}

const ANSWER_PATH = '/answer'

/** About as long as engines take. Readers who ask for an answer would rather wait a little than not get it. */
const ANSWER_MS = 1_200
const CARDS_MS = 800

/** `missing`: the source failed or was too slow. `broken`: a bug. */
type Fetched<Value> = { kind: 'here'; value: Value } | { kind: 'missing' | 'broken' }

const NOT_WANTED = { kind: 'unwanted' } as const

export async function answerBox(
  parts: AnswerBoxParts,
  context: PageContext,
  searchQuery: SearchQuery,
): Promise<AnswerBox> {
  const question = readCardQuestion(searchQuery.request.text)
  const [answer, cards] = await Promise.all([
    withDeadline(ANSWER_MS, context, () => fetchShown(parts, context, searchQuery)),
    context.preferences.cards
      ? withDeadline(CARDS_MS, context, () => fetchCards(parts.cards, context, searchQuery, question?.subject))
      : NOT_WANTED,
  ])
  const found = answer.kind === 'here' ? answer.value : null
  // The definition is already shown above the results.
  const excludedKinds = found?.type === 'dictionary_definition' ? ['dictionary'] : []
  const fact = question && cards.kind === 'here' && factAnswer(question, wikipediaIn(cards.value), searchQuery.written)
  // A card about another thing than the fact's would only look like an answer.
  const isAboutQuery = !question || fact
  const card =
    cards.kind === 'here' &&
    isAboutQuery &&
    cardView(parts.pictures, context, { cards: cards.value.cards, excludedKinds })
  return {
    ...(fact && { answer: instantView(context, fact) }),
    ...found?.shown,
    ...(answer.kind === 'missing' && {
      answer: html`<p class="partial" role="status">${context.words.answers.missing}</p>`,
    }),
    ...(card && { card }),
  }
}

type ShownAnswer = Pick<AnswerBox, 'answer' | 'headers' | 'scripts' | 'styles'>

/** The instant answer to a search that isn't sent to anyone. */
export async function localAnswer(
  parts: AnswerParts,
  context: PageContext,
  searchQuery: SearchQuery,
): Promise<ShownAnswer> {
  const found = await withDeadline(ANSWER_MS, context, () =>
    fetchShown(parts, context, searchQuery, { asksNobody: true }),
  )
  return found.kind === 'here' && found.value !== null ? found.value.shown : {}
}

/** The tool that the query names, or the instant answer; `type`: which answer it is. */
async function fetchShown(
  parts: AnswerParts,
  context: PageContext,
  searchQuery: SearchQuery,
  how: Pick<AnswerRequest, 'asksNobody'> = {},
): Promise<{ type: string; shown: ShownAnswer } | null> {
  const called = toolCalledBy(searchQuery.written)
  if (called) return { type: called.name, shown: await showTool(parts, context, { tool: called, params: {} }) }
  const found = await fetchAnswer(parts.answers, context, searchQuery, how)
  if (!found) return null
  const { answer, isPersonal } = found
  const opened = toolForAnswer(answer)
  const shown = opened
    ? await showTool(parts, context, opened)
    : {
        answer: instantView(context, answer, {
          localAnswerAddress: localAnswerAddress(context, searchQuery, found),
          lang: searchQuery.request.lang,
        }),
        ...(isPersonal && { headers: { 'Cache-Control': 'no-store' } }),
      }
  return { type: answer.type, shown }
}

async function showTool(parts: ToolParts, context: PageContext, { tool, params }: OpenedTool): Promise<ShownAnswer> {
  const { tool: answer, ...rest } = await toolAboveResults(parts, context, { tool, params })
  return { answer, ...rest }
}

/** The URL where the script requests the answer for the reader's time zone; '' if the answer doesn't depend on it. */
const localAnswerAddress = (
  { hasPage }: PageContext,
  { written, keep }: SearchQuery,
  { usesZone }: GivenAnswer,
): string => (usesZone && hasPage(ANSWER_PATH) ? addressOf(ANSWER_PATH, { q: written, lang: keep['lang'] ?? '' }) : '')

/** `zone`: the reader's IANA time zone, if known. */
const fetchAnswer = (
  answers: InstantAnswers,
  context: PageContext,
  { request }: Pick<SearchQuery, 'request'>,
  how: Pick<AnswerRequest, 'zone' | 'asksNobody'> = {},
): Promise<GivenAnswer | null> => {
  const { caller, ip } = context
  const { text } = request
  return answers.answer(caller, { text, lang: answerLanguage(context, request), client: { ip }, ...how })
}

/** `subject`: what the query asks about, if it's a question about a fact. */
const fetchCards = (
  cards: Cards,
  context: PageContext,
  { request }: SearchQuery,
  subject = request.text,
): Promise<CardsAnswer> =>
  cards.cards(context.caller, {
    text: subject,
    lang: answerLanguage(context, request),
    safe: request.safe,
  })

/** The service stores each card under the name of its kind. */
const wikipediaIn = ({ cards }: CardsAnswer) => cards['wikipedia'] as WikipediaCard | null | undefined

/** Questions in English are always understood; if the result is '', so are questions in any other language. */
export const answerLanguage = ({ language }: Pick<PageContext, 'language'>, { lang }: { lang: string }): string =>
  lang || (language === 'en' ? '' : language)

/** Never rejects. A Refusal means that the source failed; any other error is a bug. */
async function withDeadline<Value>(
  ms: number,
  { log }: PageContext,
  fetchValue: () => Promise<Value>,
): Promise<Fetched<Value>> {
  const { promise: deadline, resolve } = Promise.withResolvers<Fetched<Value>>()
  const timer = setTimeout(() => resolve({ kind: 'missing' }), ms)
  const fetching = async (): Promise<Fetched<Value>> => {
    try {
      return { kind: 'here', value: await fetchValue() }
    } catch (error) {
      if (error instanceof Refusal) return { kind: 'missing' }
      log.error({ err: error }, 'the answer box failed; showing results without it')
      return { kind: 'broken' }
    }
  }
  try {
    return await Promise.race([fetching(), deadline])
  } finally {
    clearTimeout(timer)
  }
}

const NO_CHANGE: Verbatim = { contentType: 'text/plain', content: '', status: 204 }

const AnswerQuery = SearchParams.extend({ tz: textParam })

/**
 * GET /answer: repeats the instant answer of a results page for the reader's own time zone. A page is rendered before the
 * zone is known, so its days are in UTC; the script, which knows the zone, requests answers that depend on it here. So
 * the zone is in no URL that is shown, stored or shared, and in no cookie. Without JavaScript, the answer stays in UTC
 * and says so.
 */
export const answerPage = ({ search, answers, queryGuard }: AnswerPageParts) =>
  definePage({
    method: 'GET',
    path: ANSWER_PATH,
    access: 'searcher',
    quota: 'search',
    isData: true,
    query: AnswerQuery,
    async handle(context): Promise<Verbatim> {
      const { query, preferences } = context
      const searchQuery = parseSearchQuery(query, preferences, search.slotNames)
      const zone = readTimeZone(query.tz)
      const { written: text } = searchQuery
      if (zone === undefined || text === '' || isTooLong(text) || isGuarded(queryGuard, text)) return NO_CHANGE
      const found = await fetchAnswer(answers, context, searchQuery, { zone, asksNobody: preferences.answersFirst })
      if (!found?.usesZone) return NO_CHANGE
      return {
        contentType: 'text/html; charset=utf-8',
        content: instantView(context, found.answer).text,
        headers: { 'Cache-Control': 'no-store' },
      }
    },
  })
