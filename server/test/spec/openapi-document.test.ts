// The published OpenAPI document: valid, public, and as complete as the API. Every test that uses `api.get` checks that
// responses conform to it.
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReplyValidator } from '../support/reply-validator.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

const OF_SEARCH = [
  'q',
  'engine',
  'safe',
  'lang',
  'region',
  'page',
  'limit',
  'include_domains',
  'exclude_domains',
  'prefer_domains',
  'include',
]
const OF_DATED_SEARCH = [...OF_SEARCH, 'date', 'date_from', 'date_to']
const OF_IMAGES = ['size', 'shape', 'licence', 'color', 'kind'].map((name) => `image_${name}`)
const OF_CONTENT = ['content_results', 'content_length', 'content_tokens']
/**
 * What each path takes, and what only `include` adds. Paths not implemented yet are
 * ignored.
 */
const PARAMETERS: Record<string, string[]> = {
  '/api/v1/': [],
  '/api/v1/web/': [...OF_DATED_SEARCH, ...OF_CONTENT],
  '/api/v1/images/': [...OF_SEARCH, ...OF_IMAGES],
  '/api/v1/news/': [...OF_DATED_SEARCH, ...OF_CONTENT],
  '/api/v1/videos/': OF_DATED_SEARCH,
  '/api/v1/science/': OF_DATED_SEARCH,
  '/api/v1/code/': OF_DATED_SEARCH,
  '/api/v1/mine/': OF_DATED_SEARCH,
  '/api/v1/images/similar/': ['q', 'query', 'exclude_url', 'engine', 'safe', 'lang', 'region'],
  '/api/v1/suggest/': ['q', 'lang'],
  '/api/v1/plan/': [...OF_DATED_SEARCH.filter((name) => name !== 'include'), 'tab', ...OF_IMAGES],
  '/api/v1/status/': [],
  '/api/v1/key/': [],
  '/api/v1/usage/': [],
}
const REQUIRED = Object.keys(PARAMETERS)
const STREAMED = ['web', 'images', 'news', 'videos', 'science', 'code', 'mine'].map((tab) => `/api/v1/${tab}/`)

interface Parameter {
  name: string
  in: string
  required: boolean
  description: string
  schema: Record<string, unknown>
}

let server: TestInstance
// biome-ignore lint/suspicious/noExplicitAny: the validator checks its shape; the tests read arbitrary parts of it
let document: any
beforeAll(async () => {
  server = await startTestInstance({ ENGINE_D: 'searxng', MINE: 'karakeep' })
  document = await (await fetch(`${server.url}/api/v1/openapi.json`)).json()
})
afterAll(() => server.close())

const operationAt = (path: string) => document.paths[path].get ?? document.paths[path].post
const parametersAt = (path: string): Parameter[] => operationAt(path).parameters ?? []
const validatorOf = (schema: string) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'published', ...document })
  return ajv.compile({ $ref: `published#/components/schemas/${schema}` })
}
const parameter = (name: string) => parametersAt('/api/v1/web/').find((candidate) => candidate.name === name)

describe('the document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(document))
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
    expect(validator.version).toBe('3.1')
    expect(document.openapi).toMatch(/^3\.1\./)
  })

  it('resolves every reference inside itself', () => {
    for (const [, place = ''] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const found = place.split('/').reduce((node, name) => node?.[name.replaceAll('~1', '/')], document)
      expect([place, typeof found]).toEqual([place, 'object'])
    }
  })

  it('is public, with or without a key, valid or not', async () => {
    for (const authorization of ['', 'Api-Key nonsense', `Api-Key ${server.key}`]) {
      const response = await fetch(`${server.url}/api/v1/openapi.json`, { headers: { authorization } })
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(await response.json()).toEqual(document)
    }
  })
})

describe('operations', () => {
  it.each(REQUIRED)('%s is described, with exactly its parameters', (path) => {
    const { operationId, summary, description } = operationAt(path)
    for (const text of [operationId, summary, description]) expect(text).toMatch(/\w/)
    expect(parametersAt(path).map(({ name }) => name)).toEqual(PARAMETERS[path])
  })

  it('operation ids are the names in the root, each once', async () => {
    const { json: root } = await server.api.get('/api/v1/')
    const ids = Object.keys(document.paths).map((path) => operationAt(path).operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect([...Object.keys(root), 'root']).toContain(id)
  })

  it.each(REQUIRED)('%s lists every status it may return, each with a JSON schema', (path) => {
    const { responses } = operationAt(path)
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '400', '401', '403', '429', '503']))
    for (const [status, { description, content }] of Object.entries<Record<string, never>>(responses)) {
      const [first, ...streams] = Object.keys(content ?? {})
      expect([status, first]).toEqual([status, status === '304' ? undefined : 'application/json'])
      const isStreamed = status === '200' && STREAMED.includes(path)
      expect([status, streams]).toEqual([status, isStreamed ? ['text/event-stream', 'application/x-ndjson'] : []])
      expect(description).toMatch(/\w/)
    }
  })

  it('a stream is described by its events, and real events are like that', async () => {
    const { content } = operationAt('/api/v1/web/').responses['200']
    for (const type of ['text/event-stream', 'application/x-ndjson'])
      expect(content[type].schema).toEqual({ $ref: '#/components/schemas/StreamEvent' })
    const isEvent = validatorOf('StreamEvent')
    const headers = { authorization: `Api-Key ${server.key}`, accept: 'application/x-ndjson' }
    const lines = await (await fetch(`${server.url}/api/v1/web/?q=climate`, { headers })).text()
    const events = lines.trimEnd().split('\n')
    expect(events.length).toBeGreaterThan(1)
    expect(events.filter((line) => !isEvent(JSON.parse(line)))).toEqual([])
    expect(isEvent({ event: 'start' })).toBe(false)
  })

  it.each([
    ['lang', ['', 'de', 'pt-BR', 'pt_BR', 'auto', 'AUTO', 'all', 'zh-Hans-CN']],
    ['region', ['', 'de', 'DE', 'uk', 'all', 'ALL']],
    ['include', ['', 'explain', 'explain,content', 'content,explain', 'CONTENT', 'content explain']],
    ['date', ['', 'd', 'w', 'm', 'y']],
    ['safe', ['', 'on', 'off', 'true', 'false', '1', '0', 'yes', 'no']],
    ['engine', ['all', 'engine_a', 'ENGINE_A engine_b', 'engine_b,engine_a']],
  ])('%s accepts in the document what the service accepts', async (name, values) => {
    const isAccepted = new Ajv2020({ strict: false }).compile(parameter(name)?.schema ?? {})
    for (const value of values) {
      const key = await server.createKey({ scopes: ['search', 'read'] })
      const { status } = await server.api.get(`/api/v1/web/?q=climate&${name}=${encodeURIComponent(value)}`, { key })
      expect([value, status, isAccepted(value)]).toEqual([value, 200, true])
    }
    if (name === 'lang') expect(isAccepted('deutsch')).toBe(false)
  })

  it('no number has bounds that say nothing', () => {
    expect(JSON.stringify(document)).not.toContain(String(Number.MAX_SAFE_INTEGER))
  })

  it('response schemas are complete and open: no key is missing, and a later version may add some', () => {
    for (const name of ['WebReply', 'WebResult', 'StatusReply', 'Provider', 'KeyReply', 'UsageReply', 'Error']) {
      const { properties, required, additionalProperties } = document.components.schemas[name]
      expect([name, additionalProperties]).toEqual([name, undefined])
      const always = Object.keys(properties).filter((key) => !/^(?:explain|date|passages|content(?:_\w+)?)$/.test(key))
      expect(required.toSorted()).toEqual(always.toSorted())
    }
  })
})

describe('the instant response', () => {
  it('is a union discriminated by `type`, with an open schema for future types', () => {
    const { InstantReply, InstantAnswer, OtherAnswer } = document.components.schemas
    const [known, open] = ['InstantAnswer', 'OtherAnswer'].map((name) => ({ $ref: `#/components/schemas/${name}` }))
    expect(InstantReply.anyOf).toEqual([{ type: 'null' }, known, open])
    expect(OtherAnswer).toMatchObject({ required: ['type', 'query', 'text'], additionalProperties: {} })
    const { anyOf, discriminator } = InstantAnswer
    expect(discriminator.propertyName).toBe('type')
    const mapped = Object.entries<string>(discriminator.mapping)
    expect(mapped.map(([, $ref]) => ({ $ref }))).toEqual(anyOf)
    for (const [type, reference] of mapped) {
      const { properties, required } = document.components.schemas[reference.split('/').at(-1) ?? '']
      expect([type, properties.type.const]).toEqual([type, type])
      expect(required).toEqual(expect.arrayContaining(['type', 'query', 'text']))
    }
  })

  it('accepts an answer of an unknown type, which our own tests reject', () => {
    const strange = { type: 'tea_leaves', query: 'my future', text: 'Hazy.', leaves: 7 }
    const reply = { status: 200, contentType: 'application/json', json: strange }
    const request = { path: '/api/v1/instant/?q=my+future', method: 'GET' }
    const isInstant = validatorOf('InstantReply')
    expect(isInstant(strange)).toBe(true)
    expect(isInstant({ query: 'my future' })).toBe(false)
    expect(() => createReplyValidator(document)(request, reply)).toThrow('/api/v1/instant/ 200')
  })
})

it('an undocumented member fails our own tests, but no client', () => {
  const json = { query: 'a', suggestions: [], mood: 'sunny' }
  const request = { path: '/api/v1/suggest/?q=a', method: 'GET' }
  const reply = { status: 200, contentType: 'application/json' }
  expect(() => createReplyValidator(document)(request, { ...reply, json })).toThrow('additional properties')
  expect(validatorOf('SuggestReply')(json)).toBe(true)
})
