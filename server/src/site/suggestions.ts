// Decides whether a reader gets suggestions while typing. Suggestions send what the reader has typed so far to other
// companies, before the reader has decided to search. So the operator decides who is offered suggestions, and the reader
// can turn them off.
//
// Browsers request suggestions for the address bar without cookies. So the OpenSearch description (`/opensearch.xml`),
// with which a browser adds this site as a search engine, contains a suggestion URL with a token. The token is issued
// for the session of the user who added the site, grants access to suggestions and nothing else, and expires with that
// session.

import { timingSafeEqual } from 'node:crypto'
import type { Accounts } from '../accounts/accounts.ts'
import type { KeyedHash } from '../text/cryptography.ts'
import type { PageContext, Viewer } from './http/page.ts'

/** Shorter texts aren't sent to providers, because suggestions for them are rarely useful. */
export const MIN_CHARACTERS = 3

type Reader = Pick<PageContext, 'offers' | 'viewer' | 'preferences'>

/** Whether suggestions are available to this reader. */
export const areSuggestionsOffered = ({ offers, viewer }: Pick<Reader, 'offers' | 'viewer'>): boolean =>
  offers.suggestionsFor === 'all' || (offers.suggestionsFor === 'users' && viewer !== undefined)

export const areSuggestionsOn = (reader: Reader): boolean =>
  reader.preferences.suggestions && areSuggestionsOffered(reader)

const TOKEN = /^(\d{1,18})\.(\d{1,18})\.([\w-]{22})$/

export interface SuggestionTokenParts {
  /** Signs tokens that grant access to suggestions and nothing else. */
  signSuggestionToken: KeyedHash
  accounts: Accounts
}

export const suggestionToken = (
  signSuggestionToken: KeyedHash,
  { userId, sessionId }: Pick<Viewer, 'userId' | 'sessionId'>,
): string => `${userId}.${sessionId}.${signSuggestionToken(`${userId} ${sessionId}`)}`

/**
 * Whose token it is; undefined if we didn't sign it or its session isn't active. The session is looked up only if the
 * signature is valid.
 */
export async function userOfSuggestionToken(
  { signSuggestionToken, accounts }: SuggestionTokenParts,
  token: string,
): Promise<string | undefined> {
  const [, userId, sessionId, signature] = TOKEN.exec(token) ?? []
  if (userId === undefined || sessionId === undefined || signature === undefined) return undefined
  const expected = signSuggestionToken(`${userId} ${sessionId}`)
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return undefined
  return (await accounts.sessions.list(userId)).some(({ id }) => id === sessionId) ? userId : undefined
}
