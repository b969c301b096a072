// Calls a provider directly, without a socket, for tests of its wire format.
import { createCorpus } from '../corpus/corpus.ts'
import type { Provider } from './provider.ts'

export const TEST_NOW = Date.UTC(2026, 10, 14, 12)

const corpus = createCorpus('test')

interface Asked {
  path: string
  query?: Record<string, string>
  headers?: Record<string, string>
  /** POST with a body, else GET. */
  method?: string
  body?: string
}

interface Told<Json> {
  status: number
  headers: Record<string, string>
  json: Json
  text: string
}

/** `Json` is the type the test expects; it fails if a member is missing. */
export function askProvider<Json>(provider: Provider, asked: Asked): Told<Json> {
  const { path, query = {}, headers = {}, body = '', method = body === '' ? 'GET' : 'POST' } = asked
  const request = { method, path, query: new URLSearchParams(query), headers, body, now: TEST_NOW }
  const reply = provider.answer(request, corpus) ?? { status: 404, text: '', contentType: 'text/plain' }
  return {
    status: reply.status,
    headers: reply.headers ?? {},
    // A test reads the members it expects and fails if they are missing.
    json: ('json' in reply ? reply.json : undefined) as Json,
    text: 'text' in reply ? reply.text : '',
  }
}
