// DuckDuckGo's completions: `GET /ac/`, keyless. With `type=list` a pair of the text and its completions, without it a
// list of objects.
import { defineProvider, type ProviderReply } from './provider.ts'

const COMPLETIONS = 8

const plain = (status: number, text: string, headers: Record<string, string> = {}): ProviderReply => ({
  status,
  headers,
  text,
  contentType: 'text/html; charset=utf-8',
})

export const duckduckgo = defineProvider({
  slug: 'duckduckgo',
  key: '',
  readsHeaders: [],
  optionalMembers: [],
  answer({ method, path, query }, corpus) {
    if (method !== 'GET' || path !== '/ac/') return undefined
    const region = query.get('kl')
    if (region !== null && !/^[a-z]{2}-[a-z]{2,3}$/.test(region)) return plain(400, 'Bad region')
    const text = query.get('q') ?? ''
    const completions = corpus.suggest({ engine: 'duckduckgo', text, count: COMPLETIONS })
    const json = query.get('type') === 'list' ? [text, completions] : completions.map((phrase) => ({ phrase }))
    return { status: 200, json }
  },
  badKey: () => plain(403, 'Forbidden'),
  throttled: (_now, retryAfterSeconds) => plain(429, 'Too many requests', { 'retry-after': String(retryAfterSeconds) }),
  failure: (_now, status) => plain(status, 'The request failed'),
})
