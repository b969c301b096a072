// A password comes from the terminal, asked twice, or from standard input. Never from the command line: arguments are
// seen by every user of the machine and stay in the history of the shell.
import { isCancel, password } from '@clack/prompts'
import type { Command } from 'commander'
import { Refusal } from '../errors.ts'
import type { CliHost } from './cli-host.ts'

/** Longer than any password that is accepted: what exceeds it is refused for its length. */
const MOST_BYTES = 8_192

export async function readPassword(host: CliHost, fromStdin: boolean, command: Command): Promise<string> {
  if (fromStdin) return await readLine(host)
  if (host.stdin.isTTY) return await askTwice(host)
  return command.error(
    'error: there is no terminal to ask for the password. Write it to standard input and add --password-stdin',
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
  if (line === '') throw new Refusal(400, { password: ['Standard input has no password on its first line.'] })
  return line
}

/** The questions go to standard error: standard output is for the result. */
async function askTwice({ stdin, stderr }: CliHost): Promise<string> {
  const streams = { input: stdin, output: stderr }
  const first = await password({
    ...streams,
    message: 'Password',
    validate: (text) => (text ? undefined : 'Type a password.'),
  })
  if (isCancel(first)) throw cancelled()
  const second = await password({
    ...streams,
    message: 'The same again',
    validate: (text) => (text === first ? undefined : 'This is not what you typed first.'),
  })
  if (isCancel(second)) throw cancelled()
  return second
}

const cancelled = () => new Refusal(409, 'Cancelled. Nothing was changed.')
