// A small load balancer like those operators use: it polls each node's `/readyz`, sends requests round robin to the
// ready ones, and never retries. A request that a node does not answer is lost.
import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReadinessProxy {
  url: string
  /** Keyed by name; undefined removes the node. */
  setNode: (name: string, url: string | undefined) => void
  /** Whether the node's last check succeeded. */
  isReady: (name: string) => boolean
  close: () => Promise<void>
}

interface Target {
  url: string
  isReady: boolean
}

export async function startReadinessProxy({ checkEveryMs }: { checkEveryMs: number }): Promise<ReadinessProxy> {
  const targets = new Map<string, Target>()
  const agent = new Agent({ keepAlive: true })
  let turn = 0

  const check = async (target: Target) => {
    target.isReady = await fetch(`${target.url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  }
  const checking = setInterval(() => {
    for (const target of targets.values()) void check(target)
  }, checkEveryMs)

  const server = createServer((incoming, outgoing) => {
    const ready = [...targets.values()].filter(({ isReady }) => isReady)
    const target = ready[turn++ % Math.max(1, ready.length)]
    if (!target) {
      outgoing.writeHead(502).end()
      return
    }
    const { connection: _, ...headers } = incoming.headers
    const forwarded = request(target.url + incoming.url, { method: incoming.method ?? 'GET', headers, agent })
    forwarded.on('response', (reply) => {
      const { connection: _, ...replyHeaders } = reply.headers
      outgoing.writeHead(reply.statusCode ?? 502, replyHeaders)
      reply.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.writeHead(502).end())
    incoming.pipe(forwarded)
  })
  // Longer than any test: a connection closed while a client reuses it would look like a lost request.
  server.keepAliveTimeout = 600_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setNode(name, url) {
      if (url === undefined) targets.delete(name)
      else targets.set(name, { url, isReady: false })
    },
    isReady: (name) => targets.get(name)?.isReady ?? false,
    async close() {
      clearInterval(checking)
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
