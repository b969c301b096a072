// A private PostgreSQL in a temporary folder, which tests can stop and start.
// The server refuses to run as root, so it runs as the user `postgres` that Debian's package created.
import { execFile, execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onFreePort } from './on-free-port.ts'

const run = promisify(execFile)

export interface PrivatePostgres {
  url: string
  start: () => Promise<void>
  /** Stops it immediately, as if it had crashed. */
  stop: () => Promise<void>
  /** Freezes all of its processes: it accepts connections and never answers. */
  freeze: () => Promise<void>
  thaw: () => void
  /** Stops it and removes its files. */
  remove: () => Promise<void>
}

export async function startPrivatePostgres(): Promise<PrivatePostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'bb-postgres-'))
  const binaries = globSync('/usr/lib/postgresql/*/bin').at(-1)
  if (!binaries) throw new Error('PostgreSQL is not installed')
  const asRoot = process.getuid?.() === 0
  if (asRoot) await chown(folder, idOf('-u'), idOf('-g'))
  const command = (name: string, ...args: string[]) =>
    asRoot ? run('runuser', ['-u', 'postgres', '--', join(binaries, name), ...args]) : run(join(binaries, name), args)

  await command('initdb', '-D', folder, '-A', 'trust', '-U', 'postgres', '--no-sync')
  const startOn = async (port: number) => {
    const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=200`
    await command('pg_ctl', 'start', '-w', '-D', folder, '-l', join(folder, 'log'), '-o', options)
  }
  const stop = async () => {
    await command('pg_ctl', 'stop', '-w', '-m', 'immediate', '-D', folder)
  }
  let frozen: number[] = []
  const port = await onFreePort(async (port) => {
    await startOn(port)
    return port
  })
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start: () => startOn(port),
    stop,
    async freeze() {
      const pid = Number((await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n')[0])
      const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
      frozen = [pid, ...children.trim().split(' ').map(Number)]
      for (const pid of frozen) signal(pid, 'SIGSTOP')
    },
    thaw() {
      for (const pid of frozen) signal(pid, 'SIGCONT')
    },
    async remove() {
      await stop().catch(() => 'it was stopped already')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Ignores a process that has just exited with its connection. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

const idOf = (which: '-u' | '-g'): number => Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }))
