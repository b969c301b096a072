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
  /** A reply's shape as indented JSON, with `"string"` for a text; '' if there are several kinds. */
  shape: string
  /** The kinds of reply, if there are several. */
  kinds: { name: string; description: string }[]
  headers: { name: string; description: string }[]
  errors: { status: string; description: string }[]
}

const MAX_FIELD_DEPTH = 4

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const asRecord = (value: unknown): Json => (isRecord(value) ? value : {})
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const asText = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

export function readApiDocument(document: unknown): ApiOperation[] {
  const { paths, components } = asRecord(document)
  const schemas = asRecord(asRecord(components)['schemas'])
  return Object.entries(asRecord(paths)).map(([path, methods]) => readOperation(path, asRecord(methods), schemas))
}

function readOperation(path: string, methods: Json, schemas: Json): ApiOperation {
  const operation = asRecord(methods['get'] ?? methods['post'])
  const responses = asRecord(operation['responses'])
  const ok = asRecord(responses['200'])
  const schema = resolveReference(asRecord(asRecord(asRecord(ok['content'])['application/json'])['schema']), schemas)
  const choices = choicesOf(schema, schemas)
  return {
    name: asText(operation['operationId']),
    methods: Object.keys(methods).join(', ').toUpperCase(),
    path,
    summary: asText(operation['summary']),
    description: asText(operation['description']),
    needsKey: !Array.isArray(operation['security']) || operation['security'].length > 0,
    parameters: asList(operation['parameters']).map((parameter) => readParameter(asRecord(parameter))),
    fields: choices.length > 0 ? sharedFields(choices) : fieldsOf(schema, { schemas, prefix: '', depth: 0 }),
    shape: choices.length > 0 ? '' : JSON.stringify(shapeOf(schema, schemas), null, 2),
    kinds: choices.flatMap((choice) => {
      const name = asText(asRecord(asRecord(choice['properties'])['type'])['const'])
      return name === '' ? [] : [{ name, description: asText(choice['description']) }]
    }),
    headers: Object.entries(asRecord(ok['headers'])).map(([name, header]) => ({
      name,
      description: asText(asRecord(header)['description']),
    })),
    errors: Object.entries(responses)
      .filter(([status]) => Number(status) >= 400)
      .map(([status, response]) => ({ status, description: asText(asRecord(response)['description']) })),
  }
}

/** Flattens a choice within a choice, such as the known kinds of an answer. */
const choicesOf = (schema: Json, schemas: Json): Json[] =>
  asList(schema['anyOf']).flatMap((member) => {
    const choice = resolveReference(asRecord(member), schemas)
    return 'anyOf' in choice ? choicesOf(choice, schemas) : [choice]
  })

function readParameter(parameter: Json): ApiParameter {
  const schema = asRecord(parameter['schema'])
  const values = asList(schema['enum']).map(asText).filter(Boolean)
  return {
    name: asText(parameter['name']),
    type: values.length > 0 ? values.join(' | ') : rangeOf(schema),
    isRequired: parameter['required'] === true,
    description: asText(parameter['description']),
    example: asText(parameter['example']),
  }
}

function rangeOf({ type, minimum, maximum }: Json): string {
  const hasRange = typeof minimum === 'number' && typeof maximum === 'number'
  return hasRange ? `${asText(type)} ${minimum} to ${maximum}` : asText(type)
}

/** Follows a reference; ours are never circular. */
function resolveReference(schema: Json, schemas: Json): Json {
  const name = /^#\/components\/schemas\/(.+)$/.exec(asText(schema['$ref']))?.[1]
  return name === undefined ? schema : asRecord(schemas[name])
}

interface FieldPosition {
  schemas: Json
  prefix: string
  depth: number
}

function fieldsOf(unresolved: Json, { schemas, prefix, depth }: FieldPosition): ApiField[] {
  const schema = resolveReference(unresolved, schemas)
  if (depth > MAX_FIELD_DEPTH) return []
  if (isRecord(schema['items'])) return fieldsOf(schema['items'], { schemas, prefix: `${prefix}[]`, depth: depth + 1 })
  return Object.entries(asRecord(schema['properties'])).flatMap(([name, member]) => {
    const memberSchema = resolveReference(asRecord(member), schemas)
    const path = prefix === '' ? name : `${prefix}.${name}`
    const row = { path, type: typeOf(memberSchema, schemas), description: asText(memberSchema['description']) }
    const object = asList(memberSchema['anyOf'])
      .map((one) => resolveReference(asRecord(one), schemas))
      .find((one) => one['properties'])
    return [row, ...fieldsOf(object ?? memberSchema, { schemas, prefix: path, depth: depth + 1 })]
  })
}

/** A value with the same members and types as the schema. */
function shapeOf(unresolved: Json, schemas: Json): unknown {
  const schema = resolveReference(unresolved, schemas)
  const [choice] = asList(schema['anyOf'])
  if (choice) return shapeOf(asRecord(choice), schemas)
  if (isRecord(schema['items'])) return [shapeOf(schema['items'], schemas)]
  if (!isRecord(schema['properties'])) return typeOf(schema, schemas).replaceAll('"', '')
  return Object.fromEntries(
    Object.entries(schema['properties']).map(([name, member]) => [name, shapeOf(asRecord(member), schemas)]),
  )
}

function typeOf(schema: Json, schemas: Json): string {
  const choices = asList(schema['anyOf'])
  if (choices.length > 0) {
    return [...new Set(choices.map((one) => typeOf(resolveReference(asRecord(one), schemas), schemas)))].join(' | ')
  }
  if ('const' in schema) return JSON.stringify(schema['const'])
  const values = asList(schema['enum'])
  if (values.length > 0) return values.map((value) => JSON.stringify(value)).join(' | ')
  return isRecord(schema['items'])
    ? `array of ${typeOf(resolveReference(schema['items'], schemas), schemas)}`
    : asText(schema['type']) || 'any'
}

/** The fields that all kinds of reply share. */
function sharedFields(choices: readonly Json[]): ApiField[] {
  const objects = choices.map((choice) => asRecord(choice['properties'])).filter((one) => Object.keys(one).length > 0)
  const [first = {}] = objects
  return Object.keys(first)
    .filter((name) => objects.every((one) => name in one))
    .map((name) => {
      const isSame = objects.every((one) => JSON.stringify(one[name]) === JSON.stringify(first[name]))
      return { path: name, type: isSame ? typeOf(asRecord(first[name]), {}) : 'string', description: '' }
    })
}
