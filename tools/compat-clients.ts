// Programs that are too large to install for every test run, tried by hand: `npm run compat-clients [-- name [folder]]`. Each is
// installed into its own folder, pointed at a demo with the lines of docs/connect/, and asked for what it can show
// without a language model. Prints a table of what it showed and what it asked the instance for; a folder that is given
// is kept, and not installed into again. Installing them all takes 1.2 GB and several minutes.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { startDemo } from '../server/src/demo/demo.ts'
import { PROGRAMS, type Program } from './compat-programs/programs.ts'
import { startRecordingProxy } from './compat-programs/recording-proxy.ts'

const [, , pattern = '', given] = process.argv
const run = promisify(execFile)

async function install({ name, install: wanted }: Program, base: string): Promise<string> {
  const folder = join(base, name.toLowerCase().replaceAll(' ', '-'))
  // Without the settings of an earlier run.
  await rm(join(folder, 'home'), { recursive: true, force: true })
  await mkdir(join(folder, 'home'), { recursive: true })
  if (existsSync(join(folder, 'node_modules'))) return folder
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  await run('npm', ['install', '--no-audit', '--no-fund', '--legacy-peer-deps', wanted], { cwd: folder })
  return folder
}

const base = given === undefined ? await mkdtemp(join(tmpdir(), 'bowerbird-compat-clients-')) : resolve(given)
const demo = await startDemo({ port: 0 })
const proxy = await startRecordingProxy(demo.url)
const rows: string[] = []
try {
  for (const program of PROGRAMS.filter(({ name }) => name.toLowerCase().includes(pattern.toLowerCase()))) {
    const folder = await install(program, base)
    for (const [what, attempt] of Object.entries(program.tries)) {
      const outcome = await attempt({ folder, url: proxy.url, key: demo.key }).catch((error: unknown) => {
        process.exitCode = 1
        return `failed: ${error instanceof Error ? error.message : String(error)}`
      })
      rows.push(`| ${program.name} | ${program.install} | ${what} | ${outcome} | ${proxy.take().join(', ')} |`)
    }
  }
} finally {
  proxy.close()
  await demo.close()
  if (given === undefined) await rm(base, { recursive: true, force: true })
}
const head = ['| program | package | tried | what it showed | what it asked for |', '|---|---|---|---|---|']
process.stdout.write(`${[...head, ...rows].join('\n')}\n`)
