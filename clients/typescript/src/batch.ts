// Several requests in one. Each has its own status, so one that fails is a value here and doesn't throw.
import type { BatchEndpoint, BatchEndpoints } from './api-types.ts'
import { type BowerbirdError, errorOf, UnexpectedReplyError } from './errors.ts'
import { type Reply, withMeta } from './meta.ts'
import { type Params, paramValue } from './transport.ts'

/** `params` may be left out where none is required. */
type ParamsMember<Params> = Partial<Params> extends Params ? { params?: Params } : { params: Params }

export type BatchRequest = {
  [Name in BatchEndpoint]: { endpoint: Name; id?: string } & ParamsMember<BatchEndpoints[Name]['params']>
}[BatchEndpoint]

export type BatchResponse<Name extends BatchEndpoint> =
  | { id: string; ok: true; status: number; body: Reply<BatchEndpoints[Name]['body']> }
  | { id: string; ok: false; status: number; error: BowerbirdError }

/** In the order of the requests. */
export type BatchResponses<Requests extends readonly BatchRequest[]> = {
  -readonly [At in keyof Requests]: BatchResponse<Requests[At]['endpoint']>
}

interface WireResponse {
  id: string
  status: number
  headers?: Record<string, string>
  body: unknown
}

/** Requests without an id are named by their place. Lists and booleans become what a URL would have. */
export const batchBody = (requests: readonly BatchRequest[]) => ({
  requests: requests.map(({ id, endpoint, params }, at) => ({
    id: id ?? String(at),
    endpoint,
    params: Object.fromEntries(
      Object.entries<Params[string]>(params ?? {}).map(([name, value]) => [name, paramValue(value)]),
    ),
  })),
})

export function readBatch<const Requests extends readonly BatchRequest[]>(
  requests: Requests,
  reply: unknown,
): BatchResponses<Requests> {
  const byId = new Map(responsesIn(reply).map((response) => [response.id, response]))
  const inOrder = requests.map(({ id }, at) => {
    const response = byId.get(id ?? String(at))
    if (response === undefined) throw new UnexpectedReplyError('The reply lacks the response to one of the requests.')
    return readResponse(response)
  })
  // One for each request, as the type says.
  return inOrder as BatchResponses<Requests>
}

function responsesIn(reply: unknown): WireResponse[] {
  const responses = (reply as { responses?: unknown } | null)?.responses
  if (!Array.isArray(responses)) throw new UnexpectedReplyError('The reply has no list of responses.')
  return responses
}

function readResponse({ id, status, headers: sent, body }: WireResponse) {
  const headers = new Headers(sent)
  return status >= 200 && status < 300
    ? { id, ok: true, status, body: withMeta(body, headers) }
    : { id, ok: false, status, error: errorOf(status, headers, body) }
}
