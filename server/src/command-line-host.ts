// What the command line may do with this instance: the root's side of the contract in `cli/cli-host.ts`.
import { API_VERSION } from './api/openapi.ts'
import type { CliHost, ConfigurationReport, ProviderReport, SourceReport } from './cli/cli-host.ts'
import { type Configuration, type ReadConfiguration, readConfiguration } from './configuration.ts'
import { startDemo, welcome } from './demo.ts'
import { ALL_ENGINES } from './engines/all.ts'
import { Refusal } from './errors.ts'
import { createLog } from './log.ts'
import { startInstance, untilSignal } from './main.ts'
import type { SlotBinding } from './search/slots.ts'
import { openAccess, openDatabase } from './services.ts'
import { ALL_SOURCES } from './providers/sources/all.ts'
import type { Source } from './providers/source.ts'
import { migrate } from './storage/migrations.ts'

/** A command is not a server: what it has to say, it says itself. */
const COMMAND_LOG_LEVEL = 'error'

export function commandLineHost(env: NodeJS.ProcessEnv): CliHost {
  const read = readConfiguration(env)
  const { configuration } = read
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    dataFolder: configuration.dataFolder,
    publicUrl: configuration.publicUrl || undefined,
    version: API_VERSION,
    describeConfiguration: () => describe(read),
    openAccess: () => openAccess(withoutMistakes(read), createLog(COMMAND_LOG_LEVEL)),
    async migrate() {
      const database = await openDatabase(withoutMistakes(read), createLog(COMMAND_LOG_LEVEL))
      try {
        return await migrate(database.db)
      } finally {
        await database.close()
      }
    },
    async serve() {
      const instance = await startInstance(withoutMistakes(read), createLog(configuration.logLevel))
      const signalled = untilSignal()
      process.stdout.write(`Bowerbird listens at ${instance.url}\n`)
      const token = await instance.services.accounts.firstRun.issueToken()
      const address = configuration.publicUrl || instance.url
      if (token) process.stdout.write(`Create the first account at ${address}/setup?token=${token}\n`)
      await signalled
      await instance.close()
    },
    async demo({ port, json }) {
      // Before the start: whoever ends it early must not leave its temporary folder behind.
      const signalled = untilSignal()
      const { close, ...facts } = await startDemo({ port })
      process.stdout.write(json ? `${JSON.stringify(facts)}\n` : welcome(facts))
      await signalled
      await close()
    },
  }
}

function withoutMistakes({ configuration, mistakes }: ReadConfiguration): Configuration {
  if (mistakes.length === 0) return configuration
  const list = mistakes.map(({ env, message }) => `  ${env} ${message}`).join('\n')
  throw new Refusal(400, `The configuration has mistakes:\n${list}`)
}

function describe({ configuration, mistakes, shown, hidden }: ReadConfiguration): ConfigurationReport {
  const missingOf = new Map(hidden.map(({ slug, missing }) => [slug, missing]))
  const { databaseUrl, redisUrl, dataFolder } = configuration
  return {
    settings: shown,
    mistakes,
    slots: [...configuration.slots].map(([name, binding]) => ({ name, providers: providersOf(binding, missingOf) })),
    sources: ALL_SOURCES.map((source) => sourceReport(source, missingOf)),
    storage: {
      database: databaseUrl ? 'PostgreSQL' : `PostgreSQL in this process (PGlite), in ${dataFolder}`,
      shared: redisUrl ? 'Redis' : 'in this process: run one process only, or set REDIS_URL',
    },
  }
}

function providersOf(binding: SlotBinding, missingOf: Map<string, string[]>): ProviderReport[] {
  const slugs = [...new Set(Object.values(binding).flat())]
  return slugs.map((slug) => {
    const missing = missingOf.get(slug) ?? []
    const tabs = Object.entries(binding).filter(([, bound]) => bound.includes(slug))
    return {
      slug,
      name: ALL_ENGINES.find((engine) => engine.slug === slug)?.name ?? slug,
      tabs: tabs.map(([tab]) => tab),
      state: missing.length > 0 ? 'hidden' : 'on',
      missing,
    }
  })
}

/** A public server that is only for those who say who they are is there for those who do. */
function sourceReport(source: Source, missingOf: Map<string, string[]>): SourceReport {
  const { slug, name, group, identifiedUrl } = source
  const missing = missingOf.get(slug) ?? []
  const state = missing.length > 0 ? 'hidden' : missingOf.has(slug) ? 'off' : 'on'
  return { slug, name, group, state, missing, instead: state === 'hidden' && identifiedUrl ? 'OPERATOR_CONTACT' : null }
}
