// Clients that are a document at an address, on both databases: what is fetched, for whom, and what may be in it. The rest
// of the flow is in `server/test/spec/oauth.test.ts`, on a whole instance.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DATABASE_KINDS } from '../keys/access.test-database.ts'
import { setUpStage } from '../keys/access.test-harness.ts'
import { createLog } from '../log.ts'
import { createOauth, type Oauth, oauthIssuer } from './oauth.ts'

const ISSUER = 'https://search.example.org'
const CLIENT = 'https://assistant.example/oauth/client.json'
const REDIRECT = 'https://assistant.example/callback'
/** Of RFC 7636's example. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

/** What is at the client's address. */
let reply: { status: number; body: string }
let fetched: string[]
let documents: Server

beforeAll(async () => {
  // It stands in for the operator's proxy for pages, so that documents can have any address.
  documents = createServer((request, response) => {
    fetched.push(new URL(request.url ?? '', 'http://proxy').searchParams.get('url') ?? '')
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body)
  })
  await new Promise<void>((resolve) => documents.listen(0, '127.0.0.1', resolve))
})
afterAll(() => void documents.close())
beforeEach(() => {
  fetched = []
  reply = { status: 200, body: documentOf({}) }
})

const documentOf = (change: object): string =>
  JSON.stringify({ client_id: CLIENT, client_name: 'Assistant', redirect_uris: [REDIRECT], ...change })

const queryOf = (change: Record<string, string> = {}): string =>
  new URLSearchParams({
    response_type: 'code',
    client_id: CLIENT,
    redirect_uri: REDIRECT,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...change,
  }).toString()

describe.each(DATABASE_KINDS)('a client that is a document, on %s', (kind) => {
  const stage = setUpStage(kind)

  /** With nothing in its cache of documents. */
  function open(policy: 'any' | 'known' = 'any'): Oauth {
    // A server that listens on a port has this form of address.
    const { port } = documents.address() as AddressInfo
    const fetchOptions = { viaProxy: `http://127.0.0.1:${port}/`, outgoingProxy: undefined }
    return createOauth({ access: stage.context, issuer: ISSUER, policy, fetchOptions, log: createLog('silent') })
  }

  const redeem = async (oauth: Oauth, code: string) =>
    await oauth.token(
      '/oauth/token',
      new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: CLIENT,
        redirect_uri: REDIRECT,
        code,
        code_verifier: VERIFIER,
      }).toString(),
    )

  it('is fetched once, connected, and given tokens of a key', async () => {
    const oauth = open()
    const step = await oauth.authorize(queryOf())
    const id = 'location' in step ? step.location.replace('/oauth/consent/', '') : expect.unreachable(step.fault)
    expect(await oauth.findConsentRequest(id)).toMatchObject({ client: CLIENT, name: 'Assistant', redirect: REDIRECT })
    const { id: userId } = await stage.context.db.selectFrom('users').select('id').executeTakeFirstOrThrow()
    await oauth.allow(stage.context, id, { userId, scopes: ['search'] })
    const done = await oauth.resume(id, userId)
    const target = new URL(done && 'location' in done ? done.location : expect.unreachable('no code'))
    expect(target.searchParams.get('iss')).toBe(ISSUER)
    const { status, body } = await redeem(oauth, target.searchParams.get('code') ?? '')
    expect(status).toBe(200)
    const { access_token: token, scope } = JSON.parse(body)
    expect(scope).toBe('search')
    const verdict = await stage.verifier.verify(token, '192.0.2.1')
    expect(verdict).toMatchObject({ ok: true, key: { name: 'Assistant', scopes: new Set(['search']) } })
    expect(fetched).toEqual([CLIENT])
    await oauth.close()
  })

  const wrong: [what: string, status: number, body: string][] = [
    ['says it is another', 200, documentOf({ client_id: 'https://other.example/client.json' })],
    ['has no address for codes', 200, documentOf({ redirect_uris: [] })],
    ['is no JSON', 200, '<html>'],
    ['is too long', 200, documentOf({ more: 'x'.repeat(70_000) })],
    ['is missing', 404, documentOf({})],
    ['is elsewhere', 302, documentOf({})],
  ]
  it.each(wrong)('is refused if the document %s', async (_, status, body) => {
    reply = { status, body }
    const oauth = open()
    expect(await oauth.authorize(queryOf())).toHaveProperty('fault')
    await oauth.close()
  })

  it('is refused if only known ones are accepted, by the addresses for its codes', async () => {
    const oauth = open('known')
    expect(await oauth.authorize(queryOf())).toHaveProperty('fault')
    await oauth.close()
  })

  it('is not fetched for a request for tokens, unless someone has connected it', async () => {
    const oauth = open()
    const stranger = 'https://victim.example/page'
    const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', client_id: stranger })
    const { status, body } = await oauth.token('/oauth/token', form.toString())
    expect([status, JSON.parse(body).error]).toEqual([400, expect.stringMatching(/^invalid_client/)])
    expect(fetched).toEqual([])
    await oauth.close()
  })

  it('is never at an address in our own network', async () => {
    const fetchOptions = { viaProxy: undefined, outgoingProxy: undefined }
    const parts = {
      access: stage.context,
      issuer: ISSUER,
      policy: 'any',
      fetchOptions,
      log: createLog('silent'),
    } as const
    const oauth = createOauth(parts)
    for (const address of ['https://127.0.0.1/client.json', 'https://localhost/client.json', `${ISSUER}/client.json`])
      expect(await oauth.authorize(queryOf({ client_id: address }))).toHaveProperty('fault')
    await oauth.close()
  })
})

describe('programs can be connected', () => {
  it.each([
    ['https://search.example.org', 'any', 'https://search.example.org'],
    ['https://search.example.org', 'off', undefined],
    ['http://search.example.org', 'any', undefined],
    ['http://localhost:8080', 'known', 'http://localhost:8080'],
    ['', 'any', undefined],
  ] as const)('at PUBLIC_URL %j with MCP_OAUTH_CLIENTS=%s: %s', (publicUrl, policy, issuer) => {
    expect(oauthIssuer(publicUrl, policy)).toBe(issuer)
  })
})
