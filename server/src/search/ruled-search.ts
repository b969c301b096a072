// A search and suggestions under the rules about sites that are in force for somebody. The search itself applies them to
// its results (`apply-rules.ts`); here it is told which, and whatever else it says loses the sites that are blocked.
import { httpAddress } from '@bowerbird/engines/parsing/http-address.ts'
import type { RuleSet } from '../rules/site-rules.ts'
import type { Search } from './search.ts'
import type { Suggest } from './suggest.ts'

/** Looked up when something is searched for. Undefined: there are none. */
export type RulesInForce = () => Promise<RuleSet | undefined>

/** For one request, like every wrapper here: what the settings can change is copied. */
export const ruledSearch = (search: Search, rulesInForce: RulesInForce): Search => ({
  ...search,
  async search(tab, request, watcher) {
    const rules = await rulesInForce()
    if (!rules) return await search.search(tab, request, watcher)
    const answer = await search.search(tab, { ...request, rules }, watcher)
    return namesBlocked(answer.correction, rules) ? { ...answer, correction: '' } : answer
  },
})

export const ruledSuggest = (suggest: Suggest, rulesInForce: RulesInForce): Suggest => ({
  ...suggest,
  async suggest(query) {
    const rules = await rulesInForce()
    const answer = await suggest.suggest(query)
    return rules ? { ...answer, suggestions: withoutBlocked(answer.suggestions, rules) } : answer
  },
})

export const withoutBlocked = (suggestions: string[], rules: RuleSet | undefined): string[] =>
  rules ? suggestions.filter((suggestion) => !namesBlocked(suggestion, rules)) : suggestions

export const isBlocked = (address: string, rules: RuleSet): boolean => rules.verdictOf(address)?.action === 'block'

/** Whether a word of the text is a blocked site, or an address of one. */
const namesBlocked = (text: string, rules: RuleSet): boolean =>
  text.split(/\s+/).some((word) => word.includes('.') && isBlocked(httpAddress(word) || `https://${word}`, rules))
