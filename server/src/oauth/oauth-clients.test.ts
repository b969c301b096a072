import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ClientPolicy, readClient, redirectHost } from './oauth-clients.ts'

const read = (redirect: string, policy: ClientPolicy = 'any', name = 'Assistant') =>
  readClient({ client_name: name, redirect_uris: [redirect] }, policy)

const nameOf = (name: string): string => {
  const client = read('https://a.example/cb', 'any', name)
  return client.ok ? client.client.client_name : expect.unreachable()
}

const ALLOWED: [address: string, policy: ClientPolicy][] = [
  ['https://assistant.example/callback', 'any'],
  ['https://claude.ai/api/mcp/auth_callback', 'known'],
  ['https://chatgpt.com/connector_platform_oauth_redirect', 'known'],
  ['http://localhost/callback', 'known'],
  ['http://127.0.0.1:33418/', 'known'],
  ['http://[::1]:8000/cb', 'any'],
  ['cursor://anysphere.cursor-mcp/oauth/callback', 'known'],
  ['com.example.app:/oauth', 'any'],
]

const REFUSED: [address: string, policy: ClientPolicy][] = [
  ['http://assistant.example/callback', 'any'],
  ['https://assistant.example/callback#part', 'any'],
  ['https://user:pass@assistant.example/', 'any'],
  ['https://localhost/callback', 'any'],
  ['https://a;script-src/', 'any'],
  ['javascript:alert(1)', 'any'],
  ['data:text/html,x', 'any'],
  ['myapp://callback', 'any'],
  ['not an address', 'any'],
  ['https://assistant.example/callback', 'known'],
  ['https://claude.ai.example/callback', 'known'],
  ['com.example.app:/oauth', 'known'],
]

describe('a redirect address', () => {
  it.each(ALLOWED)('%s may be sent codes, if clients are %s', (address, policy) => {
    expect(read(address, policy)).toMatchObject({ ok: true, client: { redirect_uris: [address] } })
  })

  it.each(REFUSED)('%s may not, if clients are %s', (address, policy) => {
    expect(read(address, policy)).toMatchObject({ ok: false, error: 'invalid_redirect_uri' })
  })

  it('is shown by its host, or by the scheme of a program', () => {
    expect(redirectHost('https://claude.ai/api/mcp/auth_callback')).toBe('claude.ai')
    expect(redirectHost('http://localhost:7777/cb')).toBe('localhost:7777')
    expect(redirectHost('com.example.app:/oauth')).toBe('com.example.app:')
  })
})

describe('what a client says about itself', () => {
  it('is refused without an address, with too many, and if it is no object', () => {
    const tooMany = Array.from({ length: 11 }, (_, i) => `https://a.example/${i}`)
    for (const given of [
      {},
      { redirect_uris: [] },
      { redirect_uris: 'https://a.example' },
      { redirect_uris: tooMany },
      null,
      'x',
      [],
    ])
      expect(readClient(given, 'any')).toMatchObject({ ok: false, error: 'invalid_client_metadata' })
  })

  it('is reduced to its name and addresses: no client has a secret, or another grant than codes', () => {
    const given = {
      client_id: 'https://a.example/client.json',
      client_name: 'A',
      redirect_uris: ['https://a.example/cb'],
      token_endpoint_auth_method: 'client_secret_basic',
      client_secret: 'secret',
      grant_types: ['password', 'implicit'],
      response_types: ['token'],
      jwks_uri: 'https://a.example/jwks',
    }
    expect(readClient(given, 'any')).toEqual({
      ok: true,
      client: {
        client_id: 'https://a.example/client.json',
        client_name: 'A',
        redirect_uris: ['https://a.example/cb'],
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        response_types: ['code'],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    })
  })

  it('has a name on one line, without anything invisible; the host, if it has none', () => {
    expect(nameOf('  Cl\u200bau\u202ede\n Desktop ')).toBe('Claude Desktop')
    expect(nameOf('\u200b')).toBe('a.example')
    expect(Array.from(nameOf('😀'.repeat(200)))).toHaveLength(100)
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(nameOf(name)).toMatch(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]{1,400}$/u)
      }),
    )
  })
})
