// A real Apertium server with one pair of languages, from Debian's packages, which are installed if they are missing.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import { endWithTest } from './end-with-test.ts'
import { eventually } from './eventually.ts'

const run = promisify(execFile)

/** The name of the package and of the program in it. */
const APY = 'apertium-apy'
const PACKAGES = [APY, 'apertium-eng-spa']
const START_MS = 20_000
/** Below the ports that the system gives away by itself. */
const PORTS = { from: 10_000, to: 29_000 }

export interface RealApertium {
  url: string
  stop: () => Promise<void>
}

export async function startRealApertium(): Promise<RealApertium> {
  await install()
  const port = await freePortInRange()
  const names = ['-l', '/usr/share/apertium-apy/langNames.db']
  const child = endWithTest(
    spawn(APY, ['-p', String(port), ...names, '-j', '1', '/usr/share/apertium'], { stdio: 'ignore' }),
  )
  const url = `http://127.0.0.1:${port}`
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill()
    await ended
  }
  const answers = () =>
    fetch(`${url}/listPairs`).then(
      ({ ok }) => ok,
      () => false,
    )
  if (await eventually(answers, START_MS)) return { url, stop }
  await stop()
  throw new Error('Apertium did not start')
}

async function install(): Promise<void> {
  const isThere = await run('dpkg', ['-s', ...PACKAGES]).then(
    () => true,
    () => false,
  )
  if (isThere) return
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const command = ['install', '-y', '-qq', '--no-install-recommends', ...PACKAGES]
  await run('apt-get', command, { env }).catch(async () => {
    await run('apt-get', ['update', '-qq'], { env })
    await run('apt-get', command, { env })
  })
}

async function freePortInRange(): Promise<number> {
  for (;;) {
    const port = PORTS.from + Math.floor(Math.random() * (PORTS.to - PORTS.from))
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, () => resolve(true))
    })
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
