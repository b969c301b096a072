// Builds a request for JSON: a GET with a query string or a POST with a body. `undefined` members are left out.
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
  // A lone surrogate is valid in JSON and nowhere else.
  body: JSON.stringify(body, (_name, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value)),
})

export const bearer = (key: string): Headers => ({ authorization: `Bearer ${key}` })
