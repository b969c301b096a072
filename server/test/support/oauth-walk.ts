// Connects a program by OAuth as clients and people do it: registering, the browser's way over the pages of the website,
// and the requests of the client itself.
import { createHash, randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { type BrowserReply, type FormBrowser, openFormBrowser } from './form-browser.ts'

export const REDIRECT = 'https://assistant.example/callback'

export interface TokenReply {
  status: number
  body: Record<string, string | number | undefined>
}

/** A port for an instance whose PUBLIC_URL must name it before it starts. */
export async function choosePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A listening server has an address with a port.
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

export async function signIn(url: string, username: string, password: string): Promise<FormBrowser> {
  const browser = openFormBrowser(url)
  await browser.submit('/login', [
    ['username', username],
    ['password', password],
  ])
  return browser
}

export async function register(url: string, metadata: object): Promise<TokenReply> {
  const reply = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  })
  return { status: reply.status, body: (await reply.json()) as TokenReply['body'] }
}

/** As a program does it: once. The same name and address are the same client, and registering is limited. */
const registered = new Map<string, string>()

export async function registerClient(url: string, name = 'Assistant', redirect = REDIRECT): Promise<string> {
  const known = registered.get(`${url} ${name} ${redirect}`)
  if (known !== undefined) return known
  const { status, body } = await register(url, { client_name: name, redirect_uris: [redirect] })
  if (status !== 201) throw new Error(`not registered: ${status} ${JSON.stringify(body)}`)
  const id = String(body['client_id'])
  registered.set(`${url} ${name} ${redirect}`, id)
  return id
}

export async function postForm(url: string, fields: Record<string, string>): Promise<TokenReply> {
  const reply = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) })
  const text = await reply.text()
  return { status: reply.status, body: text === '' ? {} : (JSON.parse(text) as TokenReply['body']) }
}

export interface Pkce {
  verifier: string
  challenge: string
}

export function createPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

export const authorizePath = (client: string, { challenge }: Pkce, more: Record<string, string> = {}): string =>
  `/oauth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: client,
    redirect_uri: REDIRECT,
    state: 'a-state',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...more,
  }).toString()}`

/** Opens the page for consent; throws if the client's request leads elsewhere. */
export async function openConsent(browser: FormBrowser, path: string): Promise<{ path: string; page: BrowserReply }> {
  const first = await browser.ask(path)
  const consent = first.location
  if (!consent.startsWith('/oauth/consent/')) throw new Error(`no page for consent: ${first.status} ${first.body}`)
  return { path: consent, page: await browser.ask(consent) }
}

/** Where the browser is sent in the end. */
export async function decide(
  browser: FormBrowser,
  path: string,
  values: Record<string, string | string[]> = { decision: 'allow' },
): Promise<URL> {
  const consent = await openConsent(browser, path)
  const resumed = await browser.fillIn(consent.page, consent.path, values)
  const last = await browser.ask(resumed.location)
  return new URL(last.location)
}

export interface Connected {
  client: string
  code: string
  pkce: Pkce
  redeem: (url: string, fields?: Record<string, string>) => Promise<TokenReply>
  refresh: (url: string, token: string, fields?: Record<string, string>) => Promise<TokenReply>
}

/** A client with a code that it hasn't redeemed yet. */
export async function connect(url: string, browser: FormBrowser, name?: string): Promise<Connected> {
  const client = await registerClient(url, name)
  const pkce = createPkce()
  const code = (await decide(browser, authorizePath(client, pkce))).searchParams.get('code') ?? ''
  return {
    client,
    code,
    pkce,
    redeem: (node, fields = {}) =>
      postForm(`${node}/oauth/token`, {
        grant_type: 'authorization_code',
        code,
        client_id: client,
        redirect_uri: REDIRECT,
        code_verifier: pkce.verifier,
        ...fields,
      }),
    refresh: (node, token, fields = {}) =>
      postForm(`${node}/oauth/token`, {
        grant_type: 'refresh_token',
        refresh_token: token,
        client_id: client,
        ...fields,
      }),
  }
}

/** The status of an MCP request with a token. */
export async function askMcp(url: string, token: string): Promise<number> {
  const reply = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  })
  return reply.status
}
