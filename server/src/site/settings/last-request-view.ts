// The last request with a key and its reply: enough to see why a program can't connect.
import type { LastRequest } from '../../keys/last-requests.ts'
import { showPast } from '../accounts/moments.ts'
import { type Html, html, type Piece } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { notice } from '../parts/notice.ts'

/** The names of the compatible APIs, by the first part of their paths. */
const DOORS: Partial<Record<string, string>> = {
  searxng: 'SearXNG',
  tavily: 'Tavily',
  openwebui: 'Open WebUI',
  tools: 'OpenAPI',
  mcp: 'MCP',
  api: 'API',
}

type Verdict = keyof PageContext['words']['connect']['verdicts']

const KINDS = { works: 'good', partial: 'partial', refused: 'bad' } as const

export function lastRequestView(context: PageContext, request: LastRequest): Html {
  const { labels, verdicts, inUrl, neverQuery } = context.words.connect
  const { at, method, route, carrier, status, refusal, search, engines, ms } = request
  const verdict = verdictOf(request)
  const code = (text: string) => html`<code>${text}</code>`
  const facts: [string, Piece][] = [
    [labels.received, showPast(new Date(at), context)],
    [labels.door, DOORS[route.split('/')[1] ?? ''] ?? ''],
    [labels.request, code(`${method} ${route}`)],
    [labels.carrier, carrier === 'URL' ? inUrl : code(carrier)],
    [labels.status, String(status)],
    [labels.reason, refusal],
    [labels.search, search],
    [labels.engines, engines && html`<ul>${engines.split(', ').map((one) => html`<li>${code(one)}</li>`)}</ul>`],
    [labels.took, `${new Intl.NumberFormat(context.locale).format(ms)} ms`],
  ]
  return html`${notice(KINDS[verdict], verdicts[verdict])}
<dl class="facts">${facts.map(([label, value]) => value !== '' && html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>
<p class="quiet">${neverQuery}</p>`
}

function verdictOf({ status, refusal, search }: LastRequest): Verdict {
  if (status >= 400 || refusal !== '') return 'refused'
  return search === '' || search === 'complete' ? 'works' : 'partial'
}
