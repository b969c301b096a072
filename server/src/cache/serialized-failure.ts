// How a node tells the others why a provider has just failed: `throttled 30 false`. When reading it, only our own known
// words are accepted.
import { UpstreamError, type UpstreamErrorKind } from '../errors.ts'

/** Whether an error of this kind came from calling the provider; the others mean that this node did not call it. */
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
 * Only a failed call is worth remembering: a call that this node would not make, another node may, or this one a moment
 * later.
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
