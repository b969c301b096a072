// The services of the website under the rules about sites that hold for whoever uses it: the instance's, and those of the
// person who is signed in. Pages get no others, so none can show a blocked site. Rules are looked up when something is
// searched for, so every other page works while they can't be.
import { ruledAnswers, ruledCards } from '../../cards/ruled-cards.ts'
import { type RulesInForce, ruledSearch, ruledSuggest } from '../../search/ruled-search.ts'
import type { SiteServices } from '../site-services.ts'

/** Looks up all other members in the services themselves, because they can change with the settings. */
export function ruledServices(services: SiteServices, inForce: RulesInForce): SiteServices {
  return Object.create(services, {
    search: { get: () => ruledSearch(services.search, inForce) },
    mine: { get: () => ruledSearch(services.mine, inForce) },
    suggest: { get: () => ruledSuggest(services.suggest, inForce) },
    answers: { get: () => ruledAnswers(services.answers, inForce) },
    cards: { get: () => ruledCards(services.cards, inForce) },
  })
}
