// Providers whose replies wait until a test lets them go.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface HeldProviders {
  /** Settings that lead calls of these providers through here. */
  settings: Record<string, string>
  /** From now on, its replies wait; returns what lets them go. */
  hold: (slug: string) => () => void
  close: () => void
}

/** `sandboxUrl` is asked when a call arrives. */
export async function startHeldProviders(slugs: readonly string[], sandboxUrl: () => string): Promise<HeldProviders> {
  const gates = new Map<string, Promise<void>>()
  const forward = async ({ url = '', headers: { authorization } }: IncomingMessage, response: ServerResponse) => {
    await gates.get(url.split('/', 2)[1] ?? '')
    const reply = await fetch(sandboxUrl() + url, authorization === undefined ? {} : { headers: { authorization } })
    response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? '' })
    response.end(await reply.text())
  }
  const server = createServer((request, response) => void forward(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a listening TCP server has an address with a port
  return {
    settings: Object.fromEntries(
      slugs.map((slug) => [`${slug.toUpperCase()}_URL`, `http://127.0.0.1:${port}/${slug}`]),
    ),
    hold(slug) {
      const { promise, resolve } = Promise.withResolvers<void>()
      gates.set(slug, promise)
      return resolve
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
