// For tests: sends requests to the compatible APIs of the API in memory.
import type { ApiStage } from '../api/api.test-harness.ts'

export const GOOD_KEY = 'bowerbird_good.key'

interface CompatRequest {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  headers?: Record<string, string>
  body?: string
}

export interface CompatReply {
  status: number
  reason: string
  headers: Record<string, unknown>
  text: string
  // Tests read replies of every shape.
  // biome-ignore lint/suspicious/noExplicitAny: as said above
  json: any
}

/** With a good key as a bearer token unless other headers are given. */
export async function callCompat(stage: ApiStage, url: string, request: CompatRequest = {}): Promise<CompatReply> {
  const { method = 'GET', headers = { authorization: `Bearer ${GOOD_KEY}` }, body } = request
  const reply = await stage.http.inject({ method, url, headers, ...(body !== undefined && { payload: body }) })
  const isJson = String(reply.headers['content-type']).includes('json') && reply.body !== ''
  return {
    status: reply.statusCode,
    reason: reply.statusMessage,
    headers: reply.headers,
    text: reply.body,
    json: isJson ? JSON.parse(reply.body) : undefined,
  }
}

export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
