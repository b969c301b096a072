// Calls a running server as a client would, and validates every reply against the published OpenAPI document: a body,
// status or content type that the document does not promise fails the test, and so does an error without its code.
import { ERROR_CODES, isErrorCode } from '../../src/errors.ts'
import { createReplyValidator, type OpenapiDocument } from './reply-validator.ts'

export interface ApiReply {
  status: number
  headers: Headers
  text: string
  // Tests read replies of every shape; the document has already validated them.
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

export async function createApiClient(url: string, key?: string): Promise<ApiClient> {
  const document = (await (await fetch(`${url}/api/v1/openapi.json`)).json()) as OpenapiDocument
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
      const contentType = response.headers.get('content-type') ?? ''
      requireCode(response)
      validate({ path, method: options.method ?? 'GET' }, { status: response.status, contentType, json })
      return { status: response.status, headers: response.headers, text, json }
    },
  }
}

/** Every error has a documented code, and each code has one status. */
export function requireCode({ status, headers, url }: Pick<Response, 'status' | 'headers' | 'url'>): void {
  const code = headers.get('error-code')
  const expected = isErrorCode(code) ? ERROR_CODES[code].status : undefined
  if ((status >= 400 || code !== null) && status !== expected)
    throw new Error(`${new URL(url).pathname} answered ${status} with the code ${code}`)
}
