// Reads a password from the terminal, asking twice, or from standard input. Never from the command line: arguments are
// visible to every user of the machine and stay in the shell history.
import { isCancel, password } from '@clack/prompts'
import type { Command } from 'commander'
import { Refusal } from '../errors.ts'
import type { CliHost } from './cli-host.ts'

/** Longer than any accepted password; anything beyond this is refused for its length. */
const MOST_BYTES = 8_192

export async function readPassword(host: CliHost, fromStdin: boolean, command: Command): Promise<string> {
  if (fromStdin) return await readLine(host)
  if (host.stdin.isTTY) return await askTwice(host)
  return command.error(
    'error: no terminal to prompt for the password. Pipe it to standard input and add --password-stdin',
  )
}

async function readLine({ stdin }: CliHost): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk)
    chunks.push(bytes)
    size += bytes.length
    if (bytes.includes('\n') || size > MOST_BYTES) break
  }
  const [line = ''] = Buffer.concat(chunks).toString('utf8', 0, MOST_BYTES).split(/\r?\n/, 1)
  if (line === '')
    throw new Refusal(400, { password: ['The first line of standard input is empty. Put the password there.'] })
  return line
}

/** Prompts go to standard error, because standard output is for the result. */
async function askTwice({ stdin, stderr }: CliHost): Promise<string> {
  const streams = { input: stdin, output: stderr }
  const first = await password({
    ...streams,
    message: 'Password',
    validate: (text) => (text ? undefined : 'Enter a password.'),
  })
  if (isCancel(first)) throw cancelled()
  const second = await password({
    ...streams,
    message: 'Confirm password',
    validate: (text) => (text === first ? undefined : 'The passwords do not match.'),
  })
  if (isCancel(second)) throw cancelled()
  return second
}

const cancelled = () => new Refusal(409, 'Cancelled. Nothing was changed.')
