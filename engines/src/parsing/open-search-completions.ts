// Reads completions in the OpenSearch format, which most providers send: `["typed", ["one", "two"], …]`. The rest
// differs by provider and isn't needed. There is no clock here, so a Retry-After date is ignored.

import type { ProviderReply } from '../engine.ts'
import { UpstreamError } from '../upstream-error.ts'
import { list, title } from './json-reply.ts'
import { statusError } from './status-error.ts'

const jsonList = (body: string): readonly unknown[] => {
  try {
    return list(JSON.parse(body))
  } catch {
    // Drop the parser's message: it quotes the body.
    return []
  }
}

export const openSearchCompletions = (reply: ProviderReply): string[] => {
  if (reply.status < 200 || reply.status > 299) throw statusError(reply, Number.NaN)
  const [, given] = jsonList(reply.body)
  const completions = list(given)
    .map(title)
    .filter((completion) => completion !== '')
  const isUnreadable = list(given).length > 0 && completions.length === 0
  if (!Array.isArray(given) || isUnreadable) {
    throw new UpstreamError('malformed', 'The provider answered with no completions.')
  }
  return completions
}
