// A provider that responds exactly as a test tells it to, in the envelope of Brave, Mojeek, Marginalia or SearXNG. The
// sandbox invents its content; here the test must know both the provider's bytes and the result.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Result = Record<string, unknown>

const ENVELOPES = {
  brave: (results: Result[]) => ({ type: 'search', query: { original: 'as asked' }, web: { results } }),
  mojeek: (results: Result[]) => ({ response: { status: 'OK', results } }),
  marginalia: (results: Result[]) => ({ results }),
  searxng: (results: Result[]) => ({ results }),
}

type ScriptedSlug = keyof typeof ENVELOPES

export interface ScriptedProvider {
  /** Settings that point these adapters here. */
  settings: (...slugs: ScriptedSlug[]) => Record<string, string>
  /** The results that the provider returns from now on, in its own field names. */
  show: (slug: ScriptedSlug, results: Result[]) => void
  /** The response from now on, whatever the request. */
  answer: (slug: ScriptedSlug, status: number, body: unknown) => void
  close: () => Promise<void>
}

export async function startScriptedProvider(): Promise<ScriptedProvider> {
  const replies = new Map<string, { status: number; body: unknown }>()
  const show = (slug: ScriptedSlug, results: Result[]) => {
    replies.set(slug, { status: 200, body: ENVELOPES[slug](results) })
  }
  for (const slug of ['brave', 'mojeek', 'marginalia', 'searxng'] as const) show(slug, [])

  const server = createServer((request, response) => {
    const { status, body } = replies.get(request.url?.split('/')[1] ?? '') ?? { status: 404, body: {} }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a listening TCP server has an address with a port
  return {
    settings: (...slugs) =>
      Object.fromEntries(slugs.map((slug) => [`${slug.toUpperCase()}_URL`, `http://127.0.0.1:${port}/${slug}`])),
    show,
    answer: (slug, status, body) => void replies.set(slug, { status, body }),
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
