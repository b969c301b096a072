// A Karakeep in the test process: each of its bookmarks has a canary, and it can be stopped and started again.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface PrivateService {
  url: string
  /** The only one that it accepts. */
  token: string
  /** Settings that make it the private engine of an instance. */
  settings: Record<string, string>
  /** The queries that it was asked so far. */
  queries: string[]
  stop: () => void
  start: () => void
  close: () => Promise<void>
}

const COUNT = 10

export async function startPrivateService(canary: string): Promise<PrivateService> {
  const token = `token-of-${canary}`
  const queries: string[] = []
  let isStopped = false
  const server = createServer((request, response) => {
    if (isStopped) {
      request.socket.destroy()
      return
    }
    const { searchParams } = new URL(request.url ?? '', 'http://service.test')
    queries.push(searchParams.get('q') ?? '')
    const isAllowed = request.headers.authorization === `Bearer ${token}`
    const from = Number(searchParams.get('cursor'))
    const bookmarks = Array.from({ length: COUNT }, (_, at) => bookmarkOf(`${canary}-${from + at}`))
    response
      .writeHead(isAllowed ? 200 : 401, { 'content-type': isAllowed ? 'application/json' : 'text/plain' })
      .end(isAllowed ? JSON.stringify({ bookmarks, nextCursor: String(from + COUNT) }) : 'Unauthorized')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a listening TCP server has a port
  return {
    url,
    token,
    settings: { MINE: 'karakeep', KARAKEEP_URL: url, KARAKEEP_LINK_URL: url, KARAKEEP_API_KEY: token },
    queries,
    stop: () => {
      isStopped = true
    },
    start: () => {
      isStopped = false
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const bookmarkOf = (canary: string) => ({
  id: canary,
  createdAt: '2026-01-01T10:00:00.000Z',
  title: `Title ${canary}`,
  summary: `Summary ${canary}`,
  content: { type: 'link', url: `https://${canary}.example/page`, title: canary },
})
