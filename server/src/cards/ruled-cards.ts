// Cards and instant answers under the rules about sites that are in force for somebody: nothing in them comes from a
// blocked site or leads to one.
import type { Answers } from '@bowerbird/answers/answers.ts'
import { httpAddress } from '@bowerbird/engines/parsing/http-address.ts'
import type { RuleSet } from '../rules/site-rules.ts'
import { isBlocked, type RulesInForce } from '../search/ruled-search.ts'
import type { Cards } from './cards.ts'

export const ruledCards = (cards: Cards, rulesInForce: RulesInForce): Cards => ({
  ...cards,
  async cards(query) {
    const rules = await rulesInForce()
    const answer = await cards.cards(query)
    if (!rules) return answer
    const kinds = Object.entries(answer.cards).map(([kind, card]) => [
      kind,
      isObject(card) ? ruledCard(card, rules) : card,
    ])
    return { ...answer, cards: Object.fromEntries(kinds) }
  },
})

/** An answer has one source. If that is blocked, there is no answer. */
export const ruledAnswers = (answers: Answers, rulesInForce: RulesInForce): Answers => ({
  ...answers,
  async answer(request) {
    const rules = await rulesInForce()
    const given = await answers.answer(request)
    return rules && given && linksToBlocked(given.answer['attribution'], rules) ? null : given
  },
})

/** Null if the card itself comes from a blocked site. */
function ruledCard(card: object, rules: RuleSet): object | null {
  const isFromBlocked = ('url' in card && isBlockedLink(card.url, rules)) || linksToBlocked(attributionOf(card), rules)
  return isFromBlocked
    ? null
    : Object.fromEntries(Object.entries(card).map(([name, member]) => [name, ruled(member, rules)]))
}

const attributionOf = (card: object): unknown => ('attribution' in card ? card.attribution : undefined)

/** A link to a blocked site is empty, and what has such a link (a picture, an entry of a list) is left out. */
function ruled(member: unknown, rules: RuleSet): unknown {
  if (Array.isArray(member)) return member.filter((entry) => !linksToBlocked(entry, rules))
  if (isObject(member)) return linksToBlocked(member, rules) ? null : member
  return isBlockedLink(member, rules) ? '' : member
}

/** Wherever in it the link is. */
const linksToBlocked = (value: unknown, rules: RuleSet): boolean =>
  isObject(value) ? Object.values(value).some((member) => linksToBlocked(member, rules)) : isBlockedLink(value, rules)

const isBlockedLink = (value: unknown, rules: RuleSet): boolean =>
  typeof value === 'string' && httpAddress(value) !== '' && isBlocked(value, rules)

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
