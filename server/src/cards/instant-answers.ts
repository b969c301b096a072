// Instant answers for a caller: under the guard for secrets, the rules about sites, and the visitors' budget.
import type { AnswerRequest, Answers, GivenAnswer } from '@bowerbird/answers/answers.ts'
import type { Caller } from '../search/caller.ts'
import { guardText } from '../search/query-guard.ts'
import { linksToBlocked } from './ruled-cards.ts'

export interface InstantAnswers extends Pick<Answers, 'list'> {
  answer: (caller: Caller, request: AnswerRequest) => Promise<GivenAnswer | null>
}

export const createInstantAnswers = ({ list, answer }: Answers): InstantAnswers => ({
  list,
  async answer(caller, request) {
    // It is computed from the query as it is, because `sha256 of …` would be wrong for any other; but then it asks nobody.
    const isRedacted = guardText(caller, request.text) !== request.text
    const rules = await caller.findRules()
    const given = await answer({
      ...request,
      ...(isRedacted && { asksNobody: true }),
      ...(caller.isVisitor && { isVisitor: true }),
    })
    // An answer has one source. If that is blocked, there is no answer.
    return rules && given && linksToBlocked(given.answer['attribution'], rules) ? null : given
  },
})
