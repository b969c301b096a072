// A private Redis, shared with no other test, which can be stopped, frozen and started. It persists nothing by itself;
// what a test saves is loaded when it is started again.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { endWithWorker } from './end-with-worker.ts'
import { eventually } from './eventually.ts'
import { onFreePort } from './on-free-port.ts'

const SYNCED_MS = 20_000

export interface PrivateRedis {
  url: string
  port: number
  /** With other options this time, if given. */
  start: (...options: string[]) => Promise<void>
  stop: () => Promise<void>
  /** Suspends it: the server accepts connections and never answers. */
  freeze: () => void
  thaw: () => void
  /** Makes it a replica of `master` and waits until it is in sync; without one, makes it a master again. */
  replicate: (master: PrivateRedis | undefined) => Promise<void>
  /** Stops it and deletes what was saved. */
  remove: () => Promise<void>
}

export const startPrivateRedis = (optionsAt: (port: number) => string[] = () => []): Promise<PrivateRedis> =>
  onFreePort(async (port) => {
    const redis = createPrivateRedis(port, optionsAt(port))
    await redis.start()
    return redis
  })

function createPrivateRedis(port: number, given: string[]): PrivateRedis {
  const snapshot = `bb-redis-${port}.rdb`
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', tmpdir(), '--dbfilename', snapshot]
  const options = place.concat('--save', '', '--appendonly', 'no', '--repl-diskless-sync-delay', '0', ...given)
  let server: ChildProcess | undefined

  const stop = async () => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    server.kill('SIGKILL')
    await once(server, 'exit')
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    async start(...own) {
      server = endWithWorker(spawn('redis-server', [...options, ...own]))
      await untilReady(server)
    },
    stop,
    freeze: () => server?.kill('SIGSTOP'),
    thaw: () => server?.kill('SIGCONT'),
    async replicate(master) {
      const client = new Redis(port)
      try {
        await (master ? client.replicaof('127.0.0.1', master.port) : client.replicaof('NO', 'ONE'))
        const isLinked = async () => (await client.info('replication')).includes('master_link_status:up')
        if (master && !(await eventually(isLinked, SYNCED_MS))) throw new Error('the replica did not synchronize')
      } finally {
        client.disconnect()
      }
    },
    async remove() {
      await stop()
      await rm(join(tmpdir(), snapshot), { force: true })
    },
  }
}

async function untilReady(server: ChildProcess): Promise<void> {
  let said = ''
  for await (const chunk of server.stdout ?? []) {
    said += String(chunk)
    if (!said.includes('Ready to accept connections')) continue
    server.stdout?.resume()
    return
  }
  throw new Error(`Redis did not start: ${said}`)
}
