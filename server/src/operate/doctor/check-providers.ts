// Checks that providers answer, with one free call to each, all in parallel. Skips providers whose calls cost money or
// count against a budget.

import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { type EngineQuery, type ProviderReply, type ProviderRequest, TABS } from '@bowerbird/engines/engine.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import type { Finding } from '../../cli/cli-host.ts'
import { openClients } from '../../compose/providers.ts'
import type { Configuration } from '../../settings/configuration.ts'
import type { ConfiguredEngine, ConfiguredSource } from '../../settings/provider-configuration.ts'
import { broken, fine, untried, warning } from './finding.ts'

const CALL_MS = 5_000
const QUERY = 'bowerbird'

export async function checkProviders(configuration: Configuration): Promise<Finding[]> {
  const { engines, sources } = configuration
  const all = await Promise.all([
    ...[...engines.values()].map((engine) => check(engine, callOfEngine(engine), configuration)),
    ...[...sources.values()].map((source) => check(source, callOfSource(source), configuration)),
  ])
  const tried = all.filter(({ finding }) => finding.state !== 'not tried')
  if (tried.length < 2 || !tried.every(({ isUnreached }) => isUnreached)) return all.map(({ finding }) => finding)
  const proxyFault = tried.every(({ fromProxy }) => fromProxy !== undefined) ? tried[0]?.fromProxy : undefined
  const nothing =
    proxyFault === undefined
      ? broken('Providers', 'Nothing on the internet can be reached.', 'Check DNS, firewall or proxy.')
      : broken('Outgoing proxy', proxyFault, PROXY_ADVICE)
  return [nothing, ...all.filter(({ isUnreached }) => !isUnreached).map(({ finding }) => finding)]
}

interface Outcome {
  finding: Finding
  /** Whether no answer came back at all, which may have nothing to do with the provider. */
  isUnreached: boolean
  /** What the outgoing proxy answered, if it didn't connect. */
  fromProxy?: string | undefined
}

/** Undefined: it can't be called without a query. */
type Call = { request: ProviderRequest; parse: (reply: ProviderReply) => unknown } | undefined

function callOfEngine({ engine, settings }: ConfiguredEngine): Call {
  const tab = TABS.map((name) => engine.tabs[name]).find(Boolean)
  const query: EngineQuery = { text: QUERY, page: 1, safe: false, date: undefined, lang: '', now: Date.now() }
  if (tab) return { request: tab.request(query, settings), parse: (reply) => tab.parse(reply, query, settings) }
  const { suggest } = engine
  return (
    suggest && {
      request: suggest.request({ text: QUERY, lang: '' }, settings),
      parse: (reply) => suggest.parse(reply),
    }
  )
}

function callOfSource({ source: { probe }, settings }: ConfiguredSource): Call {
  return (
    probe && {
      request: probe.request(null, settings),
      parse: (reply) => probe.parse(reply, { query: null, now: Date.now() }),
    }
  )
}

async function check(
  configured: ConfiguredEngine | ConfiguredSource,
  call: Call,
  configuration: Configuration,
): Promise<Outcome> {
  const { name, addressOf } = 'engine' in configured ? configured.engine : configured.source
  const about = `Provider ${name}`
  const { budget } = configured
  const isPriceUnknown = 'engine' in configured && configured.engine.terms.isPriceUnknown === true
  if (budget.pricePerCallMicros > 0 || isPriceUnknown) return reached(untried(about, 'Its calls cost money.'))
  if (budget.callsPerMonth !== undefined || budget.microsPerMonth !== undefined)
    return reached(untried(about, 'It has a budget.'))
  if (!call) return reached(untried(about, 'There is nothing to ask it without a query.'))
  const client = openClients({ ...configured, addressOf }, configuration, 1)
  const deadline = createDeadline(CALL_MS)
  try {
    call.parse(await client.send(call.request, deadline, () => Promise.resolve()))
    return reached(fine(about, 'It answers.'))
  } catch (error) {
    const fromProxy = error instanceof UpstreamError && error.isProxyFault ? error.message : undefined
    return { finding: judgeFailure(about, error), isUnreached: isUnreachable(error), fromProxy }
  } finally {
    deadline.cancel()
    await client.close()
  }
}

const reached = (finding: Finding): Outcome => ({ finding, isUnreached: false })

const isUnreachable = (error: unknown): boolean =>
  error instanceof UpstreamError && ['unreachable', 'timeout'].includes(error.kind)

const PROXY_ADVICE =
  'Check the URL in OUTGOING_PROXY or <NAME>_PROXY, and what the proxy allows. For a server of your own, set <NAME>_PROXY=direct.'

const BLOCKED_ADVICE =
  'Check its key, if it has one. Otherwise set OPERATOR_CONTACT, so that the provider knows who is calling.'

/** The instance works without a provider, so only what the operator has to fix counts as broken. */
function judgeFailure(about: string, error: unknown): Finding {
  if (error instanceof UpstreamError && error.isProxyFault) return broken(about, error.message, PROXY_ADVICE)
  const kind = error instanceof UpstreamError ? error.kind : 'malformed'
  if (kind === 'rejected') return broken(about, 'It refuses us.', 'Check its key and settings: bowerbird config.')
  if (kind === 'blocked') return broken(about, 'It refuses this server.', BLOCKED_ADVICE)
  if (kind === 'guarded')
    return broken(about, 'Its address is a private one.', 'Set its URL yourself if that is intended.')
  if (kind === 'throttled') return warning(about, 'It wants fewer calls.', 'Set a lower <NAME>_RATE_LIMIT for it.')
  const advice = 'Check that this machine can reach it, and look again later.'
  return warning(about, `It did not answer as it should (${kind}).`, advice)
}
