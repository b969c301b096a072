// Decides whether a reader gets suggestions while typing. They send every few letters to other companies, before the
// reader has decided to search, so the operator decides who is offered them, and the reader can turn them off.
//
// Browsers request suggestions for the address bar without cookies, so the description they add this site by
// (`/opensearch.xml`) contains a token in a URL, issued for the session of the user who added it. It grants access to
// suggestions and nothing else, and expires with that session.

import { timingSafeEqual } from 'node:crypto'
import type { PageContext } from './http/page.ts'
import type { SiteServices, Viewer } from './site-services.ts'

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

const TOKEN = /^(\d{1,18})\.(\d{1,18})\.([\w-]{22})$/

type Services = Pick<SiteServices, 'signSuggestionToken' | 'accounts'>

export const suggestionToken = (
  { signSuggestionToken }: Pick<Services, 'signSuggestionToken'>,
  { userId, sessionId }: Pick<Viewer, 'userId' | 'sessionId'>,
): string => `${userId}.${sessionId}.${signSuggestionToken(`${userId} ${sessionId}`)}`

/** Whether the token is ours and its session is still active. A made-up token causes no look-up. */
export async function isSuggestionToken({ signSuggestionToken, accounts }: Services, token: string): Promise<boolean> {
  const [, userId, sessionId, signature] = TOKEN.exec(token) ?? []
  if (userId === undefined || sessionId === undefined || signature === undefined) return false
  const expected = signSuggestionToken(`${userId} ${sessionId}`)
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return false
  return (await accounts.sessions.list(userId)).some(({ id }) => id === sessionId)
}
