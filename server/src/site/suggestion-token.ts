// A token that grants access to suggestions and nothing else. Browsers request suggestions for the address bar without
// cookies, so the description they add this site by (`/opensearch.xml`) contains one in a URL, issued for the session
// of the user who added it. It expires with that session.
import { timingSafeEqual } from 'node:crypto'
import type { SiteServices, Viewer } from './site-services.ts'

const TOKEN = /^(\d{1,18})\.(\d{1,18})\.([\w-]{22})$/

type Services = Pick<SiteServices, 'suggestionMark' | 'accounts'>

export const suggestionToken = (
  { suggestionMark }: Pick<Services, 'suggestionMark'>,
  { userId, sessionId }: Pick<Viewer, 'userId' | 'sessionId'>,
): string => `${userId}.${sessionId}.${suggestionMark(`${userId} ${sessionId}`)}`

/** Whether the token is ours and its session is still active. A made-up token causes no look-up. */
export async function isSuggestionToken({ suggestionMark, accounts }: Services, token: string): Promise<boolean> {
  const [, userId, sessionId, mark] = TOKEN.exec(token) ?? []
  if (userId === undefined || sessionId === undefined || mark === undefined) return false
  const expected = suggestionMark(`${userId} ${sessionId}`)
  if (!timingSafeEqual(Buffer.from(mark), Buffer.from(expected))) return false
  return (await accounts.sessions.list(userId)).some(({ id }) => id === sessionId)
}
