// Parses the body of POST /api/v1/batch/: one to ten requests, each with the caller's id, an endpoint and its
// parameters. A malformed body is refused as a whole; a bad parameter causes a 400 for that request alone.
import { z } from 'zod'
import { Refusal } from '../../errors.ts'
import { MAX_PARAMS } from '../../text/query-params.ts'
import type { Endpoint } from '../endpoint.ts'

const MAX_REQUESTS = 10
const MAX_ID_LENGTH = 100
/** The limit for the URL of a single request. Endpoints that also take POST accept more. */
const MAX_URL_LENGTH = 16_000

const PREFIX = '/api/v1/'

export interface BatchPart {
  id: string
  /** Path and query. Parts with the same URL are the same request. */
  url: string
}

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])

export const batchBody = (endpoints: readonly Endpoint[]) =>
  z.object({
    requests: z
      .array(
        z.object(
          {
            id: z
              .union([z.string().min(1, idHint).max(MAX_ID_LENGTH, idHint), z.number().transform(String)], {
                error: idHint,
              })
              .describe('Your name for the request. The response has the same, as a string.'),
            endpoint: z
              .preprocess(
                withoutPrefix,
                z.enum(endpoints.map(nameOf), {
                  error: `Unknown endpoint. Use ${endpoints.map(nameOf).join(', ')}.`,
                }),
              )
              .describe('The path of the endpoint below `/api/v1/`, without the last slash.'),
            params: z
              .record(z.string(), z.union([scalar, z.array(scalar)], { error: paramsHint }), { error: paramsHint })
              .default({})
              .describe('The parameters of the endpoint. `null` is the same as none.'),
          },
          { error: 'Send an object with id, endpoint and params.' },
        ),
        { error: countHint },
      )
      .min(1, countHint)
      .max(MAX_REQUESTS, countHint),
  })

const idHint = `Send id as a string of 1 to ${MAX_ID_LENGTH} characters, or as a number.`
const paramsHint = 'Send params as an object whose values are strings, numbers, booleans or lists of these.'
const TOO_LONG = 'The parameters are too long.'
const countHint = `Send a list of 1 to ${MAX_REQUESTS} requests.`

/** `/api/v1/web/` and `web/` mean `web`. */
const withoutPrefix = (endpoint: unknown): unknown =>
  typeof endpoint === 'string' ? endpoint.replace(/^\/api\/v1\//, '').replace(/\/$/, '') : endpoint

/** `images/similar` */
const nameOf = ({ path }: Endpoint): string => path.slice(PREFIX.length, -1)

export function createBatchReader(endpoints: readonly Endpoint[]): (body: unknown) => BatchPart[] | Refusal {
  const schema = batchBody(endpoints)
  const acceptsLonger = new Set(endpoints.filter(({ post }) => post).map(nameOf))
  return (body) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      return new Refusal('body_invalid', 'The request body is not a JSON object.')
    }
    const tooMany = requestsOf(body).findIndex((request) => valuesOf(request) > MAX_PARAMS)
    if (tooMany !== -1) return refuse([messageAt(tooMany, TOO_LONG)])
    const parsed = schema.safeParse(body)
    if (!parsed.success) return refuse(parsed.error.issues.map(({ path, message }) => messageAt(path[1], message)))
    const messages: string[] = []
    const ids = new Set<string>()
    const parts = parsed.data.requests.map(({ id, endpoint, params }, at) => {
      const url = `${PREFIX}${endpoint}/${queryOf(params)}`
      if (ids.has(id)) messages.push(messageAt(at, 'Another request in this batch has the same id.'))
      if (url.length > MAX_URL_LENGTH && !acceptsLonger.has(endpoint)) messages.push(messageAt(at, TOO_LONG))
      ids.add(id)
      return { id, url }
    })
    return messages.length > 0 ? refuse(messages) : parts
  }
}

/** The requests as they were sent; none if there are too many, which the schema notices by itself. */
function requestsOf(body: object): unknown[] {
  const requests = 'requests' in body && Array.isArray(body.requests) ? body.requests : []
  return requests.length <= MAX_REQUESTS ? requests : []
}

/**
 * How many values a request's parameters have. They are counted first because a body has room for thirty thousand, and
 * finding something wrong with each takes a third of a second.
 */
function valuesOf(request: unknown): number {
  if (typeof request !== 'object' || request === null || !('params' in request)) return 0
  const { params } = request
  if (typeof params !== 'object' || params === null) return 0
  return Object.values(params).reduce<number>((sum, value) => sum + (Array.isArray(value) ? value.length : 1), 0)
}

const refuse = (messages: string[]): Refusal => new Refusal('parameter_invalid', { requests: [...new Set(messages)] })

const messageAt = (at: PropertyKey | undefined, message: string): string =>
  typeof at === 'number' ? `Request ${at + 1}: ${message}` : message

type Scalar = z.output<typeof scalar>

/** Sorts the parameters by name, so that equal requests get equal URLs. */
function queryOf(params: Record<string, Scalar | Scalar[]>): string {
  const query = new URLSearchParams()
  for (const name of Object.keys(params).sort()) {
    for (const value of [params[name]].flat()) {
      if (value !== null && value !== undefined) query.append(name, String(value))
    }
  }
  return query.size === 0 ? '' : `?${query.toString()}`
}
