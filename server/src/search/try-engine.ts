// Asks one engine one thing, for an operator who wants to see what it does: the request without its secrets, how long
// the reply took, what was read from it, and what the provider's terms allow. Nothing of it is cached, merged or logged,
// and the provider's health does not change.
import { UpstreamError } from '../errors.ts'
import type { Engine, EngineQuery, EngineTerms, HitOf, ProviderReply, Tab } from '../providers/engine.ts'
import type { Deadline } from '../upstream/deadline.ts'
import { type BoundEngine, reasonToSkip, type SkipReason } from './plan.ts'

export interface TrialHit {
  title: string
  url: string
  /** '' where the tab has none. */
  description: string
}

/** As it was sent, apart from `HIDDEN` in place of everything secret. */
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
  /** A search would not ask it this; undefined: it would. */
  skippedFor: SkipReason | undefined
  request: TrialRequest
  /** Of the HTTP reply; undefined: none came. */
  status: number | undefined
  /** Of its body. */
  bytes: number
  ms: number
  hits: TrialHit[]
  correction: string
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
  { tab: name, query, deadline }: Trial,
): Promise<TrialReport | undefined> {
  const tab = engine.tabs[name]
  if (!tab) return undefined
  const { edition, ...request } = tab.request(query, settings)
  const { priceFactor = tab.priceFactor } = request
  const report: TrialReport = {
    slug: engine.slug,
    name: engine.name,
    tab: name,
    skippedFor: reasonToSkip(engine, tab, query),
    request: withoutSecrets(request, secretsOf(engine, settings)),
    status: undefined,
    bytes: 0,
    ms: 0,
    hits: [],
    correction: '',
    error: undefined,
    terms: engine.terms,
  }
  const started = performance.now()
  const read = (reply: ProviderReply) => {
    report.status = reply.status
    report.bytes = Buffer.byteLength(reply.body)
    report.ms = Math.round(performance.now() - started)
    const { hits, correction } = tab.parse(reply, query)
    report.hits = hits.map(shownHit)
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

function shownHit(hit: HitOf[Tab]): TrialHit {
  return { title: hit.title, url: hit.url, description: 'description' in hit ? hit.description : '' }
}

const secretsOf = (engine: Engine, settings: BoundEngine['settings']): string[] =>
  Object.entries(engine.settings).flatMap(([name, { isSecret }]) => {
    const value = (settings as Readonly<Record<string, string>>)[name] ?? '' // a value for each setting it declares
    return isSecret && value !== '' ? [value] : []
  })

/** A header that carries credentials, whatever form they have there. */
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
