// The OpenAPI 3.1 document, generated from the same declarations that route, validate and type the endpoints.
import { z } from 'zod'
import { VERSION } from '../config/version.ts'
import { ERROR_CODES } from '../errors.ts'
import { READ_FAILURES } from '../reader/reader.ts'
import type { Endpoint } from './endpoint.ts'
import { OPENAPI_PATH } from './endpoints/root-endpoint.ts'
import { STREAM_TYPES } from './pipeline/event-reply.ts'
import { BODY_TYPES } from './pipeline/read-body.ts'

type Json = Record<string, unknown>

const COMMON_HEADERS: Record<string, string> = {
  'X-Request-Id': 'Identifies this request in the log of the instance.',
  'RateLimit-Policy': 'The limits of this key: `"burst";q=60;w=60, "sustained";q=5000;w=86400`.',
  'Cache-Control': '`private, no-store`; `private, no-cache` on a reply with an `ETag`.',
  'Ignored-Parameters': 'The parameters that were sent and mean nothing to this endpoint, if any: `count, num`.',
  RateLimit: 'What is left of each limit: `"burst";r=41;t=22, "sustained";r=4981;t=60`.',
}

const ERRORS: Record<number, { description: string; schema: string; headers?: Record<string, string> }> = {
  400: { description: 'A bad parameter. Messages are keyed by parameter name.', schema: 'FieldErrors' },
  401: {
    description: 'The API key is missing, malformed, unknown, revoked or expired.',
    schema: 'Error',
    headers: { 'WWW-Authenticate': '`Api-Key`' },
  },
  403: { description: 'The account is disabled, or the key lacks the required scope.', schema: 'Error' },
  404: { description: 'There is nothing of your own to search.', schema: 'Error' },
  413: { description: 'The request body is too large.', schema: 'Error' },
  414: { description: 'The URL is too long.', schema: 'Error' },
  415: { description: 'The type of the request body is not supported.', schema: 'Error' },
  422: { description: 'The page cannot be read; `reason` says why.', schema: 'ReadError' },
  429: {
    description: 'A limit was exceeded.',
    schema: 'Error',
    headers: { 'Retry-After': 'Seconds until the request will be accepted.' },
  },
  500: { description: 'Internal server error.', schema: 'Error' },
  503: {
    description: 'A service this endpoint depends on is not configured or not responding.',
    schema: 'Error',
    headers: { 'Retry-After': 'Seconds to wait before trying again, if waiting may help.' },
  },
}

/** Not an enum: a later version may add codes, which must not break a validating client. */
const ERROR_CODE_HEADER: Json = {
  description: 'Why the request was refused, for programs to compare. Later versions may send other codes as well.',
  schema: { type: 'string', pattern: '^[a-z_]+$', examples: Object.keys(ERROR_CODES) },
}

const TAG_HEADER = { ETag: 'Send it in `If-None-Match` to learn whether the reply has changed.' }

const NOT_MODIFIED: Json = { description: 'The reply is still the one whose ETag was sent.' }

const THIS_DOCUMENT: Json = {
  operationId: 'openapi',
  summary: 'OpenAPI document',
  description: 'Needs no API key.',
  security: [],
  responses: {
    200: {
      description: 'An OpenAPI 3.1 document',
      headers: describeHeaders(TAG_HEADER),
      content: { 'application/json': { schema: { type: 'object' } } },
    },
    304: NOT_MODIFIED,
  },
}

/** OpenAPI 3.1 has no word for a sequence, so this is the schema of one event. */
const STREAM_CONTENT: Json = Object.fromEntries(
  STREAM_TYPES.map((type) => [type, { schema: { $ref: '#/components/schemas/StreamEvent' } }]),
)

/** Any endpoint can answer 503 if the key is not cached and the database is unavailable, and 414 before it is reached. */
const ALWAYS_POSSIBLE = [400, 401, 403, 414, 429, 500, 503]

/** Leaves `servers` empty: the caller knows which address the client used. */
export function openapiDocument(endpoints: readonly Endpoint[]): Json {
  const schemas: Json = {
    Error: jsonSchema(z.object({ detail: z.string() })),
    ReadError: jsonSchema(
      z.object({
        detail: z.string(),
        reason: z.enum(READ_FAILURES),
        status: z.int().optional().describe("The page's own HTTP status, with the reason `status`."),
      }),
    ),
    FieldErrors: jsonSchema(z.record(z.string(), z.array(z.string()))),
    StreamEvent: jsonSchema(StreamEvent),
  }
  const paths: Json = {}
  for (const endpoint of endpoints) {
    const get = describeOperation(endpoint, schemas)
    paths[endpoint.path] = endpoint.post ? { get, post: withBody(get, endpoint) } : { get }
  }
  paths[OPENAPI_PATH] = { get: THIS_DOCUMENT }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bowerbird',
      version: VERSION,
      description: 'One key-authenticated search API in front of many engines.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [],
    security: [{ apiKey: [] }],
    paths,
    components: {
      schemas,
      headers: { ErrorCode: ERROR_CODE_HEADER },
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Api-Key <API_KEY>`' },
      },
    },
  }
}

function describeOperation(endpoint: Endpoint, schemas: Json): Json {
  const reply = moveDefinitions(jsonSchema(endpoint.reply), schemas)
  const responses: Json = {
    200: {
      description: endpoint.summary,
      headers: describeHeaders({ ...COMMON_HEADERS, ...(endpoint.isTagged && TAG_HEADER), ...endpoint.headers }),
      content: { 'application/json': { schema: reply }, ...(endpoint.streams && STREAM_CONTENT) },
    },
  }
  if (endpoint.isTagged) responses[304] = NOT_MODIFIED
  for (const status of [...ALWAYS_POSSIBLE, ...(endpoint.errors ?? [])]) responses[status] = errorResponse(status)
  return {
    operationId: endpoint.name,
    summary: endpoint.summary,
    description: endpoint.description,
    parameters: Object.entries(endpoint.params.shape).map(([name, schema]) => describeParameter(name, schema)),
    responses,
  }
}

/** The same operation by POST: the parameters are in the body, which adds its own errors. */
function withBody(get: Json, { name, params }: Endpoint): Json {
  const parameters = Object.entries(params.shape).map(([name, schema]) => describeParameter(name, schema))
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name, schema, description, example }) => [
        String(name),
        { ...Object(schema), description, ...(example !== undefined && { examples: [example] }) },
      ]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  }
  return {
    ...get,
    operationId: `${name}_post`,
    parameters: [],
    requestBody: { required: true, content: Object.fromEntries(BODY_TYPES.map((type) => [type, { schema }])) },
    responses: {
      ...Object(get['responses']),
      400: bodyErrorResponse(),
      413: errorResponse(413),
      415: errorResponse(415),
    },
  }
}

/** The 400 for a body that isn't an object or has bad fields. */
function bodyErrorResponse(): Json {
  const notAnObject = { $ref: '#/components/schemas/Error' }
  const badField = { $ref: '#/components/schemas/FieldErrors' }
  return { ...errorResponse(400), content: { 'application/json': { schema: { anyOf: [badField, notAnObject] } } } }
}

function errorResponse(status: number): Json {
  const { description, schema, headers } = ERRORS[status] ?? { description: '', schema: 'Error' }
  return {
    description,
    headers: {
      ...describeHeaders({ 'X-Request-Id': COMMON_HEADERS['X-Request-Id'] ?? '', ...headers }),
      'Error-Code': { $ref: '#/components/headers/ErrorCode' },
    },
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
  }
}

/** A parameter whose rules its type can't express declares them itself, as `schema`. */
function describeParameter(name: string, type: z.core.$ZodType): Json {
  const { description, example, schema: declared, ...derived } = jsonSchema(type, 'input')
  const required = !('default' in derived)
  const schema = typeof declared === 'object' ? declared : derived
  return { name, in: 'query', required, description, ...(example !== undefined && { example }), schema }
}

function describeHeaders(headers: Record<string, string>): Json {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  )
}

function jsonSchema(type: z.core.$ZodType, io: 'input' | 'output' = 'output'): Json {
  const { $schema: _schema, ...schema } = z.toJSONSchema(type, { io, reused: 'inline', override: loosen })
  return schema
}

/**
 * Reopens the objects that zod closes: a later version may add members, which must not break a validating client. And
 * leaves out the bounds that zod gives every whole number, which say nothing.
 */
function loosen({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

/** Moves named schemas to the document's components, where other replies share them. */
function moveDefinitions(schema: Json, schemas: Json): Json {
  const { $defs, id, ...rest } = JSON.parse(JSON.stringify(schema).replaceAll('#/$defs/', '#/components/schemas/'))
  for (const [name, definition] of Object.entries<Json>($defs ?? {})) schemas[name] = withoutId(definition)
  if (typeof id !== 'string') return rest
  schemas[id] = rest
  return { $ref: `#/components/schemas/${id}` }
}

function withoutId(definition: Json): Json {
  const { id: _id, ...rest } = definition
  return rest
}

const headers = z.record(z.string(), z.string()).describe('The headers of the JSON reply that say something about it.')

const StreamEvent = z
  .discriminatedUnion('event', [
    z.object({
      event: z.literal('start'),
      request_id: z.string(),
      engines: z.array(z.string()).describe('The engines that are queried.'),
    }),
    z.object({
      event: z.literal('engine'),
      engine: z.string(),
      status: z.string().describe('As in `Engine-Status`.'),
      n: z.int().describe('How many results it returned.'),
      ms: z.int(),
    }),
    z.object({
      event: z.literal('results'),
      revision: z.int().describe('Counts up. Each one replaces the last.'),
      results: z.array(z.record(z.string(), z.unknown())).describe('As in the JSON reply.'),
    }),
    z.object({
      event: z.literal('done'),
      body: z.record(z.string(), z.unknown()).describe('Exactly the JSON reply.'),
      headers,
    }),
    z.object({
      event: z.literal('error'),
      status: z.int().describe('What the JSON reply would have had.'),
      body: z.record(z.string(), z.unknown()),
      headers,
    }),
  ])
  .describe(
    'An event of a streamed search: a line of `application/x-ndjson`. In `text/event-stream`, `event` is the name of the event, and the other members are its data.',
  )
