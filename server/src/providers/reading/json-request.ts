// A request for JSON: by GET with a query string, or by POST with a body. Members that are undefined are left out.
import type { ProviderRequest } from '../engine.ts'
import { queryString } from './query-string.ts'

type Headers = Record<string, string>

const JSON_TYPE = 'application/json'

export const getJson = (
  path: string,
  parameters: Record<string, string | number | undefined>,
  headers: Headers = {},
): ProviderRequest => ({ path: path + queryString(parameters), headers: { accept: JSON_TYPE, ...headers } })

export const postJson = (path: string, body: Record<string, unknown>, headers: Headers = {}): ProviderRequest => ({
  method: 'POST',
  path,
  headers: { accept: JSON_TYPE, 'content-type': JSON_TYPE, ...headers },
  // Half a surrogate pair is valid JSON and nothing else.
  body: JSON.stringify(body, (_name, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value)),
})

export const bearer = (key: string): Headers => ({ authorization: `Bearer ${key}` })
