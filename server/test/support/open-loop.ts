// Open-loop load: requests are sent at a steady rate, whether or not earlier ones are answered, like those of many
// independent clients. Latency is measured from when a request was due.
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export interface LoadReply {
  /** 0: no reply before the timeout, or a broken connection. */
  status: number
  ms: number
  retryAfter: string | undefined
}

interface LoadTarget {
  url: string
  headers: Record<string, string>
  /** The path of each request. */
  path: (turn: number) => string
}

const TIMEOUT_MS = 10_000
const BEAT_MS = 5
const REFUSED_MS = 50

export const createAgent = (): Agent => new Agent({ keepAlive: true, maxSockets: 200 })

export const askOnce = (url: string, headers: Record<string, string>, agent?: Agent): Promise<LoadReply> =>
  new Promise((done) => {
    const askedAt = performance.now()
    const end = (status: number, retryAfter?: string) => done({ status, ms: performance.now() - askedAt, retryAfter })
    const request = get(url, { headers, timeout: TIMEOUT_MS, ...(agent ? { agent } : { agent: false }) }, (reply) => {
      reply.resume()
      reply.on('end', () => end(reply.statusCode ?? 0, reply.headers['retry-after']))
      reply.on('error', () => end(0))
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => end(0))
  })

interface SteadyLoad {
  perSecond: number
  seconds: number
  signal?: AbortSignal
  /** Connections to use and leave open. */
  agent?: Agent
}

/** Sends at a steady rate until the time is up or aborted, then waits for all replies. Returned in order of arrival. */
export async function sendSteadily(
  { url, headers, path }: LoadTarget,
  { perSecond, seconds, signal, agent: given }: SteadyLoad,
): Promise<LoadReply[]> {
  const agent = given ?? createAgent()
  // One by one: `Promise.all` on the millions of an hour would take longer than the hour.
  const replies: LoadReply[] = []
  let sent = 0
  const startedAt = performance.now()
  for (;;) {
    const elapsed = (performance.now() - startedAt) / 1_000
    const due = Math.floor(Math.min(elapsed, seconds) * perSecond)
    while (sent < due) void askOnce(url + path(sent++), headers, agent).then((reply) => replies.push(reply))
    if (elapsed >= seconds || signal?.aborted) break
    await sleep(BEAT_MS)
  }
  while (replies.length < sent) await sleep(BEAT_MS)
  if (!given) agent.destroy()
  return replies
}

/** Clients that each send again as soon as they are answered, or a moment after a refusal. */
export async function sendInTurn(
  { url, headers, path }: LoadTarget,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<LoadReply[]> {
  const agent = createAgent()
  const replies: LoadReply[] = []
  const until = performance.now() + seconds * 1_000
  let turn = 0
  const client = async () => {
    while (performance.now() < until) {
      const reply = await askOnce(url + path(turn++), headers, agent)
      replies.push(reply)
      if (reply.status !== 200) await sleep(REFUSED_MS)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  agent.destroy()
  return replies
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
