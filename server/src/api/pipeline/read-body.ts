// Reads the body of a POST request, as form fields or as a JSON object, straight from the connection. The API reads it
// only after verifying the key, and reports a problem with it only after checking the limits, as with any other bad
// parameter.
//
// Only the endpoint's own parameters are read. If a parameter is also in the query string, the body wins.
import type { IncomingMessage } from 'node:http'
import { jsonOrNothing } from '@bowerbird/engines/parsing/json-reply.ts'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../errors.ts'
import type { Endpoint } from '../endpoint.ts'
import { type ReadParams, readParams } from './read-params.ts'

type Fields = Record<string, unknown>

const DISCONNECTED = Symbol('the client disconnected')
const TOO_LARGE = Symbol('the body is too large')

const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'
const JSON_OBJECT = 'application/json'
export const BODY_TYPES = [FORM, MULTIPART, JSON_OBJECT] as const

type Unreadable = { ok: false; refusal: Refusal }

export async function readBody(
  request: FastifyRequest,
  { params, post }: Endpoint,
): Promise<ReadParams<Fields> | Unreadable> {
  const fields = await readFields(request, { names: Object.keys(params.shape), maxBytes: post?.maxBodyBytes ?? 0 })
  if (fields instanceof Refusal) return { ok: false, refusal: fields }
  // Fastify types the parsed query as unknown; its parser always gives an object.
  return readParams(params, { ...(request.query as Fields), ...fields })
}

export interface FieldsToRead {
  names: readonly string[]
  maxBytes: number
}

/** Reads the named fields of a form or a JSON object; none if there is no body. */
export async function readFields(
  request: FastifyRequest,
  { names, maxBytes }: FieldsToRead,
): Promise<Fields | Refusal> {
  const { headers } = request
  const length = Number(headers['content-length'] ?? 0)
  if (length === 0 && headers['transfer-encoding'] === undefined) return {}
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const encoding = headers['content-encoding'] ?? 'identity'
  if (!BODY_TYPES.some((known) => known === type) || encoding.toLowerCase() !== 'identity') {
    return new Refusal(
      'content_type_unsupported',
      `Send the body as ${FORM}, ${MULTIPART} or ${JSON_OBJECT}, uncompressed.`,
    )
  }
  const bytes = length > maxBytes ? TOO_LARGE : await readBytes(request, maxBytes)
  if (bytes === TOO_LARGE)
    return new Refusal('body_too_large', `The request body is too large. Send at most ${maxBytes} bytes.`)
  if (bytes === DISCONNECTED) return new Refusal('body_invalid', 'The request body is incomplete.')
  if (type === MULTIPART) return await multipartFields(bytes, headers['content-type'] ?? '', names)
  return type === FORM ? formFields(new URLSearchParams(bytes.toString()), names) : jsonFields(bytes.toString(), names)
}

/** Reads any JSON value, for protocols whose body is a single message. */
export async function readJsonBody(request: FastifyRequest, maxBytes: number): Promise<unknown> {
  const { headers } = request
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const encoding = headers['content-encoding'] ?? 'identity'
  if (type !== JSON_OBJECT || encoding.toLowerCase() !== 'identity') {
    return new Refusal('content_type_unsupported', `Send the body as ${JSON_OBJECT}, uncompressed.`)
  }
  const bytes = Number(headers['content-length'] ?? 0) > maxBytes ? TOO_LARGE : await readBytes(request, maxBytes)
  if (bytes === TOO_LARGE)
    return new Refusal('body_too_large', `The request body is too large. Send at most ${maxBytes} bytes.`)
  if (bytes === DISCONNECTED) return new Refusal('body_invalid', 'The request body is incomplete.')
  return jsonOrNothing(bytes.toString()) ?? new Refusal('body_invalid', 'The request body is not JSON.')
}

type Outcome = Buffer | typeof DISCONNECTED | typeof TOO_LARGE

/** Throws the refusal if the process has too much to do by the time the body has arrived. */
async function readBytes(request: FastifyRequest, maxBytes: number): Promise<Outcome> {
  const outcome = await gatherBytes(request.raw, maxBytes)
  const refusal = request.startWork()
  if (refusal) throw refusal
  return outcome
}

/** Leaves anything beyond the limit unread; Node drops it once the refusal is sent. */
const gatherBytes = (raw: IncomingMessage, maxBytes: number): Promise<Outcome> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = []
    let length = 0
    const stop = (outcome: Outcome) => {
      raw.off('data', take).off('end', finish).off('error', disconnect).off('close', disconnect).pause()
      resolve(outcome)
    }
    const take = (chunk: Buffer) => {
      length += chunk.length
      if (length > maxBytes) stop(TOO_LARGE)
      else chunks.push(chunk)
    }
    const finish = () => stop(Buffer.concat(chunks))
    const disconnect = () => stop(DISCONNECTED)
    raw.on('data', take).on('end', finish).on('error', disconnect).on('close', disconnect)
  })

/** A repeated field becomes a list, as in a query string. */
function formFields(form: URLSearchParams | FormData, names: readonly string[]): Fields {
  const fields: Fields = {}
  for (const name of names) {
    const values = form.getAll(name)
    if (values.length > 0) fields[name] = values.length === 1 ? values[0] : values
  }
  return fields
}

/** As `curl -F` and a browser's FormData send it. A file in place of a string fails validation later. */
async function multipartFields(bytes: Buffer, type: string, names: readonly string[]): Promise<Fields | Refusal> {
  try {
    return formFields(await new Response(bytes, { headers: { 'content-type': type } }).formData(), names)
  } catch (error) {
    if (error instanceof TypeError)
      return new Refusal('body_invalid', 'The request body is not well-formed multipart/form-data.')
    throw error
  }
}

function jsonFields(body: string, names: readonly string[]): Fields | Refusal {
  const value = jsonOrNothing(body)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return new Refusal('body_invalid', 'The request body is not a JSON object.')
  }
  // Some programs send `null` for a parameter that they don't use.
  return Object.fromEntries(Object.entries(value).filter(([name, member]) => names.includes(name) && member !== null))
}
