// Checks that providers answer, with one free call to each, all in parallel. Skips providers whose calls cost money or
// count against a budget.

import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { type EngineQuery, type ProviderReply, type ProviderRequest, TABS } from '@bowerbird/engines/engine.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import type { Finding } from '../../cli/cli-host.ts'
import { userAgentOf } from '../../compose/providers.ts'
import type { Configuration } from '../../settings/configuration.ts'
import type { ConfiguredEngine, ConfiguredSource } from '../../settings/provider-configuration.ts'
import { openProviderClient } from '../../upstream/provider-client.ts'
import { isBroken, isDoubtful, isFine, isUntried } from './finding.ts'

const CALL_MS = 5_000
const QUERY = 'bowerbird'

export function checkProviders(configuration: Configuration): Promise<Finding[]> {
  const { engines, sources } = configuration
  return Promise.all([
    ...[...engines.values()].map((engine) => checkEngine(engine, configuration)),
    ...[...sources.values()].map((source) => checkSource(source, configuration)),
  ])
}

interface Call {
  request: ProviderRequest
  parse: (reply: ProviderReply) => unknown
}

interface Checked {
  name: string
  configured: ConfiguredEngine | ConfiguredSource
  /** undefined: it can't be called without a query. */
  call: Call | undefined
}

async function checkEngine(configured: ConfiguredEngine, configuration: Configuration): Promise<Finding> {
  const { engine, settings } = configured
  const tab = TABS.map((name) => engine.tabs[name]).find(Boolean)
  const query: EngineQuery = { text: QUERY, page: 1, safe: false, date: undefined, lang: '', now: Date.now() }
  const suggest = engine.suggest
  const call = tab
    ? { request: tab.request(query, settings), parse: (reply: ProviderReply) => tab.parse(reply, query) }
    : suggest && {
        request: suggest.request({ text: QUERY, lang: '' }, settings),
        parse: (reply: ProviderReply) => suggest.parse(reply),
      }
  return await check({ name: engine.name, configured, call }, configuration)
}

async function checkSource(configured: ConfiguredSource, configuration: Configuration): Promise<Finding> {
  const { source, settings } = configured
  const { probe } = source
  const call = probe && {
    request: probe.request(null, settings),
    parse: (reply: ProviderReply) => probe.parse(reply, { query: null, now: Date.now() }),
  }
  return await check({ name: source.name, configured, call }, configuration)
}

async function check({ name, configured, call }: Checked, configuration: Configuration): Promise<Finding> {
  const about = `Provider ${name}`
  const { budget, settings, isTrustedAddress } = configured
  if (budget.pricePerCallMicros > 0) return isUntried(about, 'Its calls cost money.')
  if (budget.callsPerMonth !== undefined || budget.microsPerMonth !== undefined)
    return isUntried(about, 'It has a budget.')
  if (!call) return isUntried(about, 'There is nothing to ask it without a query.')
  const { maxReplyBytes } = configuration
  const userAgent = userAgentOf(configuration)
  const client = openProviderClient({ baseUrl: settings.baseUrl ?? '', isTrustedAddress, userAgent, maxReplyBytes })
  const deadline = createDeadline(CALL_MS)
  try {
    call.parse(await client.ask(call.request, deadline, () => Promise.resolve()))
    return isFine(about, 'It answers.')
  } catch (error) {
    return judgeFailure(about, error)
  } finally {
    deadline.cancel()
    await client.close()
  }
}

/** The instance works without a provider, so only what the operator has to fix counts as broken. */
function judgeFailure(about: string, error: unknown): Finding {
  const kind = error instanceof UpstreamError ? error.kind : 'malformed'
  if (kind === 'rejected') return isBroken(about, 'It refuses us.', 'Check its key and settings: bowerbird config.')
  if (kind === 'blocked')
    return isBroken(about, 'Its address is a private one.', 'Set its URL yourself if that is intended.')
  if (kind === 'throttled') return isDoubtful(about, 'It wants fewer calls.', 'Set a lower <NAME>_PACE for it.')
  const advice = 'Check that this machine can reach it, and look again later.'
  return isDoubtful(about, `It did not answer as it should (${kind}).`, advice)
}
