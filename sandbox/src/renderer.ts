// Renders the bytes of a provider's reply and caches them, because benchmarks repeat their requests on the machine they
// measure. Dates are relative to the full hour, so a reply is cached until the hour is over.
import type { IncomingHttpHeaders } from 'node:http'
import { BoundedMap } from './bounded-map.ts'
import { createCorpus, EMPTY_CORPUS } from './corpus/corpus.ts'
import type { Provider, ProviderReply } from './providers/provider.ts'
import { reshape, type Shape } from './reshape.ts'

const MS_AN_HOUR = 3_600_000
/** All that `npm run bench` requests: 1,000 queries of three engines, in two slightly different forms. */
const REPLIES_KEPT = 8_000

export interface RawRequest {
  method: string
  /** Below the provider's base, without the query string. */
  path: string
  /** As sent, without the question mark. */
  search: string
  headers: IncomingHttpHeaders
  body: string
}

export interface Rendered {
  status: number
  headers: Record<string, string | number>
  body: Buffer
}

export interface Renderer {
  render(provider: Provider, request: RawRequest, shape?: Shape | 'no-results'): Rendered
}

export function createRenderer(seed: string, now: () => number): Renderer {
  const corpus = createCorpus(seed)
  const kept = new BoundedMap<Rendered>(REPLIES_KEPT)
  return {
    render(provider, request, shape = 'good') {
      const hour = Math.floor(now() / MS_AN_HOUR)
      const { method, path, search, headers, body } = request
      let key = `${provider.slug}\n${shape}\n${hour}\n${method}\n${path}\n${search}\n${body}`
      for (const name of provider.readsHeaders) key += `\n${String(headers[name])}`
      return kept.getOrCreate(key, () => {
        const asked = { method, path, query: new URLSearchParams(search), headers, body, now: hour * MS_AN_HOUR }
        const reply =
          provider.answer(asked, shape === 'no-results' ? EMPTY_CORPUS : corpus) ?? provider.failure(asked.now, 404)
        return toBytes(reply, (json) => {
          const bent = shape === 'no-results' ? json : reshape(json, shape, provider.optionalMembers)
          return provider.writeJson?.(bent) ?? JSON.stringify(bent)
        })
      })
    },
  }
}

export function toBytes(reply: ProviderReply, write: (json: unknown) => string = JSON.stringify): Rendered {
  const isJson = 'json' in reply
  const body = Buffer.from(isJson ? write(reply.json) : reply.text)
  const headers = {
    'content-type': isJson ? 'application/json; charset=utf-8' : reply.contentType,
    'content-length': body.length,
    ...reply.headers,
  }
  return { status: reply.status, headers, body }
}
