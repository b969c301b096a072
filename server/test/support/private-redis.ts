// A Redis of the test's own on a free port: nothing is shared with other tests, and it may be stopped, frozen and started.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { endWithTest } from './end-with-test.ts'
import { freePort } from './free-port.ts'

export interface PrivateRedis {
  url: string
  port: number
  start: () => Promise<void>
  stop: () => Promise<void>
  /** Stops the world: the server accepts connections and never answers. */
  freeze: () => void
  thaw: () => void
}

export async function startPrivateRedis(): Promise<PrivateRedis> {
  const port = await freePort()
  let server: ChildProcess | undefined

  const start = async () => {
    server = endWithTest(
      spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']),
    )
    for await (const chunk of server.stdout ?? []) {
      if (String(chunk).includes('Ready to accept connections')) break
    }
    server.stdout?.resume()
  }
  const stop = async () => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    server.kill('SIGKILL')
    await once(server, 'exit')
  }
  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    start,
    stop,
    freeze: () => server?.kill('SIGSTOP'),
    thaw: () => server?.kill('SIGCONT'),
  }
}
