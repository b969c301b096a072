// The load: a closed loop over plain sockets, in a separate process that can be pinned to the other core. It speaks
// just enough HTTP (a Content-Length in every reply) to cost a fraction of what it measures. Controlled by messages: {
// port, paths, headers, body, connections, and ms or requests } → { requests, errors }.
import { connect, type Socket } from 'node:net'

export interface LoadOrder {
  port: number
  paths: string[]
  headers: Record<string, string>
  /** Sent by POST if given. */
  body?: string
  connections: number
  /** How long, or how many requests in all. */
  ms?: number
  requests?: number
}

export interface LoadResult {
  requests: number
  /** Replies other than 200. */
  errors: number
}

const HEAD_END = Buffer.from('\r\n\r\n')
const LENGTH = /content-length: *(\d+)/i

async function run(order: LoadOrder): Promise<LoadResult> {
  const { body } = order
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const head = Object.entries({ host: `127.0.0.1:${order.port}`, ...order.headers, ...length })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  const method = body === undefined ? 'GET' : 'POST'
  const requests = order.paths.map((path) => Buffer.from(`${method} ${path} HTTP/1.1\r\n${head}\r\n${body ?? ''}`))
  const result: LoadResult = { requests: 0, errors: 0 }
  const until = performance.now() + (order.ms ?? Number.POSITIVE_INFINITY)
  const most = order.requests ?? Number.POSITIVE_INFINITY
  let next = 0
  const nextRequest = (): Buffer | undefined =>
    next < most && performance.now() < until ? requests[next++ % requests.length] : undefined
  await Promise.all(Array.from({ length: order.connections }, () => loop(order.port, nextRequest, result)))
  return result
}

function loop(port: number, nextRequest: () => Buffer | undefined, result: LoadResult): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1')
    let pending: Buffer[] = []
    let missing = -1
    const send = () => {
      const request = nextRequest()
      if (!request) {
        socket.destroy()
        resolve()
        return
      }
      pending = []
      missing = -1
      socket.write(request)
    }
    socket.setNoDelay(true)
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      if (missing >= 0) missing -= chunk.length
      else {
        pending.push(chunk)
        const whole = pending.length === 1 ? chunk : Buffer.concat(pending)
        const end = whole.indexOf(HEAD_END)
        if (end === -1) return
        const head = whole.toString('latin1', 0, end)
        if (!head.startsWith('HTTP/1.1 200')) result.errors += 1
        missing = Number(LENGTH.exec(head)?.[1] ?? 0) - (whole.length - end - HEAD_END.length)
      }
      if (missing > 0) return
      result.requests += 1
      send()
    })
  })
}

process.on('message', (order: LoadOrder) => {
  void run(order).then((result) => process.send?.(result))
})
process.on('disconnect', () => process.exit())
