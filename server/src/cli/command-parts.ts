// What commands have in common: options of one meaning, and examples under the help.
import type { Command } from 'commander'

export const JSON_OPTION = ['--json', 'print one line of JSON, for scripts'] as const

export const PASSWORD_STDIN_OPTION = [
  '--password-stdin',
  'read the password from the first line of standard input',
] as const

export function addExamples(command: Command, lines: readonly string[]): void {
  const title = lines.length === 1 ? 'Example' : 'Examples'
  command.addHelpText('after', `\n${title}:\n${lines.map((line) => `  $ ${line}`).join('\n')}`)
}
