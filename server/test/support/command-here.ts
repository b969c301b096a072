// `bowerbird <args>` in the test's own process, with the program's own host: all of a command but the start of Node.js,
// which takes almost two seconds. `server-process.ts` has the real one.
import { hostWith, typed } from '../../src/cli/command-line.test-harness.ts'
import { runCli } from '../../src/cli/program.ts'
import { commandLineHost } from '../../src/operate/command-line-host.ts'
import type { CommandResult } from './server-process.ts'

export async function runCommandHere(
  args: string[],
  settings: Record<string, string>,
  input = '',
): Promise<Omit<CommandResult, 'lingeredMs'>> {
  const { stdout, stderr } = hostWith()
  const demo = () => Promise.reject(new Error('a demo has its own process'))
  const host = { ...commandLineHost(args, settings, demo), ...typed(input), stdout, stderr }
  return { code: await runCli(args, host), stdout: stdout.text, stderr: stderr.text }
}
