import { describe, expect, it } from 'vitest'
import { callCompat, GOOD_KEY } from '../../compat/compat.test-harness.ts'
import { found, setUpApi } from '../api.test-harness.ts'

const IBAN = 'DE89 3704 0044 0532 0130 00'
const TOKEN = `ghp_${'aB3'.repeat(12)}`
const QUERY = `declined ${IBAN} or ${TOKEN}`
const REDACTED = 'declined IBAN or GitHub token'
const LINES = 'application/x-ndjson'
const Q = encodeURIComponent(QUERY)
const headersFor = (url: string, accept = 'application/json, text/event-stream') => ({
  authorization: `${url.startsWith('/api/') ? 'Api-Key' : 'Bearer'} ${GOOD_KEY}`,
  'content-type': 'application/json',
  accept: url.startsWith('/mcp') || accept === LINES ? accept : 'application/json',
})

/** Every way in for a query: what it sends, and the service that gets the query. */
const WAYS: readonly [name: string, service: string, url: string, body?: object][] = [
  ['web', 'search', `/api/v1/web/?q=${Q}`],
  ['images', 'search', `/api/v1/images/?q=${Q}`],
  ['similar images', 'search', `/api/v1/images/similar/?q=${Q}`],
  ['news', 'search', `/api/v1/news/?q=${Q}`],
  ['suggestions', 'suggest', `/api/v1/suggest/?q=${Q}`],
  ['cards', 'cards', `/api/v1/cards/?q=${Q}`],
  ['places', 'forward', `/api/v1/maps/?q=${Q}`],
  ['SearXNG', 'search', `/searxng/search?q=${Q}&format=json`],
  ['the autocompleter of SearXNG', 'suggest', `/searxng/autocompleter?q=${Q}`],
  ['Tavily', 'search', '/tavily/search', { query: QUERY }],
  ['the tool server', 'search', '/tools/search', { query: QUERY }],
  [
    'MCP',
    'search',
    '/mcp',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search', arguments: { query: QUERY } } },
  ],
]

type Stage = ReturnType<typeof setUpApi>

const send = (stage: Stage, url: string, body?: object) =>
  callCompat(stage, url, {
    headers: headersFor(url),
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  })

/** The text of the last argument of each call to a service. */
const textsFor = (stage: Stage, service: string) =>
  stage.asked
    .filter(([name]) => name === service)
    .map((args) => args.find((arg) => typeof arg === 'object' && arg !== null && 'text' in arg) as { text: string })
    .map(({ text }) => text)

const answering = (stage: Stage) => {
  stage.says.search = async (tab, request) => found(tab, request)
  stage.says.suggest = async () => ({ suggestions: [], status: 'complete' })
}

describe('QUERY_GUARD=redact', () => {
  const stage = setUpApi({ queryGuard: 'redact' })

  it.each(WAYS)('%s: nobody gets the secret, and the reply names its kind', async (...row) => {
    const [, service, url, body] = row
    answering(stage)
    const reply = await send(stage, url, body)
    expect(reply.status).toBe(200)
    expect(textsFor(stage, service)).toEqual([REDACTED])
    const asked = JSON.stringify(stage.asked.filter(([called]) => called !== 'answer'))
    expect(asked).not.toContain(TOKEN)
    expect(asked).not.toContain('3704')
    expect(reply.headers).toMatchObject({ 'query-guard': 'redacted=iban, redacted=github_token' })
    expect(stage.logged()).not.toContain(TOKEN)
  })

  it('a stream has the header in its last event', async () => {
    answering(stage)
    const { body } = await stage.http.inject({ url: `/api/v1/web/?q=${Q}`, headers: headersFor('/api/', LINES) })
    const last = JSON.parse(body.trim().split('\n').at(-1) ?? '')
    expect([last.event, last.headers['Query-Guard']]).toEqual(['done', 'redacted=iban, redacted=github_token'])
  })

  it('a model reads it in the text of the tool', async () => {
    answering(stage)
    const reply = await send(stage, '/mcp', WAYS.at(-1)?.[3])
    expect(reply.json.result.content[0].text).toMatch(
      /^The query seemed to contain a secret \(IBAN, GitHub token\), which was not sent\.\n/,
    )
  })

  it('an answer that is computed here gets the query as it is, and may ask nobody', async () => {
    const { status, headers } = await stage.get(`/api/v1/instant/?q=${Q}`)
    expect([status, headers['query-guard']]).toEqual([200, 'redacted=iban, redacted=github_token'])
    expect(stage.asked).toEqual([['answer', expect.objectContaining({ text: QUERY, asksNobody: true })]])
  })

  it('a reply is never kept under a URL with a secret', async () => {
    stage.says.search = async (tab, request) => ({ ...found(tab, request), isCurrent: () => true })
    await stage.get(`/api/v1/web/?q=${Q}`)
    const again = await stage.get(`/api/v1/web/?q=${Q}`)
    expect(again.headers['query-guard']).toBe('redacted=iban, redacted=github_token')
    expect(textsFor(stage, 'search')).toEqual([REDACTED, REDACTED])
    await stage.get('/api/v1/web/?q=climate')
    await stage.get('/api/v1/web/?q=climate')
    expect(textsFor(stage, 'search')).toEqual([REDACTED, REDACTED, 'climate'])
  })

  it('an ordinary query is sent as it is, without a header', async () => {
    answering(stage)
    const { headers } = await stage.get('/api/v1/web/?q=climate+2026')
    expect(headers).not.toHaveProperty('query-guard')
    expect(textsFor(stage, 'search')).toEqual(['climate 2026'])
  })
})

describe('QUERY_GUARD=refuse', () => {
  const stage = setUpApi({ queryGuard: 'refuse' })
  const SENTENCE =
    'The query seems to contain a secret (IBAN, GitHub token), so nobody was asked. Send it without the secret.'

  it.each(WAYS.filter(([name]) => name !== 'MCP'))('400: %s, in its own shape, without the secret', async (...row) => {
    const [, , url, body] = row
    answering(stage)
    const { status, headers, text, reason } = await send(stage, url, body)
    expect([status, headers['error-code']]).toEqual([400, 'secret_in_query'])
    expect(headers['query-guard']).toBe('refused=iban, refused=github_token')
    expect(text).toContain(SENTENCE)
    expect(text + reason).not.toContain(TOKEN)
    expect(stage.asked.filter(([called]) => called !== 'answer')).toEqual([])
    expect(stage.counted).toEqual([])
  })

  it('400: the API names the parameter; other APIs have other names for it', async () => {
    expect((await stage.get(`/api/v1/web/?q=${Q}`)).json).toEqual({ q: [SENTENCE] })
    expect((await stage.get(`/api/v1/instant/?q=${Q}`)).json).toEqual({ q: [SENTENCE] })
    expect((await send(stage, '/tavily/search', { query: QUERY })).json).toEqual({ detail: { error: SENTENCE } })
  })

  it('a model reads the sentence', async () => {
    const { json } = await send(stage, '/mcp', WAYS.at(-1)?.[3])
    expect(json.result).toEqual({ isError: true, content: [{ type: 'text', text: SENTENCE }] })
  })
})

describe('QUERY_GUARD=warn', () => {
  const stage = setUpApi({ queryGuard: 'warn' })

  it('the query is sent as it is, and the header says what it holds', async () => {
    answering(stage)
    const { headers } = await stage.get(`/api/v1/web/?q=${Q}`)
    expect(headers['query-guard']).toBe('warned=iban, warned=github_token')
    expect(textsFor(stage, 'search')).toEqual([QUERY])
  })
})

describe('QUERY_GUARD=off', () => {
  const stage = setUpApi()

  it('is the default for keys', async () => {
    answering(stage)
    const { headers } = await stage.get(`/api/v1/web/?q=${Q}`)
    expect(headers).not.toHaveProperty('query-guard')
    expect(textsFor(stage, 'search')).toEqual([QUERY])
  })
})

describe('private engines', () => {
  const stage = setUpApi({ queryGuard: 'refuse', hasMine: true })

  it('get the query as it is: what they find is at home', async () => {
    const key = stage.addKey({ scopes: new Set(['search', 'mine']) })
    stage.says.mine = async (tab, request) => found(tab, request)
    const { status } = await stage.get(`/api/v1/mine/?q=${Q}`, { key })
    expect([status, textsFor(stage, 'mine')]).toEqual([200, [QUERY]])
  })
})
