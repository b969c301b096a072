// The body of a POST request, as form fields or as a JSON object, taken straight from the connection: it is read only
// when the key is known to be good, and what is wrong with it is told after the limits, like any other mistake.
//
// Only the parameters of the endpoint are looked for. Where the query string has the same parameter, the body wins.
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../errors.ts'
import type { Endpoint } from '../endpoint.ts'
import { type ReadParams, readParams } from './read-params.ts'

type Fields = Record<string, unknown>

const CUT_OFF = Symbol('the client has gone')
const TOO_LARGE = Symbol('more than is wanted')

const FORM = 'application/x-www-form-urlencoded'
const JSON_OBJECT = 'application/json'
export const BODY_TYPES = [FORM, JSON_OBJECT] as const

type Unreadable = { ok: false; refusal: Refusal }

export async function readBody(
  { params, post }: Endpoint,
  request: FastifyRequest,
): Promise<ReadParams<Fields> | Unreadable> {
  const fields = await fieldsOf(request, { names: Object.keys(params.shape), maxBytes: post?.maxBodyBytes ?? 0 })
  if (fields instanceof Refusal) return { ok: false, refusal: fields }
  // Fastify types the parsed query as unknown; its parser always gives an object.
  return readParams(params, { ...(request.query as Fields), ...fields })
}

interface Wanted {
  names: readonly string[]
  maxBytes: number
}

async function fieldsOf({ raw, headers }: FastifyRequest, { names, maxBytes }: Wanted): Promise<Fields | Refusal> {
  const length = Number(headers['content-length'] ?? 0)
  if (length === 0 && headers['transfer-encoding'] === undefined) return {}
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const encoding = headers['content-encoding'] ?? 'identity'
  if ((type !== FORM && type !== JSON_OBJECT) || encoding.toLowerCase() !== 'identity') {
    return new Refusal(415, `Send the body as ${FORM} or ${JSON_OBJECT}, not compressed.`)
  }
  const bytes = length > maxBytes ? TOO_LARGE : await gather(raw, maxBytes)
  if (bytes === TOO_LARGE) return new Refusal(413, `The request body is too large. Send at most ${maxBytes} bytes.`)
  if (bytes === CUT_OFF) return new Refusal(400, 'The request body ended too early.')
  return type === FORM ? formFields(bytes.toString(), names) : jsonFields(bytes.toString(), names)
}

/** What is beyond the limit is left to Node, which drops it once the refusal is out. */
const gather = (raw: IncomingMessage, maxBytes: number): Promise<Buffer | typeof CUT_OFF | typeof TOO_LARGE> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = []
    let length = 0
    const settle = (outcome: Buffer | typeof CUT_OFF | typeof TOO_LARGE) => {
      raw.off('data', take).off('end', finish).off('error', leave).off('close', leave).pause()
      resolve(outcome)
    }
    const take = (chunk: Buffer) => {
      length += chunk.length
      if (length > maxBytes) settle(TOO_LARGE)
      else chunks.push(chunk)
    }
    const finish = () => settle(Buffer.concat(chunks))
    const leave = () => settle(CUT_OFF)
    raw.on('data', take).on('end', finish).on('error', leave).on('close', leave)
  })

/** A field that is there twice becomes a list, as in a query string. */
function formFields(body: string, names: readonly string[]): Fields {
  const form = new URLSearchParams(body)
  const fields: Fields = {}
  for (const name of names) {
    const values = form.getAll(name)
    if (values.length > 0) fields[name] = values.length === 1 ? values[0] : values
  }
  return fields
}

function jsonFields(body: string, names: readonly string[]): Fields | Refusal {
  const value = parsed(body)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return new Refusal(400, 'The request body is not a JSON object.')
  }
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)))
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (error) {
    // The parser's message quotes the body.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
