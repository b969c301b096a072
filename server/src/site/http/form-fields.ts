// The fields of a submitted form. Forms without a file are parsed by @fastify/formbody. One with a file is multipart/form-data,
// which only the pages that take one accept; Node.js itself reads it, and only once the page knows who has sent it.
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../errors.ts'

export type FormFields = Record<string, string | string[]>

class MultipartBody {
  readonly bytes: Buffer
  readonly contentType: string

  constructor(bytes: Buffer, contentType: string) {
    this.bytes = bytes
    this.contentType = contentType
  }
}

export function acceptFiles(http: FastifyInstance): void {
  http.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, (request, body, done) => {
    // With `parseAs: 'buffer'` it is one.
    done(null, new MultipartBody(body as Buffer, request.headers['content-type'] ?? ''))
  })
}

/** A file becomes a `data:` address without a type: what it is, only its bytes tell. */
export async function formFields(body: unknown): Promise<FormFields> {
  // What @fastify/formbody has parsed, or nothing.
  if (!(body instanceof MultipartBody)) return (body ?? {}) as FormFields
  const headers = { 'Content-Type': body.contentType }
  const form = await new Response(new Uint8Array(body.bytes), { headers }).formData().catch(() => undefined)
  if (!form) throw new Refusal('parameter_invalid', 'This form was not sent completely.')
  const fields = [...form].map(async ([name, value]) => [name, await textOf(value)] as const)
  return Object.fromEntries(await Promise.all(fields))
}

async function textOf(value: string | File): Promise<string> {
  if (typeof value === 'string') return value
  return value.size === 0 ? '' : `data:;base64,${Buffer.from(await value.arrayBuffer()).toString('base64')}`
}
