// Settings → Connect: choose a program, get the exact lines for it, create its key, and see its last request. Only the
// page after creating a key shows the key, inside the lines, and it is sent with `no-store`.
import { TABS } from '@bowerbird/engines/engine.ts'
import type { UpstreamErrorKind } from '@bowerbird/engines/upstream-error.ts'
import type { IssuedKey } from '../../keys/keys.ts'
import type { LastRequest } from '../../keys/last-requests.ts'
import { CHOOSABLE_SCOPES, URL_KEY_SCOPE } from '../../keys/scopes.ts'
import type { SkipReason } from '../../search/plan.ts'
import type { FormState, SignedInContext } from '../accounts/account-forms.ts'
import { issueKey, keyLine, ownKeyOf } from '../accounts/key-pages.ts'
import { KEY_PLACEHOLDER, type ProgramKind, type ProgramLines, programsFor } from '../docs/program-lines.ts'
import { PageError } from '../http/error-pages.ts'
import { type Html, html, type Piece } from '../http/html.ts'
import { definePage, type PageContext, type View } from '../http/page.ts'
import { actions, button, buttonLink, postForm } from '../parts/form.ts'
import { formatDay, showPast } from '../parts/formats.ts'
import { copyable, notice } from '../parts/notice.ts'
import { settingsView } from '../parts/settings-view.ts'
import { joinNames } from '../search/result-parts.ts'

const PATH = '/settings/connect'
const PROGRAM_KINDS: readonly ProgramKind[] = ['agent', 'application', 'browser']
/** A key that proxies may log should not work forever. */
const URL_KEY_DAYS = 90

const listPage = definePage({
  method: 'GET',
  path: PATH,
  access: 'user',
  handle(context) {
    const { connect } = context.words
    return settingsView(context, PATH, {
      title: connect.title,
      content: html`<p class="measure">${connect.intro}</p>
${programLists(context)}`,
    })
  },
})

/** The programs of each kind, as links to their lines. */
export function programLists(context: SignedInContext): Html {
  const programs = Map.groupBy(programsOf(context), ({ kind }) => kind)
  return html`${PROGRAM_KINDS.map((kind) => html`<h2>${context.words.connect.kinds[kind]}</h2><ul class="program-list">${programs.get(kind)?.map(programLink)}</ul>`)}`
}

const programLink = ({ slug, name }: ProgramLines): Html => html`<li><a href="${PATH}/${slug}">${name}</a></li>`

const programPage = definePage({
  method: 'GET',
  path: `${PATH}/:program`,
  access: 'user',
  handle: (context) => programView(context),
})

const createAction = definePage({
  method: 'POST',
  path: `${PATH}/:program`,
  access: 'user',
  stepUp: `${PATH}/:program`,
  async handle(context) {
    const { name, scopes } = programOf(context)
    if (scopes.length === 0) return programView(context)
    const { defaultKeyDays = URL_KEY_DAYS } = context.services.accounts.access
    const days = scopes.includes(URL_KEY_SCOPE) ? Math.min(URL_KEY_DAYS, defaultKeyDays) : undefined
    const issued = await issueKey(context, { name, scopes, days })
    return 'full' in issued ? createdView(context, issued) : programView(context, issued)
  },
})

const testPage = definePage({
  method: 'GET',
  path: `${PATH}/test/:keyId`,
  access: 'user',
  async handle(context) {
    const key = await ownKeyOf(context)
    const { connect } = context.words
    const last = await context.services.lastRequests.read(key.id)
    // It is about a key, and is reached from both lists.
    return settingsView(context, '/settings/keys', {
      title: connect.testTitle,
      content: html`${keyLine(key, context)}
${last ? lastRequestView(context, last) : notice('plain', connect.nothing)}
${actions(buttonLink(connect.again, `${PATH}/test/${key.id}`, 'primary'), buttonLink(connect.back, PATH))}`,
      headers: { 'Cache-Control': 'no-store' },
    })
  },
})

export const connectPages = [listPage, programPage, createAction, testPage]

const programsOf = ({ baseUrl, services }: SignedInContext, key?: string): ProgramLines[] =>
  programsFor(baseUrl, services.areUrlKeysOn, key)

function programOf(context: SignedInContext, key?: string): ProgramLines {
  const program = programsOf(context, key).find(({ slug }) => slug === context.params['program'])
  if (!program) throw new PageError('notFound')
  return program
}

function programView(context: SignedInContext, { note, status, headers }: FormState = {}): View {
  const { connect, accounts } = context.words
  const program = programOf(context)
  const { slug, kind, name, scopes, lines } = program
  const uses = CHOOSABLE_SCOPES.filter((scope) => scopes.includes(scope))
  const names = joinNames(
    uses.map((scope) => accounts.keys.scopeUses[scope]),
    context.locale,
  )
  const form = postForm(context, {
    action: `${PATH}/${slug}`,
    body: actions(button(connect.createKey({ name })), buttonLink(connect.back, PATH)),
  })
  return settingsView(context, PATH, {
    title: name,
    content: html`${note}
${linesOf(context, program)}
${lines.includes(KEY_PLACEHOLDER) && html`<p>${connect.replaceKey({ key: KEY_PLACEHOLDER })}</p>`}
<h2>${connect.keyTitle}</h2>${
      scopes.length === 0
        ? html`<p class="measure">${kind === 'browser' ? connect.noKey : connect.signsIn}</p><p>${buttonLink(connect.back, PATH)}</p>`
        : html`<p class="measure">${connect.keyHelp({ scopes: names })}</p>
${scopes.includes(URL_KEY_SCOPE) && notice('partial', accounts.keys.addressWarning)}${form}`
    }`,
    status,
    headers,
  })
}

function createdView(context: SignedInContext, { key, full }: IssuedKey): View {
  const { connect, accounts, frame } = context.words
  const program = programOf(context, full)
  const holdsKey = program.lines.includes(full)
  return settingsView(context, PATH, {
    title: connect.createdTitle({ name: program.name }),
    content: html`<p class="measure">${holdsKey ? connect.once : accounts.keys.once} ${key.expiresAt && connect.until({ day: formatDay(key.expiresAt, context) })}</p>
${!holdsKey && html`<div class="once">${copyable(full, frame, accounts.keys.key)}</div>`}
${key.scopes.includes(URL_KEY_SCOPE) && notice('partial', accounts.keys.addressWarning)}
<div class="once">${linesOf(context, program)}</div>
<h2>${connect.testTitle}</h2><p class="measure">${connect.testHelp}</p>
<p>${buttonLink(connect.test, `${PATH}/test/${key.id}`, 'primary')}</p>`,
    headers: { 'Cache-Control': 'no-store' },
  })
}

const linesOf = ({ words: { connect, frame } }: SignedInContext, { name, place, lines }: ProgramLines): Html =>
  html`<p>${connect.linesHelp({ place })}</p>${copyable(lines, frame, `${name}: ${place}`)}`

/** The names of the compatible APIs, by the first part of their paths. */
const COMPATIBLE_APIS: Partial<Record<string, string>> = {
  searxng: 'SearXNG',
  autocompleter: 'SearXNG',
  tavily: 'Tavily',
  firecrawl: 'Firecrawl',
  brave: 'Brave',
  perplexity: 'Perplexity',
  google: 'Google',
  openwebui: 'Open WebUI',
  tools: 'OpenAPI',
  mcp: 'MCP',
  api: 'API',
}

type Verdict = keyof PageContext['words']['connect']['verdicts']

const NOTICE_KINDS = { works: 'good', partial: 'partial', refused: 'bad' } as const

/** The last request with a key and its reply: enough to see why a program can't connect. */
function lastRequestView(context: PageContext, request: LastRequest): Html {
  const { labels, verdicts, inUrl, neverQuery } = context.words.connect
  const { at, method, route, carrier, status, refusal, search, engines, ms } = request
  const verdict = verdictOf(request)
  const code = (text: string) => html`<code>${text}</code>`
  const facts: [string, Piece][] = [
    [labels.received, showPast(new Date(at), context)],
    [labels.door, COMPATIBLE_APIS[route.split('/')[1] ?? ''] ?? ''],
    [labels.request, code(`${method} ${route}`)],
    [labels.carrier, carrier === 'URL' ? inUrl : code(carrier)],
    [labels.status, String(status)],
    [labels.reason, refusal],
    [labels.search, search],
    [
      labels.engines,
      engines && html`<ul>${engines.split(', ').map((one) => html`<li>${engineLine(context, one)}</li>`)}</ul>`,
    ],
    [labels.took, `${new Intl.NumberFormat(context.locale).format(ms)} ms`],
  ]
  return html`${notice(NOTICE_KINDS[verdict], verdicts[verdict])}
<dl class="facts">${facts.map(([label, value]) => value !== '' && html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>
<p class="quiet">${neverQuery}</p>`
}

/** Reads `engine_a;ok;n=10;ms=31;cached=memory`, the form in which the API reports an engine. */
function engineLine({ words, services, locale }: PageContext, report: string): string {
  const [slot = '', outcome = '', ...rest] = report.split(';')
  const values = Object.fromEntries(rest.map((part) => part.split('=')))
  const name = TABS.map((tab) => services.search.labelOf(slot, tab)).find(Boolean) ?? slot
  const { failures, skips } = words.search
  if (outcome === 'skipped')
    return Object.hasOwn(skips, values.for) ? skips[values.for as SkipReason]({ engine: name }) : report
  const kind = outcome === 'budget' ? 'overBudget' : outcome
  if (Object.hasOwn(failures, kind)) return failures[kind as UpstreamErrorKind]({ engine: name })
  const { resultCount, ms } = words.admin.engines
  const took = values.cached
    ? words.connect.fromCache
    : ms({ ms: new Intl.NumberFormat(locale).format(Number(values.ms)) })
  return `${name}: ${resultCount({ count: Number(values.n) })}, ${took}`
}

function verdictOf({ status, refusal, search }: LastRequest): Verdict {
  if (status >= 400 || refusal !== '') return 'refused'
  return search === '' || search === 'complete' ? 'works' : 'partial'
}
