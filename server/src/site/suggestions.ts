// Decides whether a reader gets suggestions while typing. They send every few letters to other companies, before the
// reader has decided to search, so the operator decides who is offered them, and the reader can turn them off.
import type { PageContext } from './http/page.ts'

/** With fewer letters there is little to suggest, and much to learn about the reader. */
export const FEWEST_CHARACTERS = 3

type Reader = Pick<PageContext, 'services' | 'viewer' | 'preferences'>

/** Whether suggestions are available to this reader. */
export function areSuggestionsOffered({ services, viewer }: Pick<Reader, 'services' | 'viewer'>): boolean {
  const { suggestionsFor, suggest } = services
  if (suggestionsFor === 'off' || suggest.providerNames.length === 0) return false
  return suggestionsFor === 'all' || viewer !== undefined
}

export const areSuggestionsOn = (reader: Reader): boolean =>
  reader.preferences.suggestions && areSuggestionsOffered(reader)
