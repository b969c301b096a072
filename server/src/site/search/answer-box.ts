// What stands beside the results of a web search: an instant answer above them, a card in the rail. They are asked for
// while the engines are, and each has a deadline of its own. An answer is shown even when no engine gave one; what goes
// wrong here costs nothing but itself.
//
// That an answer is missing is said, because the words asked for it; nobody asked for a card.
import type { GivenAnswer } from '../../answers/answers.ts'
import type { GivenCards } from '../../cards/cards.ts'
import { Refusal } from '../../errors.ts'
import { type Html, html } from '../http/html.ts'
import type { Visit } from '../http/page.ts'
import type { Asked } from './search-query.ts'
import { cardView } from './card-view.ts'
import { instantView } from './instant-view.ts'
import { keptCards } from './kept-cards.ts'
import { createRenderedBefore } from './rendered-before.ts'

export interface BesideResults {
  /** Above the first result. */
  answer?: Html
  /** In the rail; on a phone under the answer. */
  card?: Html
  /** For the page: nobody may keep one whose answer is random, or about its reader. */
  headers?: Record<string, string>
}

/** Engines take about as long. Who asked for an answer would rather wait a little than not have it. */
const ANSWER_MS = 1_200
const CARDS_MS = 800

/** `missing`: there is something, but its source did not give it. */
type Found<Value> = { kind: 'here'; value: Value } | { kind: 'missing' | 'broken' }

export async function besideResults(visit: Visit, asked: Asked): Promise<BesideResults> {
  const [answer, cards] = await Promise.all([
    within(ANSWER_MS, visit, () => askAnswer(visit, asked)),
    within(CARDS_MS, visit, () => askCards(visit, asked)),
  ])
  const given = answer.kind === 'here' ? answer.value : null
  // A definition stands above the results already.
  const but = given?.answer.type === 'dictionary_definition' ? ['dictionary'] : []
  const card = cards.kind === 'here' ? drawCards(visit, cards.value.cards, but) : undefined
  return {
    ...(given && { answer: instantView(visit, given.answer) }),
    ...(given?.isPersonal && { headers: { 'Cache-Control': 'no-store' } }),
    ...(answer.kind === 'missing' && {
      answer: html`<p class="partial" role="status">${visit.words.answers.missing}</p>`,
    }),
    ...(card && { card }),
  }
}

const drawnBefore = createRenderedBefore<Html | undefined>()

const drawCards = (visit: Visit, cards: GivenCards['cards'], but: readonly string[]): Html | undefined => {
  const variant = `${visit.locale} ${visit.preferences.newTab} ${but.join(' ')}`
  return drawnBefore(cards, variant, () => cardView(visit, cards, but) || undefined)
}

const askAnswer = (visit: Visit, { request }: Asked): Promise<GivenAnswer | null> => {
  const { services, ip, userAgent } = visit
  return services.answers.answer({ text: request.text, lang: languageOf(visit, request), client: { ip, userAgent } })
}

const askCards = (visit: Visit, { request }: Asked): Promise<GivenCards> =>
  keptCards(visit.services.cards, { text: request.text, lang: languageOf(visit, request), safe: request.safe })

/** English is understood in any case, and with no language named every language's questions are. */
const languageOf = ({ locale }: Visit, { lang }: Asked['request']): string => lang || (locale === 'en' ? '' : locale)

/** Never rejects. A source that fails is told as a refusal; anything else that is thrown is a bug. */
async function within<Value>(ms: number, { services }: Visit, ask: () => Promise<Value>): Promise<Found<Value>> {
  const { promise: expired, resolve } = Promise.withResolvers<Found<Value>>()
  const timer = setTimeout(() => resolve({ kind: 'missing' }), ms)
  const asking = async (): Promise<Found<Value>> => {
    try {
      return { kind: 'here', value: await ask() }
    } catch (error) {
      if (error instanceof Refusal) return { kind: 'missing' }
      services.log.error({ err: error }, 'nothing beside the results')
      return { kind: 'broken' }
    }
  }
  try {
    return await Promise.race([asking(), expired])
  } finally {
    clearTimeout(timer)
  }
}
