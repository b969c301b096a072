// Implements what the command line can do with this instance: the contract in `cli/cli-host.ts`.

import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { type Engine, TABS, type Tab } from '@bowerbird/engines/engine.ts'
import type { Source } from '@bowerbird/engines/source.ts'
import { ALL_SOURCES } from '@bowerbird/engines/sources/all.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { priceOf } from '../budget/provider-budget.ts'
import type {
  CheckedEngine,
  CliHost,
  ConfigurationReport,
  EngineTrial,
  ProviderReport,
  SourceReport,
  StoredValues,
} from '../cli/cli-host.ts'
import { checkHealth } from '../cli/health.ts'
import { systemUserOf } from '../cli/system-user.ts'
import { openClients } from '../compose/providers.ts'
import { openAccess, openDatabase } from '../compose/stores.ts'
import { addStored, readEnvironment, readWritten } from '../config/environment.ts'
import { VERSION } from '../config/version.ts'
import { Refusal } from '../errors.ts'
import { createLog } from '../log.ts'
import { type BoundSlots, catalogueOf } from '../search/engine-catalogue.ts'
import type { BoundEngine } from '../search/slots.ts'
import { type SlotBinding, withMine } from '../search/slots.ts'
import { type TrialReport, tryEngine } from '../search/try-engine.ts'
import {
  type Configuration,
  type ConfigurationResult,
  isInstanceSetting,
  readConfiguration,
  requireConfiguration,
} from '../settings/configuration.ts'
import { readEngineFile } from '../settings/own-engines.ts'
import { type ConfiguredEngine, readEngines, settingsOf } from '../settings/provider-configuration.ts'
import { actAsOwner } from '../store/data-folder-owner.ts'
import type { Database } from '../store/database.ts'
import { migrate } from '../store/migrations.ts'
import { makeUsagePartitions } from '../store/usage-partitions.ts'
import { diagnose } from './doctor/diagnose.ts'
import { describeData, explainNoDatabase } from './instance-data.ts'
import { rotateSecret } from './rotate-secret.ts'
import { serve } from './serve.ts'
import { explainStorageFailure } from './start-failure.ts'

/** Commands print their own output, so only errors are logged. */
const COMMAND_LOG_LEVEL = 'error'

/** `argv` may contain `--env-file`. */
export function commandLineHost(
  argv: readonly string[],
  processEnv: NodeJS.ProcessEnv,
  demo: CliHost['demo'],
): CliHost {
  const { env, mistakes } = readEnvironment(argv, processEnv)
  const read = readConfiguration(env, mistakes)
  const onData = createOnData(argv, read)
  const systemUser = systemUserOf(process.getuid?.(), processEnv['SUDO_USER'])
  const explain = (error: unknown): never => {
    throw explainStorageFailure(explainNoDatabase(error, isSet(read, 'DATA_DIR')), requireConfiguration(read))
  }
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    dataFolder: read.dataFolder,
    systemUser,
    publicUrl: read.publicUrl,
    version: VERSION,
    describeConfiguration: (stored) => describe(withStored(read, stored)),
    ...engineCommands(env, read),
    checkHealth: () => checkHealth(env),
    diagnose: (stored) => onData(() => diagnose(withStored(read, stored))),
    onData,
    openAccess: ({ mayCreate } = { mayCreate: false }) =>
      openAccess(requireConfiguration(read), createLog(COMMAND_LOG_LEVEL), mayCreate).catch(explain),
    rotateSecret: (given) => rotateSecret(requireConfiguration(read), { given, systemUser }).catch(explain),
    migrate: () =>
      onData(async () => {
        const database = await openDatabase(requireConfiguration(read), createLog(COMMAND_LOG_LEVEL)).catch(explain)
        try {
          return await database.withoutTimeout(migrateAhead).catch(explain)
        } finally {
          await database.close()
        }
      }),
    serve: () => serve(argv, processEnv),
    demo,
  }
}

/** Without a valid configuration it isn't known which data that would be, and the work reports the mistakes. */
function createOnData(argv: readonly string[], { verdict }: ConfigurationResult): CliHost['onData'] {
  let isNamed = false
  return async (work) => {
    if (!verdict.ok) return await work()
    const { databaseUrl, dataFolder } = verdict.value
    if (!isNamed) process.stderr.write(`${describeData(verdict.value)}\n`)
    isNamed = true
    const returnToCaller = databaseUrl === undefined ? await actAsOwner(dataFolder, argv) : () => undefined
    try {
      return await work()
    } finally {
      returnToCaller()
    }
  }
}

/** Also creates the partitions of the coming year, which a role without rights on the schema couldn't. */
async function migrateAhead(db: Database['db']): Promise<string[]> {
  const ran = await migrate(db)
  await makeUsagePartitions(db, Date.now())
  return ran
}

const isSet = ({ shown }: ConfigurationResult, name: string): boolean =>
  shown.some(({ env, origin }) => env === name && origin !== 'default')

/** Mistakes in the environment are reported without what the database says. */
const withStored = (read: ConfigurationResult, stored: StoredValues): ConfigurationResult =>
  read.verdict.ok ? read.verdict.value.withStored(stored) : read

/** The settings that each hidden provider lacks, by slug. */
const missingIn = ({ hidden }: Pick<ConfigurationResult, 'hidden'>): Map<string, string[]> =>
  new Map(hidden.map(({ slug, missing }) => [slug, missing]))

function describe(read: ConfigurationResult): ConfigurationReport {
  const { verdict, dataFolder, slots, mine, shown, allEngines } = read
  const missingOf = missingIn(read)
  return {
    settings: shown,
    mistakes: verdict.ok ? [] : [...verdict.mistakes],
    slots: [...withMine(slots, mine)].map(([name, binding]) => ({
      name,
      providers: providersOf(binding, missingOf, allEngines),
    })),
    sources: ALL_SOURCES.map((source) => sourceReport(source, missingOf)),
    storage: {
      database: isSet(read, 'DATABASE_URL') ? 'PostgreSQL' : `SQLite in ${dataFolder}`,
      shared: isSet(read, 'REDIS_URL') ? 'Redis' : 'in memory: run only one process, or set REDIS_URL',
    },
  }
}

function providersOf(
  binding: SlotBinding,
  missingOf: Map<string, string[]>,
  allEngines: readonly Engine[],
): ProviderReport[] {
  const slugs = [...new Set(Object.values(binding).flat())]
  return slugs.map((slug) => {
    const missing = missingOf.get(slug) ?? []
    const tabs = Object.entries(binding).filter(([, bound]) => bound.includes(slug))
    const engine = allEngines.find((candidate) => candidate.slug === slug)
    return {
      slug,
      name: engine?.name ?? slug,
      hasNoContract: engine?.hasNoContract === true,
      tabs: tabs.map(([tab]) => tab),
      state: missing.length > 0 ? 'hidden' : 'on',
      missing,
    }
  })
}

/** A public server that requires identification can also be turned on by setting OPERATOR_CONTACT. */
function sourceReport(source: Source, missingOf: Map<string, string[]>): SourceReport {
  const { slug, name, group, identifiedUrl } = source
  const missing = missingOf.get(slug) ?? []
  const state = missing.length > 0 ? 'hidden' : missingOf.has(slug) ? 'off' : 'on'
  return { slug, name, group, state, missing, instead: state === 'hidden' && identifiedUrl ? 'OPERATOR_CONTACT' : null }
}

/** `bowerbird engines`: what it reads from the configuration, and the one call that it makes. */
export function engineCommands(
  env: NodeJS.ProcessEnv,
  read: ConfigurationResult,
): Pick<CliHost, 'listEngines' | 'tryEngine' | 'checkEngineFile'> {
  return {
    listEngines: (stored) => catalogueOf(boundSlots(withStored(read, stored))),
    tryEngine: (trial, stored) => {
      const configuration = requireConfiguration(withStored(read, stored))
      const engine = engineCalled(trial.engine, configuration)
      // The settings of a stored document are never in the environment.
      const own = configuration.documents.has(engine.slug) ? {} : env
      return tryConfigured(configuration, configuredEngine(own, stored, engine), trial)
    },
    checkEngineFile: (path) => {
      const file = readEngineFile(path, new Set(), isInstanceSetting)
      return file.ok ? { ok: true, engine: describeEngine(file.engine) } : file
    },
  }
}

const boundSlots = (read: ConfigurationResult): BoundSlots => ({
  engines: read.allEngines,
  slots: withMine(read.slots, read.mine),
  missingOf: missingIn(read),
})

/** The engine of that name, or the one in that file. */
function engineCalled(name: string, { allEngines }: Configuration): Engine {
  if (/[/\\]|\.json$/.test(name)) {
    const file = readEngineFile(name, new Set(allEngines.map(({ slug }) => slug)), isInstanceSetting)
    if (file.ok) return file.engine
    throw new Refusal('parameter_invalid', file.mistakes.join('\n'))
  }
  const engine = allEngines.find(({ slug }) => slug === name)
  if (engine) return engine
  throw new Refusal('parameter_invalid', `There is no engine ${name}. To list them, run: bowerbird engines.`)
}

/** Reads an engine's settings; it need not be bound to a slot. */
function configuredEngine(env: NodeJS.ProcessEnv, stored: StoredValues, engine: Engine): ConfiguredEngine {
  const names = settingsOf([engine])
  const written = readWritten(env, (name) => names.has(name))
  // The configuration is valid, so only an engine that isn't bound can have mistakes. It's tried with what it has.
  const { providers, hidden } = readEngines(addStored(written, stored), [engine], () => undefined)
  const configured = providers.get(engine.slug)
  if (configured) return configured
  const missing = hidden.flatMap((provider) => provider.missing)
  throw new Refusal('parameter_invalid', `${engine.slug} needs ${missing.join(' and ')}, which is not set.`)
}

const describeEngine = ({ slug, name, isPrivate, tabs, suggest, settings }: Engine): CheckedEngine => ({
  slug,
  name,
  isPrivate: isPrivate === true,
  tabs: [...TABS.filter((tab) => tab in tabs), ...(suggest ? ['suggest'] : [])],
  address: settings.baseUrl.fallback ?? '',
  settings: Object.values(settings).map(({ env, isSecret, fallback }) => ({
    env,
    isSecret,
    isRequired: fallback === undefined,
  })),
})

/** Prevents a retry: only one call was counted. */
const noSecondCall = () => Promise.reject(new UpstreamError('unreachable', 'The connection broke.'))

/** Longer than a search waits, because a trial should show how long a slow engine takes. */
const TRIAL_MS = 15_000

/** Validates before it counts and calls, so that a mistake costs nothing. */
async function tryConfigured(
  configuration: Configuration,
  configured: ConfiguredEngine,
  { text, tab: wanted, lang, region, safe, count }: EngineTrial,
): Promise<TrialReport> {
  const { engine, settings, budget } = configured
  const tab = tabOf(configured, wanted)
  const query = { text: text.slice(0, 500), page: 1, safe, date: undefined, lang, region, now: Date.now() }
  const { priceFactor = engine.tabs[tab]?.priceFactor ?? 1 } = engine.tabs[tab]?.request(query, settings) ?? {}
  const micros = priceOf(budget.pricePerCallMicros, priceFactor)
  if (micros > 0) await count(engine.slug, micros)
  const client = openClients({ ...configured, addressOf: engine.addressOf }, configuration, 1)
  const deadline = createDeadline(TRIAL_MS)
  const ask: BoundEngine['ask'] = async (request, until, readReply) =>
    readReply(await client.send(request, until, noSecondCall))
  try {
    const report = await tryEngine({ engine, settings, ask }, { tab, query, deadline })
    if (!report) throw new Error('the engine has the tab, so there is a report')
    return report
  } finally {
    deadline.cancel()
    await client.close()
  }
}

function tabOf({ engine }: ConfiguredEngine, wanted: string | undefined): Tab {
  const served = TABS.filter((tab) => tab in engine.tabs)
  const tab = wanted === undefined ? served[0] : served.find((candidate) => candidate === wanted)
  if (tab) return tab
  const serves = served.length === 0 ? 'only suggestions' : `only ${served.join(', ')}`
  throw new Refusal('parameter_invalid', `${engine.slug} serves ${serves}.`)
}
