// The commands on the pages that tell people how to install, upgrade and restore: tests run the `sh` blocks that readers
// copy. A comment in front of each block, invisible on the page, names the test that runs it, or says why none does:
//
//   <!-- run: install-container -->
//   <!-- not run here: it needs an SSH server -->
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { endWithWorker } from './end-with-worker.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const execute = promisify(execFile)
const DONE = '-- the block is done --'
/** Blocks are sourced into one shell, as if typed into one terminal: variables and folders last. */
const READ_BLOCKS = `set -eo pipefail; while read -r file; do . "$file" </dev/null; printf '\\n%s\\n' '${DONE}'; done`

export interface PageBlock {
  heading: string
  line: number
  commands: string
  /** The test that runs it. */
  runBy: string | undefined
  /** Why no test does. */
  notRun: string | undefined
}

/** Every `sh` block of a page. */
export function shellBlocks(page: string): PageBlock[] {
  const text = readFileSync(resolve(ROOT, page), 'utf8')
  const blocks = text.matchAll(/^( *)(?:<!-- (run|not run here): (.+?) -->\n *)?```sh\n(.*?)\n *```$/gms)
  return [...blocks].map(({ index, 1: indent = '', 2: kind, 3: said, 4: commands = '' }) => ({
    heading:
      text
        .slice(0, index)
        .match(/^#+ .+$/gm)
        ?.at(-1)
        ?.replace(/^#+ /, '') ?? '',
    line: text.slice(0, index).split('\n').length,
    commands: commands.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    runBy: kind === 'run' ? said : undefined,
    notRun: kind === 'not run here' ? said : undefined,
  }))
}

/** The blocks that a test runs, in the order of the page. */
export const blocksRunBy = (page: string, test: string): PageBlock[] =>
  shellBlocks(page).filter(({ runBy }) => runBy === test)

export interface PageShell {
  /** Returns what the commands printed. Fails with that if one of them fails. */
  run: (commands: string) => Promise<string>
  close: () => Promise<void>
}

export interface PageShellOptions {
  cwd: string
  env: Record<string, string>
  /** What is different here from a reader's machine. */
  replacements?: Record<string, string>
  /** A command that runs the shell, such as `unshare`. */
  within?: readonly string[]
}

export async function openPageShell({
  cwd,
  env,
  replacements = {},
  within = [],
}: PageShellOptions): Promise<PageShell> {
  const folder = await mkdtemp(join(tmpdir(), 'bb-page-'))
  const [command, ...args] = [...within, 'bash', '-c', `exec 2>&1; ${READ_BLOCKS}`] as const
  const child = endWithWorker(spawn(command, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'inherit'] }))
  const exited = once(child, 'exit')
  const lines = createInterface(child.stdout)
  let printed: string[] = []
  let blocks = 0
  return {
    async run(commands) {
      const file = join(folder, `block-${blocks++}`)
      const replaced = Object.entries(replacements).reduce((text, [from, to]) => text.replaceAll(from, to), commands)
      await writeFile(file, `${replaced}\n`)
      printed = []
      const { promise: done, resolve: finish } = Promise.withResolvers<void>()
      const collect = (line: string) => void (line === DONE ? finish() : printed.push(line))
      lines.on('line', collect)
      child.stdin.write(`${file}\n`)
      const failed = exited.then(([code]) => {
        throw new Error(`exit code ${code} of:\n${replaced}\n\n${printed.join('\n')}`)
      })
      try {
        await Promise.race([done, failed])
      } finally {
        lines.off('line', collect)
      }
      return printed.join('\n')
    },
    async close() {
      child.stdin.end()
      // Ends what the commands have left in the background, even if the shell itself has ended. Fails if nothing is left.
      await execute('pkill', ['--pgroup', String(child.pid)]).catch(() => undefined)
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}
