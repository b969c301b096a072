// Memory per stream waiting for slow engines, measured for a thousand more on top of those a server already has. And a
// server that gets SIGTERM finishes its streams.
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Cluster, startCluster, UNLIMITED } from '../support/cluster.ts'
import { eventually } from '../support/eventually.ts'
import { residentMegabytesOf } from '../support/process-usage.ts'

const STREAMS = 1_000
const MOST_KILOBYTES = 60
const PATIENCE_MS = 30_000
const COLLECTION_MS = 5_000

let cluster: Cluster
let key: string
beforeAll(async () => {
  // No deadline may pass before the test has seen what it needs.
  cluster = await startCluster({ nodes: 1, settings: { SEARCH_TIMEOUT_MS: '30000', MAX_IN_FLIGHT: '0' } })
  key = await cluster.createKey(UNLIMITED)
})
afterAll(() => cluster?.close())

interface OpenStream {
  sent: ClientRequest
  response: IncomingMessage
  text: () => string
}

async function openStream(query: string): Promise<OpenStream> {
  const headers = { authorization: `Api-Key ${key}`, accept: 'text/event-stream' }
  const sent = request(`${cluster.node(0).url}/api/v1/web/?q=${query}`, { headers, agent: false }).end()
  sent.on('error', () => 'we leave ourselves')
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  let text = ''
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  response.on('error', () => 'as above')
  return { sent, response, text: () => text }
}

/** Opens a few at a time, so that none waits for a connection. */
async function openStreams(count: number, query: string): Promise<OpenStream[]> {
  const streams: OpenStream[] = []
  while (streams.length < count) {
    const some = Array.from({ length: Math.min(50, count - streams.length) }, () => openStream(query))
    streams.push(...(await Promise.all(some)))
  }
  return streams
}

const delay = (latencyMs: number) => {
  for (const slug of ['brave', 'mojeek', 'marginalia']) cluster.sandbox.setFault(slug, { kind: 'latency', latencyMs })
}
const haveStarted = (streams: readonly OpenStream[]): Promise<boolean> =>
  eventually(async () => streams.every(({ text }) => text().startsWith('event: start\n')), PATIENCE_MS)

it('a thousand more open streams cost less than 60 KB each', async () => {
  const { pid } = cluster.node(0).process
  delay(50_000)
  const first = await openStreams(STREAMS, 'first')
  expect(await haveStarted(first)).toBe(true)
  const before = residentMegabytesOf(pid)
  const streams = await openStreams(STREAMS, 'many')
  expect(await haveStarted(streams)).toBe(true)
  const kilobytes = () => ((residentMegabytesOf(pid) - before) * 1_024) / STREAMS
  // Garbage from opening them is collected eventually.
  await eventually(async () => kilobytes() < MOST_KILOBYTES, COLLECTION_MS)
  const each = kilobytes()
  for (const { sent } of [...first, ...streams]) sent.destroy()
  expect(each).toBeLessThan(MOST_KILOBYTES)
})

it('on SIGTERM a server finishes its streams first', async () => {
  const { process: server } = cluster.node(0)
  delay(1_500)
  const streams = await openStreams(10, 'drain')
  expect(await haveStarted(streams)).toBe(true)
  const ended = streams.map(({ response }) => once(response, 'end'))
  const exited = once(server, 'exit')
  server.kill('SIGTERM')
  await Promise.all(ended)
  for (const { text } of streams) expect(text()).toMatch(/\nevent: done\ndata: \{"body":.+\}\n\n$/)
  expect(await exited).toEqual([0, null])
})
