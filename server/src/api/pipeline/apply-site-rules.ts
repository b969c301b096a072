// Puts the rules about sites that hold for a key around everything that finds something: searches of every tab, private
// engines, suggestions, cards and instant answers. It is the one way to them for the API, streams, MCP and the
// compatible APIs, as `site/http/ruled-services.ts` is for the website. Maps and translation find no sites.
//
// A key has its own rules and the instance's. Those of its owner are for the owner's searches on the website: a program
// must not change what it finds because a person has clicked somewhere.
import { ruledAnswers, ruledCards } from '../../cards/ruled-cards.ts'
import type { RuleSet } from '../../rules/site-rules.ts'
import { ruledSearch, ruledSuggest } from '../../search/ruled-search.ts'
import type { ApiServices } from '../api-services.ts'

/** The same services under these rules. */
export function applySiteRules(services: ApiServices, rules: RuleSet | undefined): ApiServices {
  if (!rules) return services
  const inForce = async () => rules
  return {
    ...services,
    search: ruledSearch(services.search, inForce),
    mine: ruledSearch(services.mine, inForce),
    suggest: ruledSuggest(services.suggest, inForce),
    answers: ruledAnswers(services.answers, inForce),
    cards: ruledCards(services.cards, inForce),
  }
}
