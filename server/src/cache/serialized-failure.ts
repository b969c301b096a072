// Serializes a provider's failure for other nodes: `throttled 30 false`. Parsing accepts only our own known words.
import { UpstreamError, type UpstreamErrorKind } from '@bowerbird/engines/upstream-error.ts'

/** True if an error of this kind came from calling the provider; false if this node didn't call it. */
const IS_OF_ASKING: Record<UpstreamErrorKind, boolean> = {
  timeout: true,
  unreachable: true,
  throttled: true,
  blocked: true,
  rejected: true,
  malformed: true,
  overBudget: false,
  open: false,
  busy: false,
}

const isKind = (text: string): text is UpstreamErrorKind => Object.hasOwn(IS_OF_ASKING, text)

/**
 * Only a failed call is worth remembering. If this node declined to make a call, another node may still make it, or
 * this one a moment later.
 */
export const isOfAsking = ({ kind }: UpstreamError): boolean => IS_OF_ASKING[kind]

export const serializeFailure = ({ kind, retryAfterSeconds, isQueryFault }: UpstreamError): string =>
  `${kind} ${retryAfterSeconds === undefined ? '' : Math.ceil(retryAfterSeconds)} ${isQueryFault}`

export function parseFailure(mark: string): UpstreamError {
  const [kind = '', seconds = '', isQueryFault] = mark.split(' ')
  return new UpstreamError(isKind(kind) ? kind : 'unreachable', 'the same call has just failed on another node', {
    retryAfterSeconds: /^\d{1,9}$/.test(seconds) ? Number(seconds) : undefined,
    isQueryFault: isQueryFault === 'true',
  })
}
