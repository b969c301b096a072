// The commands about the instance itself: serve, demo, migrate, config, health and doctor.
import { type Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import type { ShownSetting } from '../config/setting-types.ts'
import type { CliHost, ConfigurationReport, DemoOptions, Finding, ProviderReport, ProviderState } from './cli-host.ts'
import { addExamples, alignLines, JSON_OPTION, printResult } from './command-parts.ts'
import { addSettingsCommands, type ReadSettings, readStored } from './settings-commands.ts'

export function addInstanceCommands(program: Command, host: CliHost): void {
  const serve = program
    .command('serve')
    .summary('run the instance')
    .description(
      'Run the instance until it is stopped (Ctrl-C, SIGTERM). Settings come from the environment and from .env.',
    )
    .action(() => host.serve())
  addExamples(serve, ['bowerbird serve', 'HOST=0.0.0.0 PORT=80 bowerbird serve'])

  const demo = program
    .command('demo')
    .summary('run a complete instance on simulated engines')
    .description(
      'Run a complete instance on simulated engines, with its own user and API key. No network, database or provider key needed.',
    )
    .addOption(new Option('--host <address>', 'address to listen on').env('HOST').default('127.0.0.1'))
    .addOption(new Option('--port <number>', 'port to listen on').env('PORT').argParser(readPort).default(8080))
    .option('--engine <slug>', 'also query this engine, as engine_d')
    .option(...JSON_OPTION)
    .action(({ json = false, ...options }: Omit<DemoOptions, 'json'> & { json?: boolean }) =>
      host.demo({ ...options, json }),
    )
  addExamples(demo, [
    'bowerbird demo',
    'bowerbird demo --engine kagi',
    'bowerbird demo --host 0.0.0.0',
    'bowerbird demo --port 18080 --json',
  ])

  const migrate = program
    .command('migrate')
    .summary('bring the database up to date')
    .description(
      'Bring the database schema up to date with this version, and create the partitions for a year of usage. Every start migrates too, if its role may; run it yourself to choose when it happens, or as another role.',
    )
    .option(...JSON_OPTION)
    .action(async ({ json = false }: { json?: boolean }) => {
      const ran = await host.migrate()
      const lines = ran.length === 0 ? ['The database is up to date.'] : ran.map((name) => `Applied: ${name}`)
      await printResult(host, json, { value: { ran }, lines })
    })
  addExamples(migrate, ['bowerbird migrate', 'DATABASE_URL=postgres://… bowerbird migrate --json'])

  addConfig(program, host)
  addHealth(program, host)
}

function addHealth(program: Command, host: CliHost): void {
  const health = program
    .command('health')
    .summary('ask the instance on this machine whether it is ready')
    .description(
      'Ask the instance that runs on this machine, at ADMIN_PORT or else at PORT, whether it is ready. The exit code is 1 if it is not. Container images run this as their health check.',
    )
    .action(async () => {
      const { isReady, sentence } = await host.checkHealth()
      await printResult(host, false, { value: null, lines: [sentence] })
      if (!isReady) throw new CommanderError(1, 'bowerbird.mistakes', '')
    })
  addExamples(health, ['bowerbird health', 'PORT=8081 bowerbird health'])
}

function addConfig(program: Command, host: CliHost): void {
  const config = program
    .command('config')
    .summary('show what is on, what is hidden, and why')
    .description(
      'Show what this instance would run with: storage, which engines and data sources are on or hidden and why, every setting and where it comes from, and every mistake. Secrets are shown only as set or not set. The exit code is 1 if there is a mistake.',
    )
    .option(...JSON_OPTION)
    .action(async ({ json = false }: { json?: boolean }) => {
      const stored = await readStored(host)
      const report = host.describeConfiguration(stored.values)
      const { unreadable, failure } = stored
      const value = { ...presentReport(report), keys_to_set_again: unreadable, database_not_read: failure }
      await printResult(host, json, { value, lines: [...describeReport(report), ...describeStored(stored)] })
      // The mistakes are already printed; only the exit code is left.
      if (report.mistakes.length > 0) throw new CommanderError(1, 'bowerbird.mistakes', '')
    })
  addExamples(config, ['bowerbird config', 'ENGINE_A=mojeek bowerbird config', 'bowerbird config --json'])
  addSettingsCommands(config, host)
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw new InvalidArgumentError('It must be a whole number from 0 to 65535.')
}

const presentReport = ({ settings, ...report }: ConfigurationReport) => ({
  ...report,
  settings: settings.map(({ env, shown, origin }) => ({ env, shown, origin })),
})

function describeReport({ storage, slots, sources, settings, mistakes }: ConfigurationReport): string[] {
  const engines = slots.flatMap(({ name, providers }) =>
    providers.length === 0
      ? [[name, '(no provider)']]
      : providers.map((provider) => [name, provider.name, provider.tabs.join(' '), describeEngine(provider)]),
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
          'Mistakes to fix before the instance can start',
          mistakes.map(({ env, message }) => [env, message]),
        )),
  ]
}

function describeSetting({ shown, origin }: ShownSetting): string {
  if (shown === '' || shown === 'not set') return 'not set'
  return `${shown} (${origin})`
}

const describeStored = ({ unreadable, failure }: ReadSettings): string[] => [
  ...(unreadable.length > 0
    ? [`Encrypted with another secret, and to be set again with bowerbird config set: ${unreadable.join(', ')}.`]
    : []),
  ...(failure === null ? [] : [`Only the environment was read, not the settings in the database: ${failure}`]),
]

/** Operators should know who gets to see what their users search for. */
const describeEngine = (provider: ProviderReport): string =>
  provider.hasNoContract && provider.state === 'on'
    ? 'on; without a contract, this company receives queries, their language and filters, and this server’s address'
    : describeState(provider)

const describeState = ({ state, missing }: ProviderState, instead: string | null = null): string =>
  state !== 'hidden' ? state : `hidden: ${missing.join(' and ')}${instead === null ? '' : ` or ${instead}`} not set`

const section = (title: string, lines: string[][]): string[] => [
  title,
  ...alignLines(lines).map((line) => `  ${line}`),
  '',
]

export function addDoctorCommand(program: Command, host: CliHost): void {
  const doctor = program
    .command('doctor')
    .summary('check everything the instance depends on')
    .description(
      'Check the settings, the database and its rights, Redis and its eviction policy, clocks, disk space, proxies and providers, and say what to do. It changes nothing, and calls only providers that cost nothing. The exit code is 1 if something is broken.',
    )
    .option(...JSON_OPTION)
    .action(async ({ json = false }: { json?: boolean }) => {
      const findings = await host.diagnose((await readStored(host, true)).values)
      const isHealthy = findings.every(({ state }) => state !== 'broken')
      await printResult(host, json, { value: { healthy: isHealthy, findings }, lines: describeFindings(findings) })
      if (!isHealthy) throw new CommanderError(1, 'bowerbird.mistakes', '')
    })
  addExamples(doctor, ['bowerbird doctor', 'bowerbird doctor --json | jq \'.findings[] | select(.state == "broken")\''])
}

const countOf = (count: number, noun: string): string =>
  count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`

function describeFindings(findings: readonly Finding[]): string[] {
  const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length
  const [broken, warnings] = [count('broken'), count('warning')]
  const counts = [countOf(broken, 'problem'), countOf(warnings, 'warning')].filter(Boolean)
  const total = counts.length === 0 ? 'Everything is fine.' : `${counts.join(', ')}.`
  return [
    ...alignLines(
      findings.map(({ state, about, detail, advice }) => [state, about, [detail, advice].filter(Boolean).join(' ')]),
    ),
    '',
    total,
  ]
}
