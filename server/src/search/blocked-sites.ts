// Which of the texts and addresses beside the results name a site that the rules block. `apply-rules.ts` does the same for
// the results themselves.
import { httpAddress } from '@bowerbird/engines/parsing/http-address.ts'
import type { RuleSet } from '../rules/site-rules.ts'

export const isBlocked = (address: string, rules: RuleSet): boolean => rules.verdictOf(address)?.action === 'block'

/** Whether a word of the text is a blocked site, or an address of one. */
export const namesBlocked = (text: string, rules: RuleSet): boolean =>
  text.split(/\s+/).some((word) => word.includes('.') && isBlocked(httpAddress(word) || `https://${word}`, rules))

export const withoutBlocked = (suggestions: string[], rules: RuleSet | undefined): string[] =>
  rules ? suggestions.filter((suggestion) => !namesBlocked(suggestion, rules)) : suggestions
