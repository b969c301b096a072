// The programs that `npm run compat-clients` tries, and how: each with the lines of its page in docs/connect/, and with what it can
// show without a language model.
import { execFile } from 'node:child_process'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { programsFor } from '../../server/src/site/docs/program-lines.ts'

/** Where a program is installed, and what it is pointed at. */
export interface Place {
  folder: string
  url: string
  key: string
}

export interface Program {
  name: string
  /** Its package and the version that docs/connect/ speaks of. */
  install: string
  /** Each shows one thing, in a few words; one that cannot be shown throws. */
  tries: Record<string, (place: Place) => Promise<string>>
}

const PATIENCE_MS = 120_000
const execute = promisify(execFile)

/** In a home of its own: neither the settings of whoever runs this are read, nor are they changed. */
async function run({ folder }: Place, command: string, args: readonly string[]): Promise<string> {
  const home = join(folder, 'home')
  const quiet = { NO_COLOR: '1', DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' }
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    ...quiet,
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  }
  const running = execute(command, [...args], { cwd: home, env, timeout: PATIENCE_MS })
  running.child.stdin?.end()
  const { stdout, stderr } = await running
  return stdout + stderr
}

const binary = ({ folder }: Place, name: string): string => join(folder, 'node_modules/.bin', name)

/** The file or command that a program's page shows. */
function linesOf({ url, key }: Place, slug: string): string {
  const program = programsFor(url, true, key).find((known) => known.slug === slug)
  if (!program) throw new Error(`docs/connect/ has no page for ${slug}`)
  return program.lines
}

async function configure(place: Place, slug: string, file: string): Promise<void> {
  const path = join(place.folder, 'home', file)
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, linesOf(place, slug))
}

function requireLine(output: string, pattern: RegExp): string {
  const line = stripVTControlCharacters(output)
    .split('\n')
    .find((text) => pattern.test(text))
  if (line === undefined) throw new Error(`said ${JSON.stringify(output.slice(-500))}`)
  return line
    .replace(/https?:\/\/\S+/, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The command as its page shows it, read as a shell would. */
const wordsOf = (command: string): string[] =>
  [...command.replaceAll('\\\n', ' ').matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')

const searchAsLibreChat = (provider: 'searxng' | 'tavily') => async (place: Place) => {
  const script = join(place.folder, 'librechat.mjs')
  await cp(join(import.meta.dirname, 'librechat.mjs'), script)
  const output = await run(place, process.execPath, [script, place.url, place.key, provider])
  const { links, read, error } = JSON.parse(/\{.*\}/.exec(output)?.[0] ?? '')
  if (error || links.length === 0) throw new Error(String(error ?? 'found nothing'))
  return `${links.length} results, ${read} pages read`
}

export const PROGRAMS: readonly Program[] = [
  {
    name: 'LibreChat',
    install: '@librechat/agents@3.9.2',
    tries: { SearXNG: searchAsLibreChat('searxng'), Tavily: searchAsLibreChat('tavily') },
  },
  {
    name: 'Claude Code',
    install: '@anthropic-ai/claude-code@2.1.325',
    tries: {
      'mcp list': async (place) => {
        const [, ...words] = wordsOf(linesOf(place, 'claude-code'))
        await run(place, binary(place, 'claude'), words)
        return requireLine(await run(place, binary(place, 'claude'), ['mcp', 'list']), /bowerbird.*✔/)
      },
    },
  },
  {
    name: 'Gemini CLI',
    install: '@google/gemini-cli@0.61.0',
    tries: {
      'mcp list': async (place) => {
        await configure(place, 'gemini-cli', '.gemini/settings.json')
        return requireLine(await run(place, binary(place, 'gemini'), ['mcp', 'list']), /bowerbird.*Connected/)
      },
    },
  },
  {
    name: 'opencode',
    install: 'opencode-ai@1.18.33',
    tries: {
      'mcp list': async (place) => {
        await configure(place, 'opencode', 'opencode.json')
        return requireLine(await run(place, binary(place, 'opencode'), ['mcp', 'list']), /bowerbird.*connected/)
      },
    },
  },
]
