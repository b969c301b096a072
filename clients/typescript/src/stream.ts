// A search as it happens: which engines are asked, each as it answers, the results so far, and at the end the reply as
// a search without a stream would have given it.
import type { Call } from './call.ts'
import { BowerbirdError, ConnectionFailedError, errorOf, UnexpectedReplyError } from './errors.ts'
import { type Reply, withMeta } from './meta.ts'
import { serverSentEvents, textOf } from './server-sent-events.ts'
import { parseJson, readJson } from './transport.ts'

export const EVENT_STREAM = 'text/event-stream'

/** `Body` is the reply of a search without a stream. */
export type StreamEvent<Body extends { results: unknown[] }> =
  | { event: 'start'; request_id: string; engines: string[] }
  | { event: 'engine'; engine: string; status: string; n?: number; ms?: number }
  /** All results so far: each revision replaces the one before. */
  | { event: 'results'; revision: number; results: Body['results'] }
  | { event: 'done'; body: Reply<Body> }

/** Ends with `done`, or throws. An instance that doesn't stream this search answers with `done` alone. */
export async function* streamEvents<Body extends { results: unknown[] }>(
  response: Response,
  call: Call,
): AsyncGenerator<StreamEvent<Body>, void, undefined> {
  if (response.body === null || !response.headers.get('content-type')?.startsWith(EVENT_STREAM)) {
    // The types are those of the OpenAPI document that the instance serves.
    yield { event: 'done', body: withMeta((await readJson(response, call)) as Body, response.headers) }
    return
  }
  try {
    for await (const { event, data } of serverSentEvents(textOf(response.body))) {
      const read = readEvent<Body>(event, data)
      if (read !== undefined) yield read
      if (read?.event === 'done') return
    }
  } catch (cause) {
    throw cause instanceof BowerbirdError ? cause : call.explain(cause)
  }
  throw new ConnectionFailedError('The stream broke off before it was done.')
}

/** `undefined` for a kind of event that this version doesn't know. */
function readEvent<Body extends { results: unknown[] }>(event: string, data: string): StreamEvent<Body> | undefined {
  if (!['start', 'engine', 'results', 'done', 'error'].includes(event)) return undefined
  const value = parseJson(data)
  if (typeof value !== 'object' || value === null) throw new UnexpectedReplyError('An event of the stream is not JSON.')
  // As above.
  if (event !== 'done' && event !== 'error') return { event, ...value } as StreamEvent<Body>
  const { body, headers, status = 500 } = value as { body: Body; headers?: Record<string, string>; status?: number }
  if (event === 'error') throw errorOf(status, new Headers(headers), body)
  return { event, body: withMeta(body, new Headers(headers)) }
}
