// A redis-server of a test's own, on a free port, that may be flushed, killed and started again with the same data.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'

export interface PrivateRedis {
  url: string
  start: () => Promise<void>
  kill: () => Promise<void>
  /** Stops it from answering, with its connections open. */
  freeze: () => void
  thaw: () => void
  remove: () => Promise<void>
}

export async function openPrivateRedis(): Promise<PrivateRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'bb-redis-'))
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  let server: ChildProcess | undefined

  async function kill(): Promise<void> {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    server.kill('SIGKILL')
    await once(server, 'exit')
  }
  async function start(): Promise<void> {
    server = spawn('redis-server', ['--port', `${port}`, '--dir', folder, '--save', '', '--bind', '127.0.0.1'], {
      stdio: 'ignore',
    })
    for (let i = 0; i < 100 && !(await isAnswering(url)); i++) await sleep(20)
  }
  await start()
  return {
    url,
    start,
    kill,
    freeze: () => server?.kill('SIGSTOP'),
    thaw: () => server?.kill('SIGCONT'),
    async remove() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function isAnswering(url: string): Promise<boolean> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.ping()) === 'PONG'
  } catch {
    return false
  } finally {
    client.disconnect()
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('a listening server has a port')
  return address.port
}
