// The commands about the instance itself: serve, demo, migrate and config.
import { type Command, CommanderError, InvalidArgumentError } from 'commander'
import type { ShownSetting } from '../config/environment-reader.ts'
import type { CliHost, ConfigurationReport, ProviderState } from './cli-host.ts'
import { addExamples, JSON_OPTION } from './command-parts.ts'
import { printResult } from './output.ts'
import { alignLines } from './table.ts'

export function addInstanceCommands(program: Command, host: CliHost): void {
  const serve = program
    .command('serve')
    .summary('run the instance')
    .description('Run the instance until it is asked to stop (Ctrl-C, SIGTERM). Settings come from the environment.')
    .action(() => host.serve())
  addExamples(serve, ['bowerbird serve', 'HOST=0.0.0.0 PORT=80 bowerbird serve'])

  const demo = program
    .command('demo')
    .summary('run a whole instance on simulated engines')
    .description(
      'Run a whole instance on simulated engines, with a user and a key made for it. It needs no network, no database and no provider key.',
    )
    .option('--port <number>', 'where to listen', readPort, 8080)
    .option(...JSON_OPTION)
    .action(({ port, json = false }: { port: number; json?: boolean }) => host.demo({ port, json }))
  addExamples(demo, ['bowerbird demo', 'bowerbird demo --port 18080 --json'])

  const migrate = program
    .command('migrate')
    .summary('bring the database up to date')
    .description(
      'Bring the database to the form this version needs. Every start does the same; this is for doing it at a moment of your choice.',
    )
    .option(...JSON_OPTION)
    .action(async ({ json = false }: { json?: boolean }) => {
      const ran = await host.migrate()
      const lines = ran.length === 0 ? ['The database is up to date.'] : ran.map((name) => `Done: ${name}`)
      await printResult(host.stdout, { json, value: { ran }, lines })
    })
  addExamples(migrate, ['bowerbird migrate', 'DATABASE_URL=postgres://… bowerbird migrate --json'])

  addConfig(program, host)
}

function addConfig(program: Command, host: CliHost): void {
  const config = program
    .command('config')
    .summary('show what is on, what is hidden, and why')
    .description(
      'Show what this instance would run with: storage, engines and data sources that are on or hidden and why, every setting, every mistake. Secrets are only said to be set or not. Exit code 1 when there is a mistake.',
    )
    .option(...JSON_OPTION)
    .action(async ({ json = false }: { json?: boolean }) => {
      const report = host.describeConfiguration()
      await printResult(host.stdout, { json, value: presentReport(report), lines: describeReport(report) })
      // The mistakes have been told; only the exit code is left to say.
      if (report.mistakes.length > 0) throw new CommanderError(1, 'bowerbird.mistakes', '')
    })
  addExamples(config, ['bowerbird config', 'ENGINE_A=mojeek bowerbird config', 'bowerbird config --json'])
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw new InvalidArgumentError('It must be a whole number from 0 to 65535.')
}

const presentReport = ({ settings, ...report }: ConfigurationReport) => ({
  ...report,
  settings: settings.map(({ env, shown, isDefault }) => ({ env, shown, is_default: isDefault })),
})

function describeReport({ storage, slots, sources, settings, mistakes }: ConfigurationReport): string[] {
  const engines = slots.flatMap(({ name, providers }) =>
    providers.length === 0
      ? [[name, '(nothing bound)']]
      : providers.map((provider) => [name, provider.name, provider.tabs.join(' '), describeState(provider)]),
  )
  return [
    ...section('Storage', [
      ['accounts, keys, usage', storage.database],
      ['limits, cache, health', storage.shared],
    ]),
    ...section('Engines', engines),
    ...section(
      'Data sources',
      sources.map((source) => [source.name, source.group, describeState(source, source.instead)]),
    ),
    ...section(
      'Settings',
      settings.map((setting) => [setting.env, describeSetting(setting)]),
    ),
    ...(mistakes.length === 0
      ? ['No mistakes.']
      : section(
          'Mistakes, to be put right before the instance starts',
          mistakes.map(({ env, message }) => [env, message]),
        )),
  ]
}

function describeSetting({ shown, isDefault }: ShownSetting): string {
  if (shown === '' || shown === 'not set') return 'not set'
  return isDefault ? `${shown} (default)` : shown
}

const describeState = ({ state, missing }: ProviderState, instead: string | null = null): string =>
  state !== 'hidden' ? state : `hidden: ${missing.join(' and ')}${instead === null ? '' : ` or ${instead}`} not set`

const section = (title: string, lines: string[][]): string[] => [
  title,
  ...alignLines(lines).map((line) => `  ${line}`),
  '',
]
