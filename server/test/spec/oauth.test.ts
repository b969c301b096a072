// Programs that people connect to the MCP server by OAuth: the protocol's own client walks the whole way, and what a client or a
// thief gets wrong on it is refused. The protocol is oidc-provider's: what is here is what we configure, and the keys behind
// it. Three nodes share one database.
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
import { createUser, disableUser, findUser } from '../../src/accounts/users.ts'
import { sandboxSettings } from '../../src/demo/sandbox-settings.ts'
import { announceUserChange } from '../../src/keys/key-changes.ts'
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
import { MCP_HEADERS, mcpMessage } from '../support/surface-request.ts'
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
    .select(['api_keys.id', 'name', 'scopes', 'revoked_at', 'api_keys.expires_at', 'oauth_client'])
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
    expect(await permissionOf('/.well-known/oauth-protected-resource/mcp', 'https://other.example')).toEqual([204, '*'])
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

it('201, 400: registering makes a public client, the same one for the same name and addresses; an address must be safe', async () => {
  const metadata = { client_name: 'Twice', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'client_secret_post' }
  const first = await register(server.url, metadata)
  expect(first).toMatchObject({ status: 201, body: { token_endpoint_auth_method: 'none', client_name: 'Twice' } })
  expect(first.body).not.toHaveProperty('client_secret')
  expect(first.body).not.toHaveProperty('registration_access_token')
  expect((await register(urls[1] ?? '', metadata)).body['client_id']).toBe(first.body['client_id'])
  const unsafe = await register(server.url, { ...metadata, redirect_uris: ['http://assistant.example/callback'] })
  expect(unsafe).toMatchObject({ status: 400, body: { error: 'invalid_redirect_uri' } })
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
    const userId = (await findUser(server.instance.services.access, username))?.id ?? ''
    await sql`
      update sessions set created_at = created_at - interval '1 hour', confirmed_at = null
      where user_id = ${userId}`.execute(db)
    announceUserChange(server.instance.services.access.changes, userId)
    expect((await browser.ask(consent)).location).toMatch(/^\/settings\/confirm\?next=/)
  })

  it('gives the key only the scopes that were left ticked, of which it needs one', async () => {
    const { browser, username } = await newPerson()
    const client = await registerClient(server.url)
    const { path, page } = await openConsent(browser, authorizePath(client, createPkce()))
    expect((await browser.fillIn(page, path, { decision: 'allow', scopes: [] })).status).toBe(400)
    expect(await keysOf(username)).toEqual([])
    await decide(browser, authorizePath(client, createPkce()), { decision: 'allow', scopes: ['search'] })
    expect(await keysOf(username)).toMatchObject([{ scopes: ['search'] }])
  })

  it('tells the client if it is refused, and makes no key', async () => {
    const { browser, username } = await newPerson()
    const client = await registerClient(server.url)
    const target = await decide(browser, authorizePath(client, createPkce()), { decision: 'deny' })
    expect(target.searchParams.toString()).toMatch(/^error=access_denied&.*state=a-state&iss=/)
    expect(await keysOf(username)).toEqual([])
  })

  it('404: only the person who decided can go on, once', async () => {
    const { browser } = await newPerson()
    const thief = await newPerson()
    const client = await registerClient(server.url)
    const { path, page } = await openConsent(browser, authorizePath(client, createPkce()))
    const { location } = await browser.fillIn(page, path, { decision: 'allow' })
    expect((await thief.browser.ask(location)).status).toBe(404)
    expect((await browser.ask(location)).location).toContain(`${REDIRECT}?code=`)
    // It was answered, and leads nowhere now.
    for (const used of [location, path]) expect((await browser.ask(used)).status).toBe(404)
  })
})

describe('a request for a code', () => {
  let browser: FormBrowser
  let client: string
  beforeAll(async () => {
    ;({ browser } = await newPerson())
    client = await registerClient(server.url)
  })
  const pathWith = (change: Record<string, string>) => authorizePath(client, createPkce(), change)

  it.each([
    ['another redirect address', { redirect_uri: `${REDIRECT}/` }],
    ['another way to answer', { response_mode: 'form_post' }],
  ])('400: with %s is refused here, and the browser goes nowhere', async (_, change) => {
    expect(await browser.ask(pathWith(change))).toMatchObject({ status: 400, location: '' })
  })

  it.each<[what: string, change: Record<string, string>, error: string]>([
    ['without a challenge', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['with a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['for another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['for a token at once', { response_type: 'token' }, 'unsupported_response_type'],
  ])('%s is refused to the client', async (_, change, error) => {
    const target = new URL((await browser.ask(pathWith(change))).location)
    expect(target.origin + target.pathname).toBe(REDIRECT)
    expect(new URLSearchParams(target.search || target.hash.slice(1)).get('error')).toBe(error)
  })

  it.each(['/mcp/', '/mcp?tools=search', '/mcp'])('takes %s for the resource', async (address) => {
    const path = pathWith({ resource: server.url + address })
    expect((await openConsent(browser, path)).page.status).toBe(200)
  })

  it('of a program on this computer may name any port', async () => {
    const local = await registerClient(server.url, 'Local', 'http://localhost/callback')
    const path = authorizePath(local, createPkce(), { redirect_uri: 'http://localhost:43117/callback' })
    expect((await openConsent(browser, path)).page.body).toContain('<strong>localhost:43117</strong>')
    expect((await decide(browser, path)).host).toBe('localhost:43117')
  })
})

describe('a code', () => {
  it('400: gives nothing for a wrong verifier, to another client, or after a minute', async () => {
    const { browser } = await newPerson()
    const { redeem } = await connect(server.url, browser)
    const refused = { status: 400, body: { error: 'invalid_grant' } }
    expect(await redeem(server.url, { code_verifier: 'x'.repeat(43) })).toMatchObject(refused)
    const other = await registerClient(server.url, 'Another')
    expect(await redeem(server.url, { client_id: other })).toMatchObject(refused)
    const { db } = server.instance.services.access
    const { rows } = await sql<{ seconds: number }>`
      update oauth_state set expires_at = expires_at - interval '60 seconds' where model = 'AuthorizationCode'
      returning extract(epoch from expires_at + interval '60 seconds' - now())::float8 as seconds`.execute(db)
    for (const { seconds } of rows) expect(seconds).toBeLessThanOrEqual(60)
    expect(await redeem(server.url)).toMatchObject(refused)
  })

  it('400: works once, even over three nodes at once; a second use ends the key that came of the first', async () => {
    const { browser, username } = await newPerson()
    const { redeem, refresh } = await connect(server.url, browser)
    const replies = await Promise.all(Array.from({ length: 30 }, (_, i) => redeem(urls[i % urls.length] ?? '')))
    const [first, ...more] = replies.filter(({ body }) => 'access_token' in body)
    expect(first).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 3_600 } })
    expect(more).toEqual([])
    expect(replies.map(({ body }) => body['error'])).toContain('invalid_grant')
    // Someone else had the code, so whoever was first is not trusted either.
    expect(await keysOf(username)).toMatchObject([{ revoked_at: expect.any(Date) }])
    await expectEnd(String(first?.body['access_token']))
    expect((await refresh(server.url, String(first?.body['refresh_token']))).body['error']).toBe('invalid_grant')
  })
})

/** Every node hears of it in a moment. */
async function expectEnd(token: string, nodes = [server.url]): Promise<void> {
  for (const url of nodes) expect(await eventually(async () => (await askMcp(url, token)) === 401, 5_000)).toBe(true)
}

describe('the tokens of a grant', () => {
  async function connected() {
    const person = await newPerson()
    const client = await connect(server.url, person.browser)
    const { body } = await client.redeem(server.url)
    return { ...person, ...client, access: String(body['access_token']), refreshToken: String(body['refresh_token']) }
  }

  it('are secrets of a key for a year, which its owner sees and cannot rotate', async () => {
    const { browser, username, access } = await connected()
    const [key] = await keysOf(username)
    expect(Math.round((Number(key?.expires_at) - Date.now()) / 86_400_000)).toBe(365)
    const page = await browser.ask('/settings/keys')
    expect(page.body).toContain('connected program')
    expect(page.body).not.toContain(`/settings/keys/${key?.id}/rotate`)
    expect((await browser.ask(`/settings/keys/${key?.id}/rotate`)).status).toBe(409)
    const record = await fetch(`${server.url}/api/v1/key/`, { headers: { authorization: `Api-Key ${access}` } })
    expect(await record.json()).toMatchObject({ name: 'Assistant' })
  })

  it('403: a tool without its scope is refused with the scopes that a client then asks for', async () => {
    const { username, access } = await connected()
    const { db } = server.instance.services.access
    const [key] = await keysOf(username)
    await db
      .updateTable('api_keys')
      .set({ scopes: ['search'] })
      .where('id', '=', String(key?.id))
      .execute()
    const body = mcpMessage('tools/call', { name: 'translate', arguments: { text: 'hello', target: 'fr' } })
    const call = (token: string) =>
      fetch(`${server.url}/mcp`, {
        method: 'POST',
        headers: { ...MCP_HEADERS, authorization: `Bearer ${token}` },
        body,
      })
    const refused = await call(access)
    expect(refused.status).toBe(403)
    expect(refused.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${server.url}/.well-known/oauth-protected-resource/mcp", scope="search translate", error="insufficient_scope", error_description="This connection does not have the translate scope."`,
    )
    expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining('translate scope') } })
    // The owner of a key reads the sentence in the result.
    expect((await call(await server.createKey({ scopes: ['search'] }))).status).toBe(200)
  })

  it('401: end on every node when it is revoked on the keys page, and cannot be refreshed', async () => {
    const { browser, username, access, refreshToken, refresh } = await connected()
    for (const url of urls) expect(await askMcp(url, access)).toBe(200)
    const [key] = await keysOf(username)
    const action = `/settings/keys/${key?.id}/revoke`
    await browser.fillIn(action, action)
    await expectEnd(access, urls)
    expect((await refresh(server.url, refreshToken)).body['error']).toBe('invalid_grant')
  })

  it('401: end when the client revokes one of them', async () => {
    const { client, access, refreshToken, username } = await connected()
    const other = await registerClient(server.url, 'Another')
    await postForm(`${server.url}/oauth/revoke`, { token: refreshToken, client_id: other })
    expect(await askMcp(server.url, access)).toBe(200)
    expect((await postForm(`${server.url}/oauth/revoke`, { token: access, client_id: client })).status).toBe(200)
    await expectEnd(access)
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
    for (const { status } of [first, repeated]) expect(status).toBe(200)
    expect(first.body['refresh_token']).not.toBe(refreshToken)
    const { db } = server.instance.services.access
    await sql`update oauth_state set consumed_at = consumed_at - interval '61 seconds' where consumed_at is not null`.execute(
      db,
    )
    const reused = await refresh(server.url, refreshToken)
    expect({ status: reused.status, error: reused.body['error'] }).toEqual({ status: 400, error: 'invalid_grant' })
    expect(await keysOf(username)).toMatchObject([{ revoked_at: expect.any(Date) }])
    for (const { body } of [first, repeated]) {
      await expectEnd(String(body['access_token']))
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
