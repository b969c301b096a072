// POST /api/v1/batch/: several requests in one. Each part takes the same route as a single request, with the same key
// check, scope, limits, usage, validation, log and metrics. The batch itself costs nothing unless its body is invalid.
// Identical parts are served once.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Response } from 'light-my-request'
import { Refusal } from '../../errors.ts'
import type { ApiServices } from '../api-services.ts'
import type { Endpoint } from '../endpoint.ts'
import type { Authenticate } from '../pipeline/authenticate.ts'
import { inParallel } from '../pipeline/in-parallel.ts'
import { readJsonBody } from '../pipeline/read-body.ts'
import { CLIENT_HEADERS, sendText } from '../pipeline/send-json.ts'
import { PRIVATE_NO_STORE } from '../pipeline/serve-endpoint.ts'
import { type BatchPart, createBatchReader } from './batch-body.ts'

export const BATCH = { name: 'batch', path: '/api/v1/batch/' } as const

const MAX_BODY_BYTES = 262_144
const MAX_CONCURRENT_PARTS = 4

interface BatchFrame {
  authenticate: Authenticate
  /** The endpoints that a batch may call. */
  endpoints: readonly Endpoint[]
}

export function mountBatch(
  http: FastifyInstance,
  services: ApiServices,
  { authenticate, endpoints }: BatchFrame,
): void {
  const { admit } = services
  const read = createBatchReader(endpoints)
  const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.header('Cache-Control', PRIVATE_NO_STORE)
    const key = await authenticate(request)
    request.keyId = key.keyId
    const body = await readJsonBody(request, MAX_BODY_BYTES)
    const parts = body instanceof Refusal ? body : read(body)
    if (parts instanceof Refusal) {
      // An invalid body counts against the rate limit too; otherwise a client could send such bodies forever.
      await admit(key, reply, undefined)
      throw parts
    }
    const answers = await answerAll(
      parts,
      (url) => answerPart(http, request, url),
      () => reply.raw.destroyed,
    )
    reply.header('Content-Type', 'application/json; charset=utf-8')
    await sendText(reply, `{"responses":[${parts.map(({ id, url }) => responseOf(id, answers.get(url))).join()}]}`)
    return reply
  }
  // Served before Fastify reads the body: we read it ourselves, and only for a valid key.
  const config = { surface: { access: 'key', fields: ['requests'] } } as const
  http.route({
    method: 'POST',
    url: BATCH.path,
    onRequest: serve,
    handler: serve,
    bodyLimit: MAX_BODY_BYTES,
    config,
  })
}

/** Serves a few parts at a time, and starts none once the client has disconnected. */
async function answerAll<Answer>(
  parts: readonly BatchPart[],
  answer: (url: string) => Promise<Answer>,
  hasDisconnected: () => boolean,
): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>()
  await inParallel(new Set(parts.map(({ url }) => url)), MAX_CONCURRENT_PARTS, async (url) => {
    if (!hasDisconnected()) answers.set(url, await answer(url))
  })
  return answers
}

/** Bypasses Fastify's `inject`, which refuses during shutdown, while requests in flight are still answered. */
async function answerPart(http: FastifyInstance, request: FastifyRequest, url: string): Promise<Response> {
  const { default: inject } = await import('light-my-request')
  const { authorization, 'user-agent': userAgent = '' } = request.headers
  return await inject((part, reply) => http.routing(part, reply), {
    method: 'GET',
    url,
    remoteAddress: request.ip,
    headers: { host: request.host, authorization, 'user-agent': userAgent, accept: 'application/json' },
  })
}

function responseOf(id: string, answer: Response | undefined): string {
  const headers: Record<string, string> = {}
  for (const name of CLIENT_HEADERS) {
    const value = answer?.headers[name.toLowerCase()]
    if (value !== undefined) headers[name] = String(value)
  }
  const members = JSON.stringify({ id, status: answer?.statusCode, headers })
  // The body is JSON already, like every API reply.
  return `${members.slice(0, -1)},"body":${answer?.body || 'null'}}`
}
