// Shared by commands: common options, and examples below the help.
import { type Command, InvalidArgumentError } from 'commander'

export const JSON_OPTION = ['--json', 'print one line of JSON, for scripts'] as const

export const PASSWORD_STDIN_OPTION = [
  '--password-stdin',
  'read the password from the first line of standard input',
] as const

export function addExamples(command: Command, lines: readonly string[]): void {
  const title = lines.length === 1 ? 'Example' : 'Examples'
  command.addHelpText('after', `\n${title}:\n${lines.map((line) => `  $ ${line}`).join('\n')}`)
}

/** The options of a list that can be long. */
export interface ListOptions {
  json?: boolean
  limit?: number
  after?: string
}

export const LIMIT_OPTION = ['--limit <number>', 'list at most this many', readLimit] as const

export function readLimit(text: string): number {
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (limit < 1) throw new InvalidArgumentError('Use a whole number, at least 1.')
  return limit
}

export function readId(text: string): string {
  if (!/^\d{1,18}$/.test(text)) throw new InvalidArgumentError('Use an id, which is a number.')
  return text
}
