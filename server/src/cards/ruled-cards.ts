// Cards under the rules about sites: nothing in them comes from a blocked site or leads to one.
import { httpAddress } from '@bowerbird/engines/parsing/http-address.ts'
import type { RuleSet } from '../rules/site-rules.ts'
import { isBlocked } from '../search/blocked-sites.ts'

export function withoutBlockedSites<Answer extends { cards: Record<string, unknown> }>(
  answer: Answer,
  rules: RuleSet | undefined,
): Answer {
  if (!rules) return answer
  const kinds = Object.entries(answer.cards).map(([kind, card]) => [
    kind,
    isObject(card) ? ruledCard(card, rules) : card,
  ])
  return { ...answer, cards: Object.fromEntries(kinds) }
}

/** The addresses in a card, wherever they are. */
export const listAddresses = (value: unknown): string[] => {
  if (typeof value === 'string') return httpAddress(value) === '' ? [] : [value]
  return isObject(value) ? Object.values(value).flatMap(listAddresses) : []
}

/** Wherever in the value the link is. */
export const linksToBlocked = (value: unknown, rules: RuleSet): boolean =>
  isObject(value) ? Object.values(value).some((member) => linksToBlocked(member, rules)) : isBlockedLink(value, rules)

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

const isBlockedLink = (value: unknown, rules: RuleSet): boolean =>
  typeof value === 'string' && httpAddress(value) !== '' && isBlocked(value, rules)

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
