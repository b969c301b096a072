// A private PgBouncer, in transaction mode unless told otherwise, with few connections, so that they change hands all the time.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { endWithWorker } from './end-with-worker.ts'
import { onFreePort } from './on-free-port.ts'

export interface PrivatePgBouncer {
  /** Without a database. */
  url: string
  stop: () => Promise<void>
}

/** Starts one in front of the server at this address. All clients are `user` there. */
export async function startPrivatePgBouncer(
  server: string,
  user: string,
  mode: 'transaction' | 'statement' = 'transaction',
): Promise<PrivatePgBouncer> {
  const { hostname, port: serverPort } = new URL(server)
  const folder = await mkdtemp(join(tmpdir(), 'bb-pgbouncer-'))
  await chmod(folder, 0o755)
  const start = async (port: number): Promise<PrivatePgBouncer> => {
    const file = join(folder, 'pgbouncer.ini')
    const settings = [
      '[databases]',
      `* = host=${hostname} port=${serverPort || 5432} user=${user}`,
      '[pgbouncer]',
      `listen_addr = 127.0.0.1`,
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      `pool_mode = ${mode}`,
      'default_pool_size = 3',
      'max_client_conn = 500',
    ]
    await writeFile(file, `${settings.join('\n')}\n`)
    // It refuses to run as root.
    const asRoot = process.getuid?.() === 0
    const child = endWithWorker(spawn('pgbouncer', [...(asRoot ? ['-u', 'postgres'] : []), file]))
    const ended = once(child, 'exit')
    const isUp = (async () => {
      for await (const line of createInterface(child.stderr)) if (line.includes('process up')) return true
      return false
    })()
    if (!(await isUp)) throw new Error('PgBouncer did not start')
    child.stderr.resume()
    return {
      url: `postgres://${user}@127.0.0.1:${port}`,
      async stop() {
        child.kill('SIGINT')
        await ended
        await rm(folder, { recursive: true, force: true })
      },
    }
  }
  return await onFreePort(start)
}
