// Programs that people connect to the MCP server by OAuth: the protocol's own client walks the whole way, and whatever a
// client or a thief gets wrong on it is refused. Three nodes share one database.
import { randomBytes } from 'node:crypto'
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser, disableUser } from '../../src/accounts/users.ts'
import { sandboxSettings } from '../../src/demo/sandbox-settings.ts'
import { mintKey } from '../../src/keys/key-format.ts'
import { createLog } from '../../src/log.ts'
import { pruneOauth } from '../../src/oauth/prune-oauth.ts'
import { type Instance, startInstance } from '../../src/operate/start.ts'
import { readConfiguration, requireConfiguration } from '../../src/settings/configuration.ts'
import { eventually } from '../support/eventually.ts'
import type { FormBrowser } from '../support/form-browser.ts'
import {
  askMcp,
  authorizePath,
  choosePort,
  connect,
  createPkce,
  decide,
  openConsent,
  postForm,
  REDIRECT,
  register,
  registerClient,
  signIn,
} from '../support/oauth-walk.ts'
import { readTables } from '../support/stored-data.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

const PASSWORD = 'correct horse battery'
/** A client that runs in a browser. */
const PAGE = 'https://inspector.example'

let server: TestInstance
/** Of the same instance. */
let others: Instance[]
let urls: string[]
let people = 0

beforeAll(async () => {
  const port = await choosePort()
  const settings = { PUBLIC_URL: `http://127.0.0.1:${port}`, LOG_LEVEL: 'trace', CORS_ORIGINS: PAGE }
  server = await startTestInstance({ ...settings, PORT: String(port) })
  const read = readConfiguration({
    ...sandboxSettings((slug) => server.sandbox.urlOf(slug)),
    ...settings,
    DATABASE_URL: server.databaseUrl,
    REDIS_URL: server.redisUrl,
    PORT: '0',
  })
  const startNode = () => startInstance(requireConfiguration(read), createLog('silent'))
  others = [await startNode(), await startNode()]
  urls = [server.url, ...others.map(({ url }) => url)]
})
afterAll(async () => {
  await Promise.all((others ?? []).map((node) => node.close()))
  await server?.close()
})

/** A new person's browser: each can make ten keys an hour. */
async function newPerson(): Promise<{ browser: FormBrowser; username: string }> {
  people += 1
  const username = `person-${people}`
  await createUser(server.instance.services.access, { username, password: PASSWORD })
  return { browser: await signIn(server.url, username, PASSWORD), username }
}

const keysOf = async (username: string) => {
  const { db } = server.instance.services.access
  return await db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select(['api_keys.id', 'name', 'scopes', 'revoked_at', 'oauth_client'])
    .where('username', '=', username)
    .execute()
}

/** What the client remembers between its steps. */
interface ClientState {
  client?: StoredOAuthClientInformation
  tokens?: StoredOAuthTokens
  discovery?: OAuthDiscoveryState
  authorization?: URL
  verifier: string
}

describe("the protocol's own client", () => {
  it('finds the server, registers, is let in by a person, and calls a tool; later it refreshes by itself', async () => {
    const { browser, username } = await newPerson()
    const kept: ClientState = { verifier: '' }
    const authProvider: OAuthClientProvider = {
      redirectUrl: REDIRECT,
      clientMetadata: { client_name: 'The SDK', redirect_uris: [REDIRECT] },
      clientInformation: () => kept.client,
      saveClientInformation(client) {
        kept.client = client
      },
      tokens: () => kept.tokens,
      saveTokens(tokens) {
        kept.tokens = tokens
      },
      redirectToAuthorization(url) {
        kept.authorization = url
      },
      saveCodeVerifier(verifier) {
        kept.verifier = verifier
      },
      codeVerifier: () => kept.verifier,
      saveDiscoveryState(state) {
        kept.discovery = state
      },
      discoveryState: () => kept.discovery,
    }
    const open = () => new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { authProvider })
    const newClient = () => new Client({ name: 'test', version: '1' })

    const first = open()
    await expect(newClient().connect(first)).rejects.toThrow(UnauthorizedError)
    expect(kept.authorization?.searchParams.get('resource')).toBe(`${server.url}/mcp`)
    const target = await decide(browser, `${kept.authorization?.pathname}${kept.authorization?.search}`)
    expect(target.origin + target.pathname).toBe(REDIRECT)
    await first.finishAuth(target.searchParams)

    const client = newClient()
    await client.connect(open())
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('search')
    const found = await client.callTool({ name: 'search', arguments: { query: 'bowerbird' } })
    expect(found.isError).not.toBe(true)
    await client.close()
    expect(await keysOf(username)).toMatchObject([{ name: 'The SDK', oauth_client: kept.client?.client_id }])

    const before = kept.tokens?.refresh_token
    kept.tokens = { ...kept.tokens, access_token: 'spoiled', token_type: 'Bearer' }
    const again = newClient()
    await again.connect(open())
    await again.close()
    expect(kept.tokens.access_token).not.toBe('spoiled')
    expect(kept.tokens.refresh_token).not.toBe(before)
    expect(await keysOf(username)).toHaveLength(1)
  })
})

describe('what clients read first', () => {
  it('is at both addresses of the resource, and leads to the authorization server', async () => {
    for (const path of ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource']) {
      const reply = await fetch(server.url + path)
      expect(await reply.json()).toMatchObject({
        resource: `${server.url}/mcp`,
        authorization_servers: [server.url],
        bearer_methods_supported: ['header'],
      })
    }
    const reply = await fetch(`${server.url}/.well-known/oauth-authorization-server`)
    expect(await reply.json()).toMatchObject({
      issuer: server.url,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    })
  })

  it('is named by a 401 of the MCP server, which says what is wrong with a token, if one was sent', async () => {
    const challengeOf = async (headers: Record<string, string>) =>
      (await fetch(`${server.url}/mcp`, { method: 'POST', headers })).headers.get('www-authenticate')
    const metadata = `Bearer resource_metadata="${server.url}/.well-known/oauth-protected-resource/mcp", scope="`
    const without = await challengeOf({})
    expect(without).toContain(metadata)
    expect(without).not.toContain('error=')
    const wrong = await challengeOf({ authorization: 'Bearer nonsense' })
    expect(wrong).toContain(metadata)
    expect(wrong).toContain('error="invalid_token", error_description="')
  })

  it('may be used by a web page on an allowed origin; its metadata, by every page', async () => {
    const permissionOf = async (path: string, origin: string) => {
      const headers = { origin, 'access-control-request-method': 'POST' }
      const { status, headers: sent } = await fetch(`${server.url}${path}`, { method: 'OPTIONS', headers })
      return [status, sent.get('access-control-allow-origin')]
    }
    for (const path of ['/mcp', '/oauth/token', '/oauth/register', '/oauth/revoke']) {
      expect(await permissionOf(path, PAGE)).toEqual([204, PAGE])
      expect(await permissionOf(path, 'https://other.example')).toEqual([405, null])
    }
    expect(await permissionOf('/oauth/authorize', PAGE)).toEqual([405, null])
    const metadata = '/.well-known/oauth-protected-resource/mcp'
    expect(await permissionOf(metadata, 'https://other.example')).toEqual([204, '*'])
    expect((await fetch(`${server.url}${metadata}`)).headers.get('access-control-allow-origin')).toBe('*')
    const refused = await fetch(`${server.url}/oauth/token`, { method: 'POST', headers: { origin: PAGE } })
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([400, PAGE])
  })

  it('is missing on an instance whose clients would send tokens over plain HTTP', async () => {
    const read = readConfiguration({
      ...sandboxSettings((slug) => server.sandbox.urlOf(slug)),
      DATABASE_URL: server.databaseUrl,
      PUBLIC_URL: 'http://search.example.org',
      PORT: '0',
    })
    const plain = await startInstance(requireConfiguration(read), createLog('silent'))
    try {
      expect((await fetch(`${plain.url}/.well-known/oauth-protected-resource/mcp`)).status).toBe(404)
      expect((await fetch(`${plain.url}/oauth/token`, { method: 'POST' })).status).toBe(404)
      const refused = await fetch(`${plain.url}/mcp`, { method: 'POST' })
      expect(refused.headers.get('www-authenticate')).toBe('Bearer')
    } finally {
      await plain.close()
    }
  })
})

describe('registering', () => {
  it('201: makes a public client, and the same one for the same name and addresses', async () => {
    const metadata = {
      client_name: 'Twice',
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'client_secret_post',
    }
    const first = await register(server.url, metadata)
    const second = await register(urls[1] ?? '', metadata)
    expect(first).toMatchObject({ status: 201, body: { token_endpoint_auth_method: 'none', client_name: 'Twice' } })
    expect(first.body).not.toHaveProperty('client_secret')
    expect(first.body).not.toHaveProperty('registration_access_token')
    expect(second.body['client_id']).toBe(first.body['client_id'])
  })

  it.each([
    ['http://assistant.example/callback', 'invalid_redirect_uri'],
    ['javascript:alert(1)', 'invalid_redirect_uri'],
  ])('400: refuses %s as an address for codes', async (address, error) => {
    const { status, body } = await register(server.url, { client_name: 'Bad', redirect_uris: [address] })
    expect({ status, error: body['error'] }).toEqual({ status: 400, error })
  })

  it('400, 413, 415: refuses what is no object, too long, or of another type', async () => {
    const post = async (body: string, type = 'application/json') =>
      (await fetch(`${server.url}/oauth/register`, { method: 'POST', headers: { 'content-type': type }, body })).status
    expect(await post('[')).toBe(400)
    expect(await post('[]')).toBe(400)
    expect(await post(JSON.stringify({ client_name: 'x'.repeat(20_000) }))).toBe(413)
    expect(await post('a=b', 'application/x-www-form-urlencoded')).toBe(415)
  })
})

describe('the page for consent', () => {
  it('shows name and address of the client as text, and every scope as a tick; it asks every time', async () => {
    const { browser } = await newPerson()
    const client = await registerClient(server.url, '<b>Mallory</b>')
    for (let time = 0; time < 2; time++) {
      const path = authorizePath(client, createPkce(), { scope: 'search translate nonsense' })
      const { page } = await openConsent(browser, path)
      expect(page.body).toContain('&lt;b&gt;Mallory&lt;/b&gt;')
      expect(page.body).toContain('<strong>assistant.example</strong>')
      const ticks = [...page.body.matchAll(/<input type="checkbox"[^>]* value="(\w+)"( checked)?/g)]
      expect(ticks.map(([, scope, isTicked]) => [scope, isTicked !== undefined])).toEqual([
        ['search', true],
        ['translate', true],
      ])
      await decide(browser, path)
    }
  })

  it('sends people who are not signed in there first, and asks for the password again if that was long ago', async () => {
    const client = await registerClient(server.url)
    const path = authorizePath(client, createPkce())
    const stranger = await fetch(server.url + path, { redirect: 'manual' })
    expect(stranger.headers.get('location')).toBe(`/login?next=${encodeURIComponent(path)}`)
    const { browser, username } = await newPerson()
    const { path: consent } = await openConsent(browser, path)
    const { db } = server.instance.services.access
    await sql`
      update sessions set created_at = created_at - interval '1 hour', confirmed_at = null
      where user_id = (select id from users where username = ${username})`.execute(db)
    const isAskedAgain = async () => (await browser.ask(consent)).location.startsWith('/settings/confirm?next=')
    expect(await eventually(isAskedAgain, 20_000)).toBe(true)
  })

  it('gives the key only the scopes that were left ticked', async () => {
    const { browser, username } = await newPerson()
    const client = await registerClient(server.url)
    await decide(browser, authorizePath(client, createPkce()), { decision: 'allow', scopes: ['search'] })
    expect(await keysOf(username)).toMatchObject([{ scopes: ['search'] }])
  })

  it('400: needs at least one', async () => {
    const { browser, username } = await newPerson()
    const client = await registerClient(server.url)
    const { path, page } = await openConsent(browser, authorizePath(client, createPkce()))
    const reply = await browser.fillIn(page, path, { decision: 'allow', scopes: [] })
    expect(reply.status).toBe(400)
    expect(await keysOf(username)).toEqual([])
  })

  it('tells the client if it is refused, and makes no key', async () => {
    const { browser, username } = await newPerson()
    const client = await registerClient(server.url)
    const target = await decide(browser, authorizePath(client, createPkce()), { decision: 'deny' })
    expect(Object.fromEntries(target.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'a-state',
      iss: server.url,
    })
    expect(await keysOf(username)).toEqual([])
  })

  it('403, 404: counts only with the token of the form, and only the person who decided can go on', async () => {
    const { browser, username } = await newPerson()
    const thief = await newPerson()
    const client = await registerClient(server.url)
    const { path, page } = await openConsent(browser, authorizePath(client, createPkce()))
    const forged = await browser.ask(path, new URLSearchParams({ decision: 'allow', scopes: 'search' }))
    expect(forged.status).toBe(403)
    expect(await keysOf(username)).toEqual([])
    const { location } = await browser.fillIn(page, path, { decision: 'allow' })
    expect((await thief.browser.ask(location)).status).toBe(404)
    const mine = await browser.ask(location)
    expect(mine.location).toContain(`${REDIRECT}?code=`)
    // It was answered, and leads nowhere now.
    expect((await browser.ask(location)).status).toBe(404)
    expect((await browser.ask(path)).status).toBe(404)
  })

  it('lets the form lead to the client, and to no other site', async () => {
    const { browser } = await newPerson()
    const { path } = await openConsent(browser, authorizePath(await registerClient(server.url), createPkce()))
    const cookie = browser.cookieNames().map((name) => `${name}=${browser.cookie(name)}`)
    const reply = await fetch(server.url + path, { headers: { cookie: cookie.join('; ') } })
    expect(reply.headers.get('content-security-policy')).toContain("form-action 'self' https://assistant.example;")
    expect(reply.headers.get('cache-control')).toBe('no-store')
  })
})

describe('a request for a code', () => {
  const wrong: [what: string, change: Record<string, string>][] = [
    ['another redirect address', { redirect_uri: 'https://assistant.example/callback/' }],
    ['a redirect address with more in it', { redirect_uri: `${REDIRECT}?next=https://evil.example` }],
    ['a client that nobody registered', { client_id: 'stranger' }],
    ['another way to answer', { response_mode: 'form_post' }],
  ]
  it.each(wrong)('400: with %s is refused here, and the browser goes nowhere', async (_, change) => {
    const { browser } = await newPerson()
    const client = await registerClient(server.url)
    const { status, location } = await browser.ask(authorizePath(client, createPkce(), change))
    expect({ status, location }).toEqual({ status: 400, location: '' })
  })

  const refused: [what: string, change: Record<string, string>, error: string][] = [
    ['without a challenge', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['with a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['for another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['for another path of this host', { resource: '<url>/api' }, 'invalid_target'],
    ['for a token at once', { response_type: 'token' }, 'unsupported_response_type'],
  ]
  it.each(refused)('%s is refused to the client', async (_, change, error) => {
    const { browser } = await newPerson()
    const client = await registerClient(server.url)
    const given = Object.fromEntries(
      Object.entries(change).map(([name, value]) => [name, value.replace('<url>', server.url)]),
    )
    const { location } = await browser.ask(authorizePath(client, createPkce(), given))
    const target = new URL(location)
    expect(target.origin + target.pathname).toBe(REDIRECT)
    const params = new URLSearchParams(target.search || target.hash.slice(1))
    expect(params.get('error')).toBe(error)
  })

  it.each(['/mcp/', '/mcp?tools=search', '/mcp'])('takes %s for the resource', async (address) => {
    const { browser } = await newPerson()
    const client = await registerClient(server.url)
    const path = authorizePath(client, createPkce(), { resource: server.url + address })
    expect((await openConsent(browser, path)).page.status).toBe(200)
  })

  it('of a program on this computer may name any port', async () => {
    const { browser } = await newPerson()
    const client = await registerClient(server.url, 'Local', 'http://localhost/callback')
    const path = authorizePath(client, createPkce(), { redirect_uri: 'http://localhost:43117/callback' })
    const { page } = await openConsent(browser, path)
    expect(page.body).toContain('<strong>localhost:43117</strong>')
    expect((await decide(browser, path)).host).toBe('localhost:43117')
  })
})

describe('a code', () => {
  const wrong: [what: string, fields: Record<string, string>, error: string][] = [
    ['a wrong verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    ['another redirect address', { redirect_uri: 'https://evil.example/' }, 'invalid_grant'],
    ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
  ]
  it.each(wrong)('400: gives nothing for %s', async (_, fields, error) => {
    const { browser, username } = await newPerson()
    const { redeem } = await connect(server.url, browser)
    const { status, body } = await redeem(server.url, fields)
    expect({ status, error: body['error'] }).toEqual({ status: 400, error })
    expect(body).not.toHaveProperty('access_token')
    expect(await keysOf(username)).toHaveLength(1)
  })

  it('400: gives nothing to another client', async () => {
    const { browser } = await newPerson()
    const { redeem } = await connect(server.url, browser)
    const other = await registerClient(server.url, 'Another')
    expect((await redeem(server.url, { client_id: other })).body['error']).toBe('invalid_grant')
  })

  it('400: works for a minute', async () => {
    const { browser } = await newPerson()
    const { redeem } = await connect(server.url, browser)
    const { db } = server.instance.services.access
    const { rows } = await sql<{ seconds: number }>`
      update oauth_state set expires_at = expires_at - interval '60 seconds' where model = 'AuthorizationCode'
      returning extract(epoch from expires_at + interval '60 seconds' - now())::float8 as seconds`.execute(db)
    for (const { seconds } of rows) expect(seconds).toBeLessThanOrEqual(60)
    expect((await redeem(server.url)).body['error']).toBe('invalid_grant')
  })

  it('400: works once; a second use ends the key that came of the first', async () => {
    const { browser, username } = await newPerson()
    const { redeem, refresh } = await connect(server.url, browser)
    const first = await redeem(server.url)
    expect(first).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 3_600 } })
    const token = String(first.body['access_token'])
    expect(await askMcp(server.url, token)).toBe(200)
    expect((await redeem(urls[1] ?? '')).body['error']).toBe('invalid_grant')
    expect(await eventually(async () => (await askMcp(server.url, token)) === 401, 5_000)).toBe(true)
    expect((await refresh(server.url, String(first.body['refresh_token']))).body['error']).toBe('invalid_grant')
    expect(await keysOf(username)).toMatchObject([{ revoked_at: expect.any(Date) }])
  })

  it('that is redeemed 100 times at once over three nodes gives one token', async () => {
    const { browser, username } = await newPerson()
    const { redeem } = await connect(server.url, browser)
    const replies = await Promise.all(Array.from({ length: 100 }, (_, i) => redeem(urls[i % urls.length] ?? '')))
    const given = replies.filter(({ status }) => status === 200)
    expect(given).toHaveLength(1)
    expect(replies.filter(({ body }) => body['error'] === 'invalid_grant')).toHaveLength(99)
    // Someone else had the code, so whoever was first is not trusted either.
    expect(await keysOf(username)).toMatchObject([{ revoked_at: expect.any(Date) }])
    const token = String(given[0]?.body['access_token'])
    expect(await eventually(async () => (await askMcp(server.url, token)) === 401, 5_000)).toBe(true)
  })
})

describe('the tokens of a grant', () => {
  async function connected() {
    const person = await newPerson()
    const client = await connect(server.url, person.browser)
    const { body } = await client.redeem(server.url)
    return { ...person, ...client, access: String(body['access_token']), refreshToken: String(body['refresh_token']) }
  }

  it('are secrets of a key, which its owner sees and cannot rotate', async () => {
    const { browser, username, access } = await connected()
    const [key] = await keysOf(username)
    const page = await browser.ask('/settings/keys')
    expect(page.body).toContain('Assistant')
    expect(page.body).toContain('connected program')
    expect(page.body).not.toContain(`/settings/keys/${key?.id}/rotate`)
    expect((await browser.ask(`/settings/keys/${key?.id}/rotate`)).status).toBe(409)
    const record = await fetch(`${server.url}/api/v1/key/`, { headers: { authorization: `Api-Key ${access}` } })
    expect(await record.json()).toMatchObject({ name: 'Assistant' })
  })

  it('403: a tool without its scope is refused with the scopes that a client then asks for', async () => {
    const { browser, username } = await newPerson()
    const client = await registerClient(server.url)
    const pkce = createPkce()
    const values = { decision: 'allow', scopes: ['search'] }
    const code = (await decide(browser, authorizePath(client, pkce), values)).searchParams.get('code') ?? ''
    const { body } = await postForm(`${server.url}/oauth/token`, {
      grant_type: 'authorization_code',
      code,
      client_id: client,
      redirect_uri: REDIRECT,
      code_verifier: pkce.verifier,
    })
    expect(await keysOf(username)).toMatchObject([{ scopes: ['search'] }])
    const call = (token: string) =>
      fetch(`${server.url}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'translate', arguments: { text: 'hello', target: 'fr' } },
        }),
      })
    const refused = await call(String(body['access_token']))
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      403,
      `Bearer resource_metadata="${server.url}/.well-known/oauth-protected-resource/mcp", scope="search translate", error="insufficient_scope", error_description="This connection does not have the translate scope."`,
    ])
    expect(await refused.json()).toMatchObject({
      id: 1,
      error: { message: expect.stringContaining('translate scope') },
    })
    // The owner of a key reads the sentence in the result.
    const key = await server.createKey({ scopes: ['search'] })
    expect((await call(key)).status).toBe(200)
  })

  it('401: end on every node when it is revoked on the keys page, and cannot be refreshed', async () => {
    const { browser, username, access, refreshToken, refresh } = await connected()
    for (const url of urls) expect(await askMcp(url, access)).toBe(200)
    const [key] = await keysOf(username)
    const action = `/settings/keys/${key?.id}/revoke`
    await browser.fillIn(action, action)
    for (const url of urls) expect(await eventually(async () => (await askMcp(url, access)) === 401, 5_000)).toBe(true)
    expect((await refresh(server.url, refreshToken)).body['error']).toBe('invalid_grant')
  })

  it('401: end when the client revokes one of them', async () => {
    const { client, access, refreshToken, username } = await connected()
    const other = await registerClient(server.url, 'Another')
    await postForm(`${server.url}/oauth/revoke`, { token: refreshToken, client_id: other })
    expect(await askMcp(server.url, access)).toBe(200)
    expect((await postForm(`${server.url}/oauth/revoke`, { token: access, client_id: client })).status).toBe(200)
    expect(await eventually(async () => (await askMcp(server.url, access)) === 401, 5_000)).toBe(true)
    expect(await keysOf(username)).toMatchObject([{ revoked_at: expect.any(Date) }])
  })

  it('401: end after an hour, and refreshing gives others', async () => {
    const { access, refreshToken, refresh } = await connected()
    const { db } = server.instance.services.access
    const prefix = access.slice('bowerbird_'.length, access.indexOf('.'))
    await db.updateTable('key_secrets').set({ expires_at: new Date() }).where('prefix', '=', prefix).execute()
    expect(await askMcp(server.url, access)).toBe(401)
    const { status, body } = await refresh(urls[2] ?? '', refreshToken)
    expect(status).toBe(200)
    expect(await askMcp(server.url, String(body['access_token']))).toBe(200)
  })

  it('400: a refresh token that is used again ends the whole family, but not within a minute', async () => {
    const { username, refreshToken, refresh } = await connected()
    const first = await refresh(server.url, refreshToken)
    const repeated = await refresh(urls[1] ?? '', refreshToken)
    expect([first.status, repeated.status]).toEqual([200, 200])
    expect(first.body['refresh_token']).not.toBe(refreshToken)
    const { db } = server.instance.services.access
    await sql`update oauth_state set consumed_at = consumed_at - interval '61 seconds' where consumed_at is not null`.execute(
      db,
    )
    const reused = await refresh(server.url, refreshToken)
    expect({ status: reused.status, error: reused.body['error'] }).toEqual({ status: 400, error: 'invalid_grant' })
    expect(await keysOf(username)).toMatchObject([{ revoked_at: expect.any(Date) }])
    for (const { body } of [first, repeated]) {
      expect(
        await eventually(async () => (await askMcp(server.url, String(body['access_token']))) === 401, 5_000),
      ).toBe(true)
      expect((await refresh(server.url, String(body['refresh_token']))).body['error']).toBe('invalid_grant')
    }
  })

  it('429: share the limits of the key, however often they are refreshed', async () => {
    const person = await newPerson()
    const { redeem, refresh } = await connect(server.url, person.browser)
    const { db } = server.instance.services.access
    const [key] = await keysOf(person.username)
    await db
      .updateTable('api_keys')
      .set({ burst: '5/h' })
      .where('id', '=', key?.id ?? '')
      .execute()
    let { body } = await redeem(server.url)
    const statuses: number[] = []
    for (let i = 0; i < 8; i++) {
      statuses.push(await askMcp(urls[i % urls.length] ?? '', String(body['access_token'])))
      const refreshed = await refresh(server.url, String(body['refresh_token']))
      body = refreshed.body
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
  })

  it('401, 400: of another instance are worth nothing here', async () => {
    const { client, refresh } = await connected()
    expect(await askMcp(server.url, mintKey(randomBytes).full)).toBe(401)
    expect((await refresh(server.url, randomBytes(32).toString('base64url'))).body['error']).toBe('invalid_grant')
    const revoked = await postForm(`${server.url}/oauth/revoke`, {
      token: mintKey(randomBytes).full,
      client_id: client,
    })
    expect(revoked.status).toBe(200)
  })

  it('401: are refused while the account is disabled', async () => {
    const { username, access, refreshToken, refresh } = await connected()
    await disableUser(server.instance.services.access, username)
    expect(await eventually(async () => (await askMcp(server.url, access)) === 403, 5_000)).toBe(true)
    expect((await refresh(server.url, refreshToken)).body['error']).toBe('invalid_grant')
  })

  it('are in no table and no log line, nor are codes and verifiers', async () => {
    const { code, pkce, access, refreshToken } = await connected()
    const stored = JSON.stringify(await readTables(server.databaseUrl))
    for (const secret of [code, pkce.verifier, access.split('.')[1] ?? '', refreshToken]) {
      expect(stored).not.toContain(secret)
      expect(server.logged()).not.toContain(secret)
    }
  })

  it('end with their key a year after consent, whatever is refreshed until then', async () => {
    const { username } = await connected()
    const { db } = server.instance.services.access
    const { rows } = await sql<{ days: number }>`
      select extract(epoch from expires_at - now())::float8 / 86400 as days from api_keys
      where user_id = (select id from users where username = ${username})`.execute(db)
    expect(rows.map(({ days }) => Math.round(days))).toEqual([365])
  })
})

describe('what nobody needs any more', () => {
  it('is deleted, and keys of programs that cannot come back are revoked', async () => {
    const { browser, username } = await newPerson()
    const { redeem } = await connect(server.url, browser)
    await redeem(server.url)
    const { db } = server.instance.services.access
    const countState = async () => {
      const [key] = await keysOf(username)
      const rows = await db
        .selectFrom('oauth_state')
        .select('model')
        .where('key_id', '=', key?.id ?? '')
        .execute()
      return rows.map(({ model }) => model)
    }
    const now = Date.now()
    await pruneOauth(db, now + 2 * 3_600_000)
    expect(await countState()).toEqual(['RefreshToken'])
    expect(await keysOf(username)).toMatchObject([{ revoked_at: null }])
    await pruneOauth(db, now + 91 * 86_400_000)
    expect(await countState()).toEqual([])
    expect(await keysOf(username)).toMatchObject([{ revoked_at: expect.any(Date) }])
  })

  it('does not include a client that someone has connected, however long ago it registered', async () => {
    const { browser } = await newPerson()
    const { client, redeem, refresh } = await connect(server.url, browser, 'Registered long ago')
    const { body } = await redeem(server.url)
    const unused = await registerClient(server.url, 'Never connected')
    const { db } = server.instance.services.access
    await sql`update oauth_state set expires_at = now() - interval '1 day' where model = 'Client'`.execute(db)
    await pruneOauth(db, Date.now())
    const { rows } = await sql<{ id: string }>`
      select payload ->> 'client_id' as id from oauth_state where model = 'Client'`.execute(db)
    const ids = rows.map(({ id }) => id)
    expect(ids).toContain(client)
    expect(ids).not.toContain(unused)
    expect((await refresh(server.url, String(body['refresh_token']))).status).toBe(200)
  })
})
