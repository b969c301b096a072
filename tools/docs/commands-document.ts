// Renders docs/reference/commands.md from the help of each command.
import type { Command } from 'commander'
import { hostWith } from '../../server/src/cli/command-line.test-harness.ts'
import { createProgram } from '../../server/src/cli/program.ts'

interface DocumentedCommand {
  /** With the names of the commands that it belongs to. */
  name: string
  depth: number
  summary: string
  help: string
}

/** As commander writes summaries: in lower case, without a full stop. */
const firstSentence = (text: string): string => {
  const [sentence = ''] = text.split(/\.(?: |$)/)
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}

/** A command and those below it, in the order of the help. */
function commandsBelow(command: Command, parents: readonly string[], readHelp: (of: Command) => string) {
  const names = [...parents, command.name()]
  const found: DocumentedCommand[] = command.commands.flatMap((child) => commandsBelow(child, names, readHelp))
  const { length: depth } = names
  const summary = firstSentence(command.summary() || command.description())
  found.unshift({ name: names.join(' '), depth, summary, help: readHelp(command) })
  return found
}

function readCommands(): DocumentedCommand[] {
  const { host, stdout } = hostWith()
  const readHelp = (command: Command): string => {
    stdout.text = ''
    command.outputHelp()
    return stdout.text.trimEnd()
  }
  return commandsBelow(createProgram(host), [], readHelp)
}

const anchorOf = (name: string): string => name.replaceAll(' ', '-')

const section = ({ name, depth, help }: DocumentedCommand): string =>
  `${'#'.repeat(Math.max(2, depth))} ${name}\n\n\`\`\`text\n${help}\n\`\`\``

export function makeCommandsDocument(): string {
  const commands = readCommands()
  const list = commands.slice(1).map(({ name, summary }) => `| [\`${name}\`](#${anchorOf(name)}) | ${summary} |`)
  return `# Commands

\`bowerbird\` runs and administers an instance. \`npm run docs\` generates this page from the help of each command, which \`--help\` prints too.

Commands work while the instance is running. With \`DATABASE_URL\`, they talk to PostgreSQL. Without it, they go through a socket in the data
folder that only the same system user can open, or open the folder directly if no instance is running.

Passwords are never an argument, because other users of the machine can see arguments: you're prompted twice, or the password is read from the
first line of standard input. Commands that take a key accept its prefix, its id or the full key.

| command | what it does |
|---|---|
${list.join('\n')}

${commands.map(section).join('\n\n')}
`
}
