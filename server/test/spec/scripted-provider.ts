// A provider that answers word for word what a test tells it to, in the envelope of Brave, Mojeek, Marginalia or
// SearXNG. The sandbox invents its content; here the test must know both the provider's bytes and what becomes of them.
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
  /** Points these adapters here. */
  settings: (...slugs: ScriptedSlug[]) => Record<string, string>
  /** What the provider finds from now on, in its own field names. */
  show: (slug: ScriptedSlug, results: Result[]) => void
  /** What it answers from now on, whatever it is asked. */
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
