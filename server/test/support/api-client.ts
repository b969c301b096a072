// Asks a running server as a client would, and holds every reply against the published OpenAPI document: a body, a
// status or a content type that the document does not promise fails the test that received it.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

export interface ApiReply {
  status: number
  headers: Headers
  text: string
  // Tests read replies of every shape; the document has already judged them.
  // biome-ignore lint/suspicious/noExplicitAny: as said above
  json: any
}

export interface ApiClient {
  url: string
  get: (path: string, options?: RequestOptions) => Promise<ApiReply>
}

export interface RequestOptions {
  key?: string | undefined
  method?: string
  headers?: Record<string, string>
  body?: string
}

type Operation = { responses: Record<string, unknown> }
type Document = { paths: Record<string, { get: Operation; post?: Operation }> }

export async function createApiClient(url: string, key?: string): Promise<ApiClient> {
  const document = (await (await fetch(`${url}/api/v1/openapi.json`)).json()) as Document
  const validate = createReplyValidator(document)
  return {
    url,
    async get(path, options = {}) {
      const usedKey = 'key' in options ? options.key : key
      const response = await fetch(url + path, {
        method: options.method ?? 'GET',
        headers: { ...(usedKey && { authorization: `Api-Key ${usedKey}` }), ...options.headers },
        ...(options.body !== undefined && { body: options.body }),
      })
      const text = await response.text()
      const json = text === '' ? undefined : JSON.parse(text)
      if (options.method !== 'HEAD') validate({ path, method: options.method ?? 'GET' }, response, json)
      return { status: response.status, headers: response.headers, text, json }
    },
  }
}

function createReplyValidator(document: Document) {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'openapi', ...document })
  const compiled = new Map<string, ValidateFunction>()

  return ({ path, method }: { path: string; method: string }, response: Response, json: unknown): void => {
    const plain = path.split(/[?#]/, 1)[0] ?? ''
    const route = plain.endsWith('/') || plain in document.paths ? plain : `${plain}/`
    const name = method === 'POST' ? 'post' : 'get'
    const responses = document.paths[route]?.[name]?.responses
    if (!responses || response.status === 405) return
    if (!(response.status in responses))
      throw new Error(`${route} answered ${response.status}, which is not in the document`)
    if (!response.headers.get('content-type')?.startsWith('application/json')) throw new Error(`${route} is not JSON`)
    const place = `openapi#/paths/${route.replaceAll('/', '~1')}/${name}/responses/${response.status}/content/application~1json/schema`
    const validate = compiled.get(place) ?? ajv.compile({ $ref: place })
    compiled.set(place, validate)
    if (!validate(json)) throw new Error(`${route} ${response.status}: ${ajv.errorsText(validate.errors)}`)
  }
}
