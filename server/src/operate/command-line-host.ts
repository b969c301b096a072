// Implements what the command line can do with this instance: the contract in `cli/cli-host.ts`.

import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import type { Source } from '@bowerbird/engines/source.ts'
import { ALL_SOURCES } from '@bowerbird/engines/sources/all.ts'
import type { CliHost, ConfigurationReport, ProviderReport, SourceReport } from '../cli/cli-host.ts'
import { checkHealth } from '../cli/health.ts'
import { openAccess, openDatabase } from '../compose/stores.ts'
import { readEnvironment } from '../config/environment.ts'
import { VERSION } from '../config/version.ts'
import { createLog } from '../log.ts'
import { migrate } from '../postgres/migrations.ts'
import { makeUsagePartitions } from '../postgres/usage-partitions.ts'
import type { SlotBinding } from '../search/slots.ts'
import { type ReadConfiguration, readConfiguration, requireConfiguration } from '../settings/configuration.ts'
import { diagnose } from './doctor/diagnose.ts'
import { engineCommands } from './engine-commands-host.ts'
import { serve } from './serve.ts'

/** Commands print their own output, so only errors are logged. */
const COMMAND_LOG_LEVEL = 'error'

/** `argv` may contain `--env-file`. */
export function commandLineHost(argv: readonly string[], own: NodeJS.ProcessEnv, demo: CliHost['demo']): CliHost {
  const { env, mistakes } = readEnvironment(argv, own)
  const read = readConfiguration(env, mistakes)
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    dataFolder: read.dataFolder,
    publicUrl: read.publicUrl,
    version: VERSION,
    describeConfiguration: () => describe(read),
    ...engineCommands(env, read),
    checkHealth: () => checkHealth(env),
    diagnose: () => diagnose(read),
    openAccess: () => openAccess(requireConfiguration(read), createLog(COMMAND_LOG_LEVEL)),
    async migrate() {
      const database = await openDatabase(requireConfiguration(read), createLog(COMMAND_LOG_LEVEL))
      try {
        return await database.withoutTimeout(async (db) => {
          const ran = await migrate(db)
          await makeUsagePartitions(db, Date.now())
          return ran
        })
      } finally {
        await database.close()
      }
    },
    serve: () => serve(argv, own),
    demo,
  }
}

function describe({ verdict, dataFolder, slots, shown, hidden }: ReadConfiguration): ConfigurationReport {
  const missingOf = new Map(hidden.map(({ slug, missing }) => [slug, missing]))
  const isSet = (name: string) => shown.some(({ env, isDefault }) => env === name && !isDefault)
  return {
    settings: shown,
    mistakes: verdict.ok ? [] : [...verdict.mistakes],
    slots: [...slots].map(([name, binding]) => ({ name, providers: providersOf(binding, missingOf) })),
    sources: ALL_SOURCES.map((source) => sourceReport(source, missingOf)),
    storage: {
      database: isSet('DATABASE_URL') ? 'PostgreSQL' : `built-in PostgreSQL (PGlite) in ${dataFolder}`,
      shared: isSet('REDIS_URL') ? 'Redis' : 'in memory: run only one process, or set REDIS_URL',
    },
  }
}

function providersOf(binding: SlotBinding, missingOf: Map<string, string[]>): ProviderReport[] {
  const slugs = [...new Set(Object.values(binding).flat())]
  return slugs.map((slug) => {
    const missing = missingOf.get(slug) ?? []
    const tabs = Object.entries(binding).filter(([, bound]) => bound.includes(slug))
    const engine = ALL_ENGINES.find((candidate) => candidate.slug === slug)
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
