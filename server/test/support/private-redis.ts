// A Redis of the test's own on a free port: nothing is shared with other tests, and it may be stopped, frozen and started.
// It keeps nothing by itself; what a test saves is there again when it is started anew.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  /** Stops it and forgets what was saved. */
  remove: () => Promise<void>
}

export async function startPrivateRedis(): Promise<PrivateRedis> {
  const port = await freePort()
  const snapshot = `bb-redis-${port}.rdb`
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', tmpdir(), '--dbfilename', snapshot]
  const options = place.concat('--save', '', '--appendonly', 'no')
  let server: ChildProcess | undefined

  const start = async () => {
    server = endWithTest(spawn('redis-server', options))
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
    async remove() {
      await stop()
      await rm(join(tmpdir(), snapshot), { force: true })
    },
  }
}
