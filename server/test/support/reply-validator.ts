// Validates replies of the API against its OpenAPI document: throws on a body, status or content type that the document
// does not promise. The document leaves objects open for later versions; here they are closed, so that every member
// sent must be documented.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

type Operation = { responses: Record<string, unknown> }
export type OpenapiDocument = { paths: Record<string, { get?: Operation; post?: Operation }> }

interface SentRequest {
  path: string
  method: string
}

interface ReceivedReply {
  status: number
  contentType: string
  json: unknown
}

/** Errors of a union of fifty shapes are long. */
const MOST_WORDS = 1_000

type ReplyValidator = (request: SentRequest, reply: ReceivedReply) => void

/** Keyed by the document's text: compiling takes seconds, and the test files of a worker share their modules. */
const validators = new Map<string, ReplyValidator>()

export function createReplyValidator(document: OpenapiDocument): ReplyValidator {
  const text = JSON.stringify(document)
  const validator = validators.get(text) ?? compileValidator(document)
  validators.set(text, validator)
  return validator
}

function compileValidator(document: OpenapiDocument): ReplyValidator {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'openapi', ...closed(document) })
  const compiled = new Map<string, ValidateFunction>()

  return ({ path, method }, { status, contentType, json }) => {
    if (method === 'HEAD' || method === 'OPTIONS' || status === 405) return
    const plain = path.split(/[?#]/, 1)[0] ?? ''
    const route = plain.endsWith('/') || plain in document.paths ? plain : `${plain}/`
    const name = method === 'POST' ? 'post' : 'get'
    const responses = document.paths[route]?.[name]?.responses
    if (!responses) return
    if (!(status in responses)) throw new Error(`${route} answered ${status}, which is not in the document`)
    if (status === 304) return
    if (!contentType.startsWith('application/json')) throw new Error(`${route} is not JSON`)
    const place = `openapi#/paths/${route.replaceAll('/', '~1')}/${name}/responses/${status}/content/application~1json/schema`
    const validate = compiled.get(place) ?? ajv.compile({ $ref: place })
    compiled.set(place, validate)
    if (!validate(json)) throw new Error(`${route} ${status}: ${ajv.errorsText(validate.errors).slice(0, MOST_WORDS)}`)
  }
}

const FOR_TYPES_TO_COME = '#/components/schemas/OtherAnswer'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** Closes objects to undocumented members, and removes the branch for future types from unions. */
function closed<Document>(document: Document): Document {
  return closedSchema(document as Json) as Document
}

function closedSchema(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closedSchema)
  if (typeof schema !== 'object' || schema === null) return schema
  const members = Object.entries(schema).map(([name, member]) => [name, closedSchema(member)])
  const copy: Record<string, Json> = Object.fromEntries(members)
  if (copy['type'] === 'object' && 'properties' in copy) copy['additionalProperties'] ??= false
  const { anyOf } = copy
  if (Array.isArray(anyOf)) copy['anyOf'] = anyOf.filter((branch) => !isForTypesToCome(branch))
  return copy
}

const isForTypesToCome = (branch: Json): boolean =>
  typeof branch === 'object' && branch !== null && '$ref' in branch && branch['$ref'] === FOR_TYPES_TO_COME
