// An error of a compatible API: a status, one sentence and headers. Each API writes it in the shape that its clients
// read.
import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal, type RefusalBody } from '../errors.ts'
import type { Log } from '../log.ts'

export interface DoorError {
  status: number
  sentence: string
  headers: Record<string, string>
}

export function toDoorError(error: unknown, request: FastifyRequest, log: Log): DoorError {
  if (error instanceof Refusal) {
    const headers = error.status === 401 ? { ...error.headers, 'WWW-Authenticate': 'Bearer' } : error.headers
    return { status: error.status, sentence: sentenceOf(error.body), headers }
  }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status >= 400 && status < 500) return { status, sentence: 'The request could not be read.', headers: {} }
  log.error({ request: request.id, route: request.routeOptions.url, err: error })
  return { status: 500, sentence: `Internal server error, logged under request ID ${request.id}.`, headers: {} }
}

/** Parameter errors become one line: `q: Send at most 500 characters.` */
export const sentenceOf = (body: RefusalBody): string =>
  typeof body.detail === 'string'
    ? body.detail
    : Object.entries(body)
        .map(([name, messages]) => `${name}: ${[messages].flat().join(' ')}`)
        .join(' ')

const PRINTABLE = /^[ -~]{1,200}$/

/** Puts the sentence into the reason phrase, because many clients show nothing else. */
export function sendDoorError(reply: FastifyReply, { status, sentence, headers }: DoorError, body: unknown): void {
  reply.request.refusal = sentence
  const reason = STATUS_CODES[status]
  if (reason && PRINTABLE.test(sentence)) reply.raw.statusMessage = `${reason}; ${sentence.replace(/\.$/, '')}`
  reply.code(status).headers(headers).type('application/json').send(JSON.stringify(body))
}
