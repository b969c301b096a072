// A real Apertium server with one language pair, from Debian's packages. Where they are not installed, tests that need
// them are skipped.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { endWithWorker } from './end-with-worker.ts'
import { eventually } from './eventually.ts'
import { onFreePort } from './on-free-port.ts'

/** The name of the package and of its program. */
const APY = 'apertium-apy'
const MODES = '/usr/share/apertium'
const PAIR = join(MODES, 'modes/eng-spa.mode')
const START_MS = 20_000

export interface RealApertium {
  url: string
  stop: () => Promise<void>
}

/** Prints a note where it is not installed. */
export function isApertiumInstalled(): boolean {
  const isInPath = (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, APY)))
  if (isInPath && existsSync(PAIR)) return true
  process.stderr.write('Skipped: no Apertium here. To run this, apt-get install apertium-apy apertium-eng-spa.\n')
  return false
}

export const startRealApertium = (): Promise<RealApertium> => onFreePort(startOn)

async function startOn(port: number): Promise<RealApertium> {
  const names = ['-l', '/usr/share/apertium-apy/langNames.db']
  const child = endWithWorker(spawn(APY, ['-p', String(port), ...names, '-j', '1', MODES], { stdio: 'ignore' }))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = `http://127.0.0.1:${port}`
  const stop = async () => {
    child.kill()
    await ended
  }
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  const answers = () =>
    fetch(`${url}/listPairs`).then(
      ({ ok }) => ok,
      () => false,
    )
  const hasStarted = await eventually(async () => isOver() || (await answers()), START_MS)
  if (hasStarted && !isOver()) return { url, stop }
  await stop()
  throw new Error('Apertium did not start')
}
