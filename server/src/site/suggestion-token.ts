// A token that opens suggestions and nothing else. A browser asks for the suggestions of its address bar without cookies,
// so the description that it adds this site by (`/opensearch.xml`) has one in its URL, made for the session of whoever
// added it. It ends with that session.
import { timingSafeEqual } from 'node:crypto'
import type { SiteServices, Viewer } from './site-services.ts'

const TOKEN = /^(\d{1,18})\.(\d{1,18})\.([\w-]{22})$/

type Services = Pick<SiteServices, 'suggestionMark' | 'accounts'>

export const suggestionToken = (
  { suggestionMark }: Pick<Services, 'suggestionMark'>,
  { userId, sessionId }: Pick<Viewer, 'userId' | 'sessionId'>,
): string => `${userId}.${sessionId}.${suggestionMark(`${userId} ${sessionId}`)}`

/** Whether it is one of ours, and its session goes on. Nothing is looked up for one that somebody has made up. */
export async function isSuggestionToken({ suggestionMark, accounts }: Services, token: string): Promise<boolean> {
  const [, userId, sessionId, mark] = TOKEN.exec(token) ?? []
  if (userId === undefined || sessionId === undefined || mark === undefined) return false
  const expected = suggestionMark(`${userId} ${sessionId}`)
  if (!timingSafeEqual(Buffer.from(mark), Buffer.from(expected))) return false
  return (await accounts.sessions.list(userId)).some(({ id }) => id === sessionId)
}
