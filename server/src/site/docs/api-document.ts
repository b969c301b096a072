// Reads the OpenAPI document for the reference pages: what each endpoint takes and returns, as rows of plain text. The
// document is our own, so anything unexpected is left out rather than reported.

type Json = Readonly<Record<string, unknown>>

export interface ApiParameter {
  name: string
  type: string
  isRequired: boolean
  description: string
  example: string
}

export interface ApiField {
  /** `results[].title` */
  path: string
  type: string
  description: string
}

export interface ApiOperation {
  name: string
  /** `GET, POST` */
  methods: string
  path: string
  summary: string
  description: string
  needsKey: boolean
  parameters: ApiParameter[]
  fields: ApiField[]
  /** The kinds of reply, if there are several. */
  kinds: { name: string; description: string }[]
  headers: { name: string; description: string }[]
  errors: { status: string; description: string }[]
}

const DEEPEST = 4

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const record = (value: unknown): Json => (isRecord(value) ? value : {})
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

export function readApiDocument(document: unknown): ApiOperation[] {
  const { paths, components } = record(document)
  const schemas = record(record(components)['schemas'])
  return Object.entries(record(paths)).map(([path, methods]) => readOperation(path, record(methods), schemas))
}

function readOperation(path: string, methods: Json, schemas: Json): ApiOperation {
  const get = record(methods['get'] ?? methods['post'])
  const responses = record(get['responses'])
  const ok = record(responses['200'])
  const schema = resolved(record(record(record(ok['content'])['application/json'])['schema']), schemas)
  const choices = choicesOf(schema, schemas)
  return {
    name: text(get['operationId']),
    methods: Object.keys(methods).join(', ').toUpperCase(),
    path,
    summary: text(get['summary']),
    description: text(get['description']),
    needsKey: !Array.isArray(get['security']) || get['security'].length > 0,
    parameters: list(get['parameters']).map((parameter) => readParameter(record(parameter))),
    fields: choices.length > 0 ? sharedFields(choices) : fieldsOf(schema, { schemas, prefix: '', depth: 0 }),
    kinds: choices.flatMap((choice) => {
      const name = text(record(record(choice['properties'])['type'])['const'])
      return name === '' ? [] : [{ name, description: text(choice['description']) }]
    }),
    headers: Object.entries(record(ok['headers'])).map(([name, header]) => ({
      name,
      description: text(record(header)['description']),
    })),
    errors: Object.entries(responses)
      .filter(([status]) => Number(status) >= 400)
      .map(([status, response]) => ({ status, description: text(record(response)['description']) })),
  }
}

/** Flattens a choice within a choice, such as the known kinds of an answer. */
const choicesOf = (schema: Json, schemas: Json): Json[] =>
  list(schema['anyOf']).flatMap((given) => {
    const choice = resolved(record(given), schemas)
    return 'anyOf' in choice ? choicesOf(choice, schemas) : [choice]
  })

function readParameter(parameter: Json): ApiParameter {
  const schema = record(parameter['schema'])
  const values = list(schema['enum']).map(text).filter(Boolean)
  return {
    name: text(parameter['name']),
    type: values.length > 0 ? values.join(' | ') : rangeOf(schema),
    isRequired: parameter['required'] === true,
    description: text(parameter['description']),
    example: text(parameter['example']),
  }
}

function rangeOf({ type, minimum, maximum }: Json): string {
  const hasRange = typeof minimum === 'number' && typeof maximum === 'number'
  return hasRange ? `${text(type)} ${minimum} to ${maximum}` : text(type)
}

/** Follows a reference; ours are never circular. */
function resolved(schema: Json, schemas: Json): Json {
  const name = /^#\/components\/schemas\/(.+)$/.exec(text(schema['$ref']))?.[1]
  return name === undefined ? schema : record(schemas[name])
}

interface Place {
  schemas: Json
  prefix: string
  depth: number
}

function fieldsOf(given: Json, place: Place): ApiField[] {
  const schema = resolved(given, place.schemas)
  const { schemas, prefix, depth } = place
  if (depth > DEEPEST) return []
  if (isRecord(schema['items'])) return fieldsOf(schema['items'], { schemas, prefix: `${prefix}[]`, depth: depth + 1 })
  return Object.entries(record(schema['properties'])).flatMap(([name, member]) => {
    const own = resolved(record(member), schemas)
    const path = prefix === '' ? name : `${prefix}.${name}`
    const row = { path, type: typeOf(own, schemas), description: text(own['description']) }
    const object = list(own['anyOf'])
      .map((one) => resolved(record(one), schemas))
      .find((one) => one['properties'])
    return [row, ...fieldsOf(object ?? own, { schemas, prefix: path, depth: depth + 1 })]
  })
}

function typeOf(schema: Json, schemas: Json): string {
  const choices = list(schema['anyOf'])
  if (choices.length > 0) {
    return [...new Set(choices.map((one) => typeOf(resolved(record(one), schemas), schemas)))].join(' | ')
  }
  if ('const' in schema) return JSON.stringify(schema['const'])
  const values = list(schema['enum'])
  if (values.length > 0) return values.map((value) => JSON.stringify(value)).join(' | ')
  return isRecord(schema['items'])
    ? `array of ${typeOf(resolved(schema['items'], schemas), schemas)}`
    : text(schema['type']) || 'any'
}

/** The fields that all kinds of reply share. */
function sharedFields(choices: readonly Json[]): ApiField[] {
  const objects = choices.map((choice) => record(choice['properties'])).filter((one) => Object.keys(one).length > 0)
  const [first = {}] = objects
  return Object.keys(first)
    .filter((name) => objects.every((one) => name in one))
    .map((name) => {
      const isSame = objects.every((one) => JSON.stringify(one[name]) === JSON.stringify(first[name]))
      return { path: name, type: isSame ? typeOf(record(first[name]), {}) : 'string', description: '' }
    })
}
