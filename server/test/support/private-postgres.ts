// A PostgreSQL of the test's own, in a temporary folder on a free port, that may be stopped and started.
// The server refuses to run as root, so it runs as the user `postgres` that Debian's package made.
import { execFile, execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'

const run = promisify(execFile)

export interface PrivatePostgres {
  url: string
  start: () => Promise<void>
  stop: () => Promise<void>
  /** Stops it and removes its files. */
  remove: () => Promise<void>
}

export async function startPrivatePostgres(): Promise<PrivatePostgres> {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'bb-postgres-'))
  const binaries = globSync('/usr/lib/postgresql/*/bin').at(-1)
  if (!binaries) throw new Error('PostgreSQL is not installed')
  const asRoot = process.getuid?.() === 0
  if (asRoot) await chown(folder, idOf('-u'), idOf('-g'))
  const command = (name: string, ...args: string[]) =>
    asRoot ? run('runuser', ['-u', 'postgres', '--', join(binaries, name), ...args]) : run(join(binaries, name), args)

  await command('initdb', '-D', folder, '-A', 'trust', '-U', 'postgres', '--no-sync')
  const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=200`
  const start = async () => {
    await command('pg_ctl', 'start', '-w', '-D', folder, '-l', join(folder, 'log'), '-o', options)
  }
  const stop = async () => {
    await command('pg_ctl', 'stop', '-w', '-m', 'immediate', '-D', folder)
  }
  await start()
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start,
    stop,
    async remove() {
      await stop().catch(() => 'it was stopped already')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const idOf = (which: '-u' | '-g'): number => Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }))
