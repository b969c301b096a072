// Implements `bowerbird engines`: what it reads from the configuration, and the one call that it makes.

import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { TABS, type Tab } from '@bowerbird/engines/engine.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { priceOf } from '../budget/provider-budget.ts'
import type { CliHost, EngineTrial } from '../cli/cli-host.ts'
import { openClients } from '../compose/providers.ts'
import { readWritten } from '../config/environment.ts'
import { Refusal } from '../errors.ts'
import { type BoundSlots, coverageOf } from '../search/coverage.ts'
import { catalogueOf } from '../search/engine-catalogue.ts'
import type { BoundEngine } from '../search/plan.ts'
import { type TrialReport, tryEngine } from '../search/try-engine.ts'
import { type Configuration, type ReadConfiguration, requireConfiguration } from '../settings/configuration.ts'
import { type ConfiguredEngine, PROVIDER_SETTINGS, readEngines } from '../settings/provider-configuration.ts'

/** Longer than a search waits, because a trial should show how long a slow engine takes. */
const PATIENCE_MS = 15_000

export function engineCommands(
  env: NodeJS.ProcessEnv,
  read: ReadConfiguration,
): Pick<CliHost, 'listEngines' | 'coverage' | 'tryEngine'> {
  return {
    listEngines: () => catalogueOf(boundSlots(read)),
    coverage: (question) => coverageOf(boundSlots(read), question),
    tryEngine: (trial) => tryConfigured(requireConfiguration(read), configuredEngine(env, trial.slug), trial),
  }
}

const boundSlots = ({ slots, hidden }: Pick<ReadConfiguration, 'slots' | 'hidden'>): BoundSlots => ({
  engines: ALL_ENGINES,
  slots,
  missingOf: new Map(hidden.map(({ slug, missing }) => [slug, missing])),
})

/** Reads an engine's settings; it need not be bound to a slot. */
function configuredEngine(env: NodeJS.ProcessEnv, slug: string): ConfiguredEngine {
  const { providers, hidden } = readEngines(
    readWritten(env, (name) => PROVIDER_SETTINGS.has(name)),
    [slug],
  )
  const [lacking] = hidden
  if (lacking) throw new Refusal(400, `${slug} needs ${lacking.missing.join(' and ')}, which is not set.`)
  const engine = providers.get(slug)
  if (!engine) throw new Refusal(400, `There is no engine ${slug}. To list them, run: bowerbird engines.`)
  return engine
}

/** Prevents a retry: only one call was counted. */
const noSecondCall = () => Promise.reject(new UpstreamError('unreachable', 'The connection broke.'))

/** Validates before it counts and calls, so that a mistake costs nothing. */
async function tryConfigured(
  configuration: Configuration,
  configured: ConfiguredEngine,
  { text, tab: wanted, lang, safe, count }: EngineTrial,
): Promise<TrialReport> {
  const { engine, settings, budget } = configured
  const tab = tabOf(configured, wanted)
  const query = { text: text.slice(0, 500), page: 1, safe, date: undefined, lang, now: Date.now() }
  const { priceFactor = engine.tabs[tab]?.priceFactor ?? 1 } = engine.tabs[tab]?.request(query, settings) ?? {}
  const micros = priceOf(budget.pricePerCallMicros, priceFactor)
  if (micros > 0) await count(micros)
  const client = openClients({ ...configured, addressOf: engine.addressOf }, configuration, 1)
  const deadline = createDeadline(PATIENCE_MS)
  const ask: BoundEngine['ask'] = async (request, until, readReply) =>
    readReply(await client.ask(request, until, noSecondCall))
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
  const own = TABS.filter((tab) => tab in engine.tabs)
  const tab = wanted === undefined ? own[0] : own.find((candidate) => candidate === wanted)
  if (tab) return tab
  const serves = own.length === 0 ? 'only suggestions' : `only ${own.join(', ')}`
  throw new Refusal(400, `${engine.slug} serves ${serves}.`)
}
