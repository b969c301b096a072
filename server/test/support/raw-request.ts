// Sends raw bytes to a server and reads the reply; an HTTP client would prevent invalid requests.
import { connect } from 'node:net'

export interface RawReply {
  /** 0: the connection was closed, or nothing arrived in time. */
  status: number
  headers: Record<string, string>
  body: string
}

const PATIENCE_MS = 10_000
/** After this we half-close, for servers waiting for more bytes; if we did earlier, they would not reply at all. */
const SILENCE_MS = 4_000

/** Returns the first reply. */
export const rawRequest = (url: string, bytes: string | Uint8Array): Promise<RawReply> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    const isHead = Buffer.from(bytes).toString('latin1', 0, 5) === 'HEAD '
    let text = ''
    const finish = () => {
      clearTimeout(timer)
      clearTimeout(silence)
      socket.destroy()
      resolve(readReply(text))
    }
    const timer = setTimeout(finish, PATIENCE_MS)
    const silence = setTimeout(() => socket.end(), SILENCE_MS)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (isWhole(text, isHead)) finish()
    })
    socket.once('close', finish)
    socket.once('error', finish)
    socket.write(bytes)
  })

function isWhole(text: string, isHead: boolean): boolean {
  const { status, headers, body } = readReply(text)
  if (isHead) return status > 0
  return status > 0 && body.length >= Number(headers['content-length'] ?? Number.POSITIVE_INFINITY)
}

function readReply(text: string): RawReply {
  const end = text.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = text.slice(0, Math.max(0, end)).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1] ?? 0)
  // 100 Continue precedes the reply.
  if (status === 100) return readReply(text.slice(end + 4))
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const length = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY)
  return { status, headers, body: text.slice(end + 4, end + 4 + length) }
}
