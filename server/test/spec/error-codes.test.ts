// Every way to be refused has its own code. `api-client.ts` checks in every other test that an error has a documented
// one; here each is provoked.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser, disableUser } from '../../src/accounts/users.ts'
import { ALL_CARDS } from '../../src/cards/all.ts'
import { mintKey } from '../../src/keys/key-format.ts'
import { revokeKey, rotateKey } from '../../src/keys/keys.ts'
import { rawRequest } from '../support/raw-request.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { EVERY_FAILURE } from './every-failure.ts'
import { freshQuery } from './fresh-query.ts'

/** With everything that the sandbox simulates. */
let full: TestInstance
/** With everything turned off that can be. */
let bare: TestInstance
beforeAll(async () => {
  const settings = { SEARCH_TIMEOUT_MS: '2000', TRUSTED_PROXIES: '127.0.0.1' }
  full = await startTestInstance({ ...settings, ALLOWED_HOSTS: 'search.example.org', URL_KEYS: 'on' })
  const cards = ALL_CARDS.map(({ kind }) => kind).join(' ')
  const without = { SUGGEST: 'none', CARDS_DISABLED: cards, READER: 'off', KEYLESS_ENGINES: 'none' }
  const backends = { NOMINATIM_URL: '', PHOTON_URL: '', LIBRETRANSLATE_URL: '', APERTIUM_URL: '' }
  bare = await startTestInstance({ ...settings, ...without, ...backends, ENGINE_C: 'marginalia', API_MONTHLY_CAP: '1' })
})
afterAll(() => Promise.all([full?.close(), bare?.close()]))

type Refused = Promise<{ status: number; headers: Headers | Record<string, string> }>

const coded = async (asking: Refused): Promise<[number, string | null | undefined]> => {
  const { status, headers } = await asking
  return [status, headers instanceof Headers ? headers.get('error-code') : headers['error-code']]
}

const raw = (bytes: string): Refused => rawRequest(full.url, bytes)
const post = (path: string, body: string, type = 'application/json'): Refused =>
  full.api.get(path, { method: 'POST', headers: { 'content-type': type }, body })
const revoked = async (): Promise<string> => {
  const key = await full.createKey()
  await revokeKey(full.instance.services.access, key)
  return key
}
const expired = async (): Promise<string> => {
  const key = await full.createKey()
  await rotateKey(full.instance.services.access, { key, graceSeconds: 0 })
  return key
}
const disabled = async (): Promise<string> => {
  const { access } = full.instance.services
  await createUser(access, { username: 'linus', password: 'correct horse battery' })
  const key = await full.createKey({ owner: { username: 'linus' } })
  await disableUser(access, 'linus')
  return key
}
const used = async (): Promise<string> => {
  const key = await full.createKey({ burst: '1/min' })
  await full.api.get('/api/v1/status/', { key })
  return key
}

describe('keys', () => {
  const withKey = (key: string | undefined) => coded(full.api.get('/api/v1/web/?q=a', { key }))

  it.each([
    ['key_missing', 401, async (): Promise<undefined> => undefined],
    ['key_malformed', 401, async (): Promise<string> => 'bowerbird_typo'],
    ['key_unknown', 401, async (): Promise<string> => mintKey(randomBytes).full],
    ['key_revoked', 401, revoked],
    ['key_expired', 401, expired],
    ['account_disabled', 403, disabled],
    ['network_not_allowed', 403, () => full.createKey({ networks: ['192.0.2.0/24'] })],
    ['scope_missing', 403, () => full.createKey({ scopes: ['maps'] })],
    ['rate_limited', 429, used],
  ] as const)('%s', async (code, status, key) => {
    expect(await withKey(await key())).toEqual([status, code])
  })

  it('key_in_url', async () => {
    expect(await coded(fetch(`${full.url}/k/${full.key}/searxng/search?q=a`))).toEqual([403, 'key_in_url'])
  })

  it('wrong_keys_limited', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.77' }
    for (let count = 0; count < 20; count++) await full.api.get('/api/v1/key/', { key: 'bowerbird_typo', headers })
    const refused = full.api.get('/api/v1/key/', { key: 'bowerbird_typo', headers })
    expect(await coded(refused)).toEqual([429, 'wrong_keys_limited'])
  })
})

describe('requests', () => {
  const sendMcp = (body: object): Refused =>
    fetch(`${full.url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${full.key}`, 'content-type': 'application/json', accept: 'text/plain' },
      body: JSON.stringify(body),
    })

  it.each([
    ['parameter_invalid', 400, () => full.api.get('/api/v1/web/?q=')],
    ['body_invalid', 400, () => post('/api/v1/translate/', '[]')],
    ['request_malformed', 400, () => raw('nonsense\r\n\r\n')],
    ['request_malformed', 400, () => raw('GET /api/v1/ HTTP/1.1\r\n\r\n')],
    ['not_found', 404, () => full.api.get('/api/v1/nowhere/')],
    ['method_not_allowed', 405, () => full.api.get('/api/v1/web/', { method: 'DELETE' })],
    ['method_not_allowed', 405, () => raw('CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n')],
    ['method_not_allowed', 405, () => fetch(`${full.url}/tavily/search`, { method: 'HEAD' })],
    ['body_too_large', 413, () => post('/api/v1/translate/', `{"q":"${'x'.repeat(200_000)}"}`)],
    ['url_too_long', 414, () => raw(`GET /?q=${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`)],
    ['content_type_unsupported', 415, () => post('/api/v1/translate/', 'hello', 'text/plain')],
    ['host_not_allowed', 421, () => raw('GET /api/v1/ HTTP/1.1\r\nHost: evil.example\r\n\r\n')],
    ['headers_too_long', 431, () => raw(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)],
    ['message_invalid', 400, () => sendMcp({ jsonrpc: '2.0', id: 1, method: 'nothing/such', params: 7 })],
    ['sign_in_required', 401, () => fetch(`${full.url}/suggest?q=cli`)],
    ['not_found', 404, () => fetch(`${full.url}/nowhere`, { headers: { accept: 'text/html' } })],
  ] as const)('%s', async (code, status, ask) => {
    expect(await coded(ask())).toEqual([status, code])
  })
})

describe('pages', () => {
  it('page_not_in_results and page_unreadable', async () => {
    const path = '/api/v1/read/?url=https://harbour-gazette.example/hostile-gone'
    const [own, any] = [
      await full.createKey({ scopes: ['read'] }),
      await full.createKey({ scopes: ['read', 'read_any'] }),
    ]
    expect(await coded(full.api.get(path, { key: own }))).toEqual([403, 'page_not_in_results'])
    expect(await coded(full.api.get(path, { key: any }))).toEqual([422, 'page_unreadable'])
  })
})

describe('providers that fail', () => {
  it.each(EVERY_FAILURE)('$kind: the code of each endpoint, alone and in a stream', async (fault) => {
    const slugs = [
      'brave',
      'mojeek',
      'marginalia',
      'wikipedia',
      'duckduckgo',
      'nominatim',
      'photon',
      'libretranslate',
      'apertium',
    ]
    for (const slug of slugs) full.sandbox.setFault(slug, fault)
    try {
      const q = freshQuery()
      expect(await coded(full.api.get(`/api/v1/web/?q=${q}`))).toEqual([503, 'no_engine_responded'])
      expect(await coded(full.api.get(`/api/v1/suggest/?q=${q}`))).toEqual([503, 'suggestions_failed'])
      expect(await coded(full.api.get(`/api/v1/maps/?q=${q}`))).toEqual([503, 'maps_failed'])
      expect(await coded(full.api.get(`/api/v1/translate/?q=${q}&target=fr`))).toEqual([503, 'translation_failed'])
      const authorization = `Api-Key ${full.key}`
      const stream = await fetch(`${full.url}/api/v1/web/?q=${freshQuery()}`, {
        headers: { authorization, accept: 'application/x-ndjson' },
      })
      const last = JSON.parse((await stream.text()).trim().split('\n').at(-1) ?? '')
      expect(last).toMatchObject({ event: 'error', headers: { 'Error-Code': 'no_engine_responded' } })
    } finally {
      for (const slug of slugs) full.sandbox.setFault(slug, undefined)
    }
  })
})

describe('what is not configured', () => {
  it.each([
    ['no_engine_configured', '/api/v1/science/?q=a'],
    ['suggestions_not_configured', '/api/v1/suggest/?q=a'],
    ['maps_not_configured', '/api/v1/maps/?q=paris'],
    ['translation_not_configured', '/api/v1/translate/?q=a&target=fr'],
    ['cards_not_configured', '/api/v1/cards/?q=paris'],
  ])('%s', async (code, path) => {
    expect(await coded(bare.api.get(path))).toEqual([503, code])
  })

  it('reading pages is not found', async () => {
    expect(await coded(bare.api.get('/api/v1/read/?url=https://a.example/'))).toEqual([404, 'not_found'])
  })

  it('monthly_cap_reached', async () => {
    const key = await bare.createKey()
    await bare.api.get(`/api/v1/web/?q=${freshQuery()}`, { key })
    const refused = bare.api.get(`/api/v1/web/?q=${freshQuery()}`, { key })
    expect(await coded(refused)).toEqual([429, 'monthly_cap_reached'])
  })
})

it('a web page on another origin can read the code', async () => {
  const { headers } = await fetch(`${full.url}/api/v1/openapi.json`)
  expect(headers.get('access-control-expose-headers')).toContain('Error-Code')
})
