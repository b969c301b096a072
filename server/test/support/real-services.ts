// Services that people run at home, from Debian's packages, set up and filled with two or three pages.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endWithWorker } from './end-with-worker.ts'
import { eventually } from './eventually.ts'
import { onFreePort } from './on-free-port.ts'

export interface RealService {
  url: string
  stop: () => Promise<void>
}

const START_MS = 30_000
const MEDIAWIKI = '/usr/share/mediawiki'
/** 48 by 48 black pixels: a library must have a picture. */
const ICON = 'iVBORw0KGgoAAAANSUhEUgAAADAAAAAwAQAAAAB/ecQqAAAADUlEQVR42mNgGAXUBAABUAABNLg62QAAAABJRU5ErkJggg=='

const newFolder = (name: string): string => mkdtempSync(join(tmpdir(), `${name}-`))

/** A library in English with a page for each title. */
export function startKiwix(pages: Readonly<Record<string, string>>): Promise<RealService> {
  const folder = newFolder('kiwix')
  const html = join(folder, 'html')
  mkdirSync(html)
  writeFileSync(join(html, 'icon.png'), Buffer.from(ICON, 'base64'))
  for (const [title, text] of Object.entries(pages)) {
    const page = `<!doctype html><html lang="en"><title>${title}</title><p>${text}</p></html>`
    writeFileSync(join(html, `${title.toLowerCase().replaceAll(' ', '-')}.html`), page)
  }
  const [welcome = ''] = Object.keys(pages)
  const library = join(folder, 'house_en.zim')
  const about = ['--language=eng', '--title=House', '--description=The house', '--creator=Ada', '--publisher=Ada']
  const files = [
    `--welcome=${welcome.toLowerCase().replaceAll(' ', '-')}.html`,
    '--illustration=icon.png',
    html,
    library,
  ]
  execFileSync('zimwriterfs', ['--name=house_en', ...about, ...files], { stdio: 'ignore' })
  return onFreePort((port) =>
    started(spawn('kiwix-serve', ['--port', String(port), library], { stdio: 'ignore' }), port),
  )
}

/** One wiki with a page for each title, twice: open to all, and closed to everyone but its members. */
export async function startMediaWikis(
  pages: Readonly<Record<string, string>>,
): Promise<Record<'open' | 'closed', RealService>> {
  const folder = newFolder('mediawiki')
  const settings = join(folder, 'LocalSettings.php')
  const place = ['--dbtype=sqlite', `--dbpath=${folder}`, '--dbname=house', '--scriptpath=', `--confpath=${folder}`]
  runPhp('install', [...place, '--server=http://127.0.0.1', '--pass=correct-horse-battery', 'House', 'Ada'])
  for (const [title, text] of Object.entries(pages)) runPhp('edit', ['-u', 'Ada', title], { settings, input: text })
  appendFileSync(settings, "\n$wgServer = 'http://' . $_SERVER['HTTP_HOST'];\n")
  const closed = join(folder, 'closed.php')
  writeFileSync(closed, `${readFileSync(settings, 'utf8')}$wgGroupPermissions['*']['read'] = false;\n`)
  return { open: await serveMediaWiki(settings), closed: await serveMediaWiki(closed) }
}

function runPhp(script: string, args: readonly string[], { settings = '', input = '' } = {}): void {
  const env = { ...process.env, ...(settings !== '' && { MW_CONFIG_FILE: settings }) }
  execFileSync('php', [`${MEDIAWIKI}/maintenance/${script}.php`, ...args], {
    env,
    input,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
}

const serveMediaWiki = (settings: string): Promise<RealService> =>
  onFreePort((port) => {
    const env = { ...process.env, MW_CONFIG_FILE: settings }
    return started(spawn('php', ['-S', `127.0.0.1:${port}`, '-t', MEDIAWIKI], { env, stdio: 'ignore' }), port)
  })

async function started(child: ChildProcess, port: number): Promise<RealService> {
  const ended = new Promise<void>((resolve) => endWithWorker(child).once('exit', () => resolve()))
  const url = `http://127.0.0.1:${port}`
  const stop = async () => {
    child.kill()
    await ended
  }
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  const answers = () =>
    fetch(`${url}/nothing-here`, { redirect: 'manual' }).then(
      () => true,
      () => false,
    )
  const hasStarted = await eventually(async () => isOver() || (await answers()), START_MS)
  if (hasStarted && !isOver()) return { url, stop }
  await stop()
  throw new Error(`${child.spawnfile} did not start`)
}
