// How a node tells the others why a provider has just failed: `throttled 30 false`. What is read is believed only as far as
// it is one of our own words.
import { UpstreamError, type UpstreamErrorKind } from '../errors.ts'

/** Whether an error of this kind came of asking the provider; the others say that this node would not ask. */
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

/** Only what came of asking is worth remembering: what this node would not do, another may, and so may this one at once. */
export const isOfAsking = ({ kind }: UpstreamError): boolean => IS_OF_ASKING[kind]

export const failureMark = ({ kind, retryAfterSeconds, isQueryFault }: UpstreamError): string =>
  `${kind} ${retryAfterSeconds === undefined ? '' : Math.ceil(retryAfterSeconds)} ${isQueryFault}`

export function readFailureMark(mark: string): UpstreamError {
  const [kind = '', seconds = '', isQueryFault] = mark.split(' ')
  return new UpstreamError(isKind(kind) ? kind : 'unreachable', 'another node has just asked in vain', {
    retryAfterSeconds: /^\d{1,9}$/.test(seconds) ? Number(seconds) : undefined,
    isQueryFault: isQueryFault === 'true',
  })
}
