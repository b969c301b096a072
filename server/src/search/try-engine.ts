// Sends one query to one engine, so that an operator can see what it does: the request without its secrets, how long
// the reply took, what was parsed from it, and what the provider's terms allow. Nothing is cached, merged or logged,
// and the provider's health does not change.

import type { Deadline } from '@bowerbird/engines/deadline.ts'
import type { Engine, EngineQuery, EngineTerms, HitOf, ProviderReply, Tab } from '@bowerbird/engines/engine.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { findSkipReason, type Inability } from './plan.ts'
import { ignoresRegion } from './regions.ts'
import type { BoundEngine } from './slots.ts'

export interface TrialHit {
  title: string
  url: string
  /** '' where the tab has none. */
  description: string
}

/** The request as it was sent, with `HIDDEN` in place of secrets. */
export interface TrialRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string
}

export interface TrialReport {
  slug: string
  name: string
  tab: Tab
  /** Why a search would skip the engine; undefined: it wouldn't. */
  skippedFor: Inability | undefined
  /** The query has a region that the engine can't favour, so it was asked without. */
  ignoresRegion: boolean
  request: TrialRequest
  /** The HTTP status; undefined: no reply came. */
  status: number | undefined
  /** The size of the reply's body. */
  bytes: number
  ms: number
  hits: TrialHit[]
  correction: string
  /** Results of the reply that are none of the hits, and why: sentences. Only documents say it. */
  dropped: string[]
  /** What went wrong, in our own words. */
  error: { kind: string; message: string } | undefined
  terms: EngineTerms
}

interface Trial {
  tab: Tab
  query: EngineQuery
  deadline: Deadline
}

export const HIDDEN = '•••'

/** undefined: the engine doesn't serve the tab. */
export async function tryEngine(
  { engine, settings, ask }: BoundEngine,
  { tab: name, query: wanted, deadline }: Trial,
): Promise<TrialReport | undefined> {
  const tab = engine.tabs[name]
  if (!tab) return undefined
  const isIgnored = ignoresRegion(tab, wanted)
  const query = isIgnored ? { ...wanted, region: undefined } : wanted
  const { edition, ...request } = tab.request(query, settings)
  const { priceFactor = tab.priceFactor } = request
  const report: TrialReport = {
    slug: engine.slug,
    name: engine.name,
    tab: name,
    skippedFor: findSkipReason(engine, tab, query),
    ignoresRegion: isIgnored,
    request: withoutSecrets(request, secretsOf(engine, settings)),
    status: undefined,
    bytes: 0,
    ms: 0,
    hits: [],
    correction: '',
    dropped: [],
    error: undefined,
    terms: engine.terms,
  }
  const started = performance.now()
  // If the reply can't be read at all, `parse` says why.
  const dropped = (reply: ProviderReply): string[] => {
    try {
      return tab.explainDropped?.(reply, query, settings) ?? []
    } catch (error) {
      if (error instanceof UpstreamError) return []
      throw error
    }
  }
  const read = (reply: ProviderReply) => {
    report.status = reply.status
    report.bytes = Buffer.byteLength(reply.body)
    report.ms = Math.round(performance.now() - started)
    report.dropped = dropped(reply)
    const { hits, correction } = tab.parse(reply, query, settings)
    report.hits = hits.map(toTrialHit)
    report.correction = correction
  }
  try {
    await ask(
      { ...request, ...(edition !== undefined && { edition }), ...(priceFactor !== undefined && { priceFactor }) },
      deadline,
      read,
    )
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    report.error = { kind: error.kind, message: error.message }
    report.ms ||= Math.round(performance.now() - started)
  }
  return report
}

function toTrialHit(hit: HitOf[Tab]): TrialHit {
  return { title: hit.title, url: hit.url, description: 'description' in hit ? hit.description : '' }
}

const secretsOf = (engine: Engine, settings: BoundEngine['settings']): string[] =>
  Object.entries(engine.settings).flatMap(([name, { isSecret }]) => {
    const value = (settings as Readonly<Record<string, string>>)[name] ?? '' // each declared setting has a value
    return isSecret && value !== '' ? [value] : []
  })

/** Headers that carry credentials, in whatever form. */
const CREDENTIALS = /^(?:authorization|cookie)$|key|token|secret/i

function withoutSecrets(
  {
    method = 'GET',
    path,
    headers = {},
    body = '',
  }: { method?: string; path: string; headers?: Record<string, string>; body?: string },
  secrets: readonly string[],
): TrialRequest {
  const forms = secrets.flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
  const hide = (text: string) => forms.reduce((shown, form) => shown.replaceAll(form, HIDDEN), text)
  return {
    method,
    path: hide(path),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, CREDENTIALS.test(name) ? HIDDEN : hide(value)]),
    ),
    body: hide(body),
  }
}
