// A private Tinyproxy, from Debian's package, that connects from an address of its own. Where it is not installed, tests
// that need it are skipped.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { PROXY_ADDRESS } from './connect-proxy.ts'
import { endWithWorker } from './end-with-worker.ts'
import { eventually } from './eventually.ts'
import { onFreePort } from './on-free-port.ts'

export interface PrivateTinyproxy {
  /** Without credentials. */
  url: string
  /** The hosts that it was asked to connect to, each with its port, in order. */
  asked: () => Promise<string[]>
  stop: () => Promise<void>
}

/** Prints a note where it is not installed. */
export function isTinyproxyInstalled(): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  if (folders.some((folder) => existsSync(join(folder, 'tinyproxy')))) return true
  process.stderr.write('Skipped: no Tinyproxy here. To run this, apt-get install tinyproxy.\n')
  return false
}

export async function startPrivateTinyproxy(user: string, password: string): Promise<PrivateTinyproxy> {
  const folder = await mkdtemp(join(tmpdir(), 'bb-tinyproxy-'))
  const logFile = join(folder, 'tinyproxy.log')
  const start = async (port: number): Promise<PrivateTinyproxy> => {
    const file = join(folder, 'tinyproxy.conf')
    const settings = [
      `Port ${port}`,
      'Listen 127.0.0.1',
      `Bind ${PROXY_ADDRESS}`,
      `BasicAuth ${user} ${password}`,
      `LogFile "${logFile}"`,
      'LogLevel Connect',
      'MaxClients 200',
      'Timeout 60',
    ]
    await writeFile(file, `${settings.join('\n')}\n`)
    await writeFile(logFile, '')
    const child = endWithWorker(spawn('tinyproxy', ['-d', '-c', file], { stdio: 'ignore' }))
    const ended = once(child, 'exit')
    const isOver = () => child.exitCode !== null || child.signalCode !== null
    const hasStarted = await eventually(async () => isOver() || (await accepts(port)), 10_000)
    const stop = async () => {
      child.kill()
      await ended
      await rm(folder, { recursive: true, force: true })
    }
    if (!hasStarted || isOver()) throw new Error('Tinyproxy did not start')
    return {
      url: `http://127.0.0.1:${port}`,
      async asked() {
        const log = await readFile(logFile, 'utf8')
        return [...log.matchAll(/Request \(file descriptor \d+\): CONNECT (\S+) HTTP/g)].map((match) => match[1] ?? '')
      },
      stop,
    }
  }
  return await onFreePort(start)
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
