// Builds a request for JSON: a GET with a query string or a POST with a body. `undefined` members are left out.
import type { ProviderRequest } from '../engine.ts'

type Headers = Record<string, string>

const JSON_TYPE = 'application/json'

export const getJson = (
  path: string,
  parameters: Record<string, string | number | undefined> = {},
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

/** Leaves out `undefined` parameters, so an adapter can write its whole mapping as one table. */
export const queryString = (parameters: Record<string, string | number | undefined>): string => {
  let joined = ''
  for (const name in parameters) {
    const value = parameters[name]
    if (value === undefined) continue
    // A lone surrogate would make the encoder throw.
    const text = typeof value === 'string' ? encodeURIComponent(value.toWellFormed()) : value
    joined += `${joined === '' ? '?' : '&'}${name}=${text}`
  }
  return joined
}
