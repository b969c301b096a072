// The command line: its commands, its help, and how a failure is reported. Exit codes: 0 for success, 1 if a command
// was refused or failed, 2 for wrong usage.
import { Command, CommanderError } from 'commander'
import { type FieldMessages, Refusal, type RefusalBody } from '../errors.ts'
import { addBackupCommands } from './backup-commands.ts'
import type { CliHost } from './cli-host.ts'
import { print } from './command-parts.ts'
import { addEngineCommands } from './engine-commands.ts'
import { addDoctorCommand, addInstanceCommands } from './instance-commands.ts'
import { addKeyCommands } from './key-commands.ts'
import { addMcpCommand } from './mcp-command.ts'
import { addSecretCommand } from './settings-commands.ts'
import { addAuditCommand, addUserCommands } from './user-commands.ts'

const HELP_WIDTH = 100

const FIRST_STEPS = `
First steps:
  $ bowerbird demo                            try it, on simulated engines
  $ bowerbird config                          what is on, what is hidden, and why
  $ bowerbird doctor                          what is wrong, and what to do
  $ bowerbird engines                         which engines there are
  $ bowerbird serve                           run the instance
  $ bowerbird user create alice --admin       an account ...
  $ bowerbird key create alice --name laptop  ... and its first key

Each command explains itself: bowerbird help key, bowerbird key create --help.
For scripts: --json prints one line of JSON; an error is {"error": ...}, the last line on standard error.
Exit codes: 0 done, 1 refused or failed, 2 the command line was wrong.`

export function createProgram(host: CliHost): Command {
  const program = new Command('bowerbird')
    .description(
      'Bowerbird is a self-hosted metasearch service: one key-authenticated JSON API in front of many search engines. This command runs and administers an instance. Settings come from the environment and from a file of settings. You can manage accounts and keys while the instance is running.',
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void host.stdout.write(text),
      writeErr: (text) => void host.stderr.write(text),
      // `runCli` prints all errors, as text or JSON.
      outputError: () => undefined,
      getOutHelpWidth: () => HELP_WIDTH,
      getErrHelpWidth: () => HELP_WIDTH,
    })
    .addHelpText('after', FIRST_STEPS)
    // Read by `config/environment.ts` before the command line is parsed; declared here for the help.
    .option('--env-file <path>', 'read settings from this file; .env in the working folder by default')
  if (host.version) program.version(host.version, '--version', 'print the version')
  addInstanceCommands(program, host)
  addUserCommands(program, host)
  addKeyCommands(program, host)
  addAuditCommand(program, host)
  addSecretCommand(program, host)
  addMcpCommand(program, host)
  addBackupCommands(program, host)
  addDoctorCommand(program, host)
  addEngineCommands(program, host)
  return program
}

/** `argv` is everything after the name of the command. Returns the exit code. */
export async function runCli(argv: readonly string[], host: CliHost): Promise<number> {
  // A reader that has seen enough (`| head`) closes the pipe; the failed write reports that as well.
  host.stdout.on('error', () => undefined)
  try {
    await createProgram(host).parseAsync([...argv], { from: 'user' })
    return 0
  } catch (error) {
    return await reportFailure(error, argv, host.stderr)
  }
}

/** Prints why a command failed. Returns the exit code. */
export async function reportFailure(
  error: unknown,
  argv: readonly string[],
  stderr: CliHost['stderr'],
): Promise<number> {
  if (isClosedPipe(error)) return 0
  if (error instanceof CommanderError && !isUsageMistake(error)) return exitCodeOf(error)
  await print(stderr, argv.includes('--json') ? `${JSON.stringify({ error: toBody(error) })}\n` : toText(error))
  return error instanceof CommanderError ? 2 : 1
}

const isClosedPipe = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EPIPE'

/** Commander also ends help and version with an error, after printing them. */
const isUsageMistake = ({ code }: CommanderError): boolean =>
  !['commander.help', 'commander.helpDisplayed', 'commander.version', 'bowerbird.mistakes'].includes(code)

/** Commander prints help unasked if the command is missing; that is wrong usage. */
const exitCodeOf = ({ code, exitCode }: CommanderError): number => (code === 'commander.help' ? 2 : exitCode)

function toBody(error: unknown): RefusalBody {
  if (error instanceof Refusal) return isDetail(error.body) ? error.body : toOptions(error.body)
  return { detail: error instanceof CommanderError ? describeUsage(error).replace(/^error: /, '') : describe(error) }
}

function toText(error: unknown): string {
  if (error instanceof CommanderError) return `${describeUsage(error)}\nFor help, run: bowerbird --help\n`
  if (!(error instanceof Refusal)) return `bowerbird: ${describe(error)}\n${isBug(error) ? `${error.stack}\n` : ''}`
  if (isDetail(error.body)) return `${error.body.detail}\n`
  return Object.entries(toOptions(error.body))
    .flatMap(([field, messages]) =>
      messages.map((message) => `${ARGUMENTS.has(field) ? '' : '--'}${field}: ${message}\n`),
    )
    .join('')
}

/** Services name fields after columns; operators know them by the names of options. */
const OPTIONS: Record<string, string> = { expires_at: 'expires', grace_seconds: 'grace' }
const ARGUMENTS = new Set(['username', 'password', 'key'])

const toOptions = (fields: FieldMessages): FieldMessages =>
  Object.fromEntries(Object.entries(fields).map(([field, messages]) => [OPTIONS[field] ?? field, messages]))

const isDetail = (body: RefusalBody): body is { detail: string } => typeof body['detail'] === 'string'

/** Surplus arguments are not repeated, because one of them may have been meant as a password. */
const describeUsage = ({ message }: CommanderError): string => message.replace(/(but got \d+): .*/s, '$1.')

/** A connection that fails at several addresses has no message of its own, only a code. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  return error.message || ('code' in error ? `failed with ${String(error.code)}` : error.name)
}

const isBug = (error: unknown): error is Error =>
  error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError
